import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createServer, type Plugin } from 'vite'
import { type Config, readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { findFreePort } from '#server/db/free-port.ts'
import type { PageConfig } from '#shared/page.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { SERVER_PATHS } from '#shared/server-paths.ts'
import { stopWithNpm } from './stop-with-npm.mjs'

const DEVELOPMENT_KEY = 'sb_publishable_for_development_only'

/**
 * Runs Vite on the configured port and the server behind it. Vite reloads what changes in the browser; a change of the
 * server restarts only the server, because the embedded PostgreSQL belongs to this process.
 */
async function main(): Promise<void> {
  stopWithNpm()
  const config = readConfig(process.env)
  const anonKey = config.anonKey ?? DEVELOPMENT_KEY
  const postgres =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir }) : null
  const serverPort = String(await findFreePort('127.0.0.1'))
  const server = watchServer({
    ...process.env,
    ANON_KEY: anonKey,
    DATABASE_URL: postgres?.url ?? config.databaseUrl ?? '',
    HOST: '127.0.0.1',
    PORT: serverPort,
    SITE_URL: config.siteUrl,
  })
  const vite = await createServer({
    configFile: join(PACKAGE_ROOT, 'web/vite.config.ts'),
    plugins: [pageConfiguration(config, anonKey)],
    server: {
      port: config.port,
      host: config.host,
      strictPort: true,
      proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, `http://127.0.0.1:${serverPort}`])),
    },
  })
  await vite.listen()

  const stop = async () => {
    await Promise.all([vite.close(), stopServer(server)])
    await postgres?.stop()
    process.exit()
  }
  let stopping: Promise<void> | null = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stopping ??= stop()
    })
  }
}

/** Runs the server from its sources, and restarts it after a change of these or of a migration. */
function watchServer(env: NodeJS.ProcessEnv): ChildProcess {
  const included = ['server/**/*', 'shared/**/*', 'supabase/migrations/*']
  const excluded = ['**/*.test.ts', '**/*.md']
  return spawn(
    process.execPath,
    [
      join(PACKAGE_ROOT, 'node_modules/tsx/dist/cli.mjs'),
      'watch',
      '--clear-screen=false',
      ...included.map((pattern) => `--include=${pattern}`),
      ...excluded.map((pattern) => `--exclude=${pattern}`),
      'server/main.ts',
    ],
    // In its own process group: Ctrl+C must reach it once, from this process, and not from the terminal as well.
    { cwd: PACKAGE_ROOT, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true },
  )
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.kill('SIGTERM')
  await exited
}

/** Puts the configuration into the page, as the server does in production. */
function pageConfiguration({ siteUrl, productName, x, disableSignup }: Config, anonKey: string): Plugin {
  const page: PageConfig = {
    url: '',
    anonKey,
    siteUrl,
    productName,
    xProvider: 'twitter',
    xEnabled: x !== null,
    isSignUpClosed: disableSignup,
  }
  return {
    name: 'page-configuration',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { name: 'intercede-config', content: JSON.stringify(page) }, injectTo: 'head' },
    ],
  }
}

await main()
