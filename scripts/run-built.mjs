import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** Builds everything, or ends this process as the build ended. */
export function build() {
  console.log('Building Intercede ...')
  // A process of its own: what the build needs in memory is given back before anything else runs.
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * Runs an entry of dist/server, built if it is not there at all, in this process, so that Ctrl+C and signals reach it
 * once and directly.
 * @param {'main' | 'backup' | 'restore'} entry
 */
export async function runBuilt(entry) {
  const path = join(ROOT, `dist/server/${entry}.js`)
  if (!existsSync(path)) build()
  process.setSourceMapsEnabled(true)
  await import(path)
}
