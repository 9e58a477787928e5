import { join } from 'node:path'
import { createServer, type Plugin } from 'vite'
import { readConfig } from '#server/config.ts'
import { findFreePort } from '#server/db/free-port.ts'
import type { PageConfig } from '#server/http/page.ts'
import { createLogger } from '#server/logger.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { startServer } from '#server/start-server.ts'

/** The page as the server would send it: with the configuration in it. */
function pageConfiguration(page: PageConfig): Plugin {
  return {
    name: 'intercede:page-configuration',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { name: 'intercede-config', content: JSON.stringify(page) }, injectTo: 'head' },
    ],
  }
}

// People open the port that is configured, where Vite answers; the server stands behind it on a port of its own.
const config = readConfig(process.env)
const { port, host, siteUrl, productName } = config
const serverPort = await findFreePort('127.0.0.1')
const server = await startServer({
  config: { ...config, port: serverPort, host: '127.0.0.1' },
  logger: createLogger(config.logLevel),
})

const target = `http://127.0.0.1:${String(serverPort)}`
const vite = await createServer({
  configFile: join(PACKAGE_ROOT, 'web/vite.config.ts'),
  plugins: [
    pageConfiguration({
      url: '',
      anonKey: server.anonKey,
      siteUrl,
      productName,
      xProvider: 'twitter',
      xEnabled: config.x !== null,
    }),
  ],
  server: {
    port,
    host,
    strictPort: true,
    proxy: { '/auth/v1': target, '/rest/v1': target, '/pictures': target },
  },
})
await vite.listen()
console.log(`Intercede is ready at ${siteUrl}, and follows what you change`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void stop()
  })
}

async function stop(): Promise<void> {
  await Promise.all([vite.close(), server.stop()])
  process.exit()
}
