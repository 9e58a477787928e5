import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'vite'
import { isBuilt } from '#scripts/build-stamp.mjs'
import { PACKAGE_ROOT } from '#server/package-root.ts'

export const FLOOR = join(PACKAGE_ROOT, 'dist/bench/floor.js')

/** Builds what is shipped unless that is there already, as `npm start` does. */
export async function buildProduct(): Promise<void> {
  if (await isBuilt(PACKAGE_ROOT, process.env)) return
  console.log('Building Intercede ...')
  const { status } = spawnSync(process.execPath, [join(PACKAGE_ROOT, 'scripts/build.mjs')], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('Intercede could not be built.')
}

/** Bundles the floor in the way the server is, so that neither has an advantage of its tools. */
export async function buildFloor(): Promise<void> {
  await build({
    configFile: false,
    root: PACKAGE_ROOT,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      outDir: join(PACKAGE_ROOT, 'dist/bench'),
      target: 'node20',
      minify: false,
      rolldownOptions: { input: { floor: join(PACKAGE_ROOT, 'bench/floor.ts') } },
    },
  })
}
