import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { isBuilt } from './build-stamp.mjs'

const ROOT = resolve(import.meta.dirname, '..')

if (!(await isBuilt(ROOT, process.env))) {
  console.log('Building Intercede ...')
  // A process of its own: what the build needs in memory is given back before the server starts.
  const build = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], { stdio: 'inherit' })
  if (build.status !== 0) process.exit(build.status ?? 1)
}

// In this process, so that Ctrl+C and signals reach the server once and directly.
process.setSourceMapsEnabled(true)
const entry = '../dist/server/main.js'
await import(entry)
