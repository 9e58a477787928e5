import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isBuilt } from './build-stamp.mjs'
import { stopWithNpm } from './stop-with-npm.mjs'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * Runs an entry of dist/server in this process, so that Ctrl+C and signals reach it directly. The server is built if
 * its sources have changed; the commands only build if nothing has been built, and otherwise run the version
 * that is in use.
 */
async function main() {
  stopWithNpm()
  const entry = takeEntry()
  const path = join(ROOT, `dist/server/${entry}.js`)
  const built = entry === 'main' ? await isBuilt(ROOT, process.env) : existsSync(path)
  if (!built) build()
  process.setSourceMapsEnabled(true)
  await import(path)
}

/** Removes the name of the entry from the arguments, as the entry expects its own arguments only. */
function takeEntry() {
  const [entry = ''] = process.argv.slice(2)
  if (!['accounts', 'backup', 'restore'].includes(entry)) return 'main'
  process.argv.splice(2, 1)
  return entry
}

/** In a process of its own, which frees the memory of the build before the server runs. */
function build() {
  console.log('Building Intercede ...')
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

await main()
