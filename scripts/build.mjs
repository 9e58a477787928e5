import { join, resolve } from 'node:path'
import { build } from 'vite'
import { computeStamp, removeStamp, writeStamp } from './build-stamp.mjs'
import { precompress } from './precompress.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const WEB = join(ROOT, 'dist/web')
/** By the name of its file in dist/server. */
const SERVER_ENTRIES = {
  main: join(ROOT, 'server/main.ts'),
  accounts: join(ROOT, 'server/commands/accounts.ts'),
  backup: join(ROOT, 'server/commands/backup.ts'),
  restore: join(ROOT, 'server/commands/restore.ts'),
}
/** Without warnings about slow plugins, which only show how busy the machine is. */
const QUIET = { pluginTimings: false }

async function buildWeb() {
  await build({
    configFile: join(ROOT, 'web/vite.config.ts'),
    logLevel: 'warn',
    build: { rolldownOptions: { checks: QUIET } },
  })
  await precompress(WEB)
}

/** Bundles our own code, with one entry per program. npm packages stay external. */
async function buildServer() {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      outDir: join(ROOT, 'dist/server'),
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: SERVER_ENTRIES,
        checks: QUIET,
      },
    },
  })
}

const stamp = await computeStamp(ROOT, process.env)
const started = performance.now()
await removeStamp(ROOT)
await buildWeb()
await buildServer()
await writeStamp(ROOT, stamp)
console.log(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s: dist/web and dist/server`)
