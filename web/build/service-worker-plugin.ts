import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { bundleScript } from './classic-script.ts'

const ENTRY = fileURLToPath(new URL('../worker/service-worker.ts', import.meta.url))
const FILE = 'sw.js'

/** Adds the service worker to the build, as one script that knows the build's hashed files. */
export function serviceWorker(): Plugin {
  let apiUrl = ''
  return {
    name: 'service-worker',
    configResolved: ({ env }) => {
      apiUrl = String(env['VITE_SUPABASE_URL'] ?? '').replace(/\/+$/, '')
    },
    configureServer: ({ middlewares }) => {
      // A worker that a production build left at this address then removes itself.
      middlewares.use(`/${FILE}`, (_request, response) => void response.writeHead(404).end())
    },
    generateBundle: {
      // Other plugins add their files before.
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.keys(bundle)
          .filter((file) => file.startsWith('assets/'))
          .map((file) => `/${file}`)
          .toSorted()
        this.emitFile({ type: 'asset', fileName: FILE, source: await bundleWorker(files, apiUrl) })
      },
    },
  }
}

/**
 * One classic script: not all browsers support modules in service workers.
 *
 * @param apiUrl origin of the API; empty for the site's own
 */
function bundleWorker(files: readonly string[], apiUrl: string): Promise<string> {
  const id = createHash('sha256').update(files.join()).digest('base64url').slice(0, 12)
  return bundleScript(ENTRY, { BUILD: JSON.stringify({ id, files }), API_URL: JSON.stringify(apiUrl) })
}
