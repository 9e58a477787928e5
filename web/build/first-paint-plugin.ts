import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { bundleScript } from './classic-script.ts'

const NAME = 'first-paint'
const ENTRY = fileURLToPath(new URL(`../app/${NAME}.ts`, import.meta.url))

/**
 * Adds the script that shows the page in the theme and text size of this device from the first paint on, and tells it where the chunk is
 * that signing in needs. The page waits for it, as for the style sheet: modules run too late, and the content security policy allows no
 * script in the page.
 */
export function firstPaint(): Plugin {
  return {
    name: NAME,
    async generateBundle() {
      this.emitFile({ type: 'asset', name: `${NAME}.js`, source: await bundleScript(ENTRY) })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const fileOf = (name: string) => Object.keys(bundle ?? {}).find((file) => file.includes(`/${name}-`))
        const [built, auth] = [fileOf(NAME), fileOf('auth-client')]
        if (built && !auth) throw new Error('The chunk of auth-client.ts is missing.')
        // In development, a module.
        const attrs = built
          ? { src: `/${built}`, 'data-sign-in-chunk': `/${auth}` }
          : { type: 'module', src: `/app/${NAME}.ts` }
        return [{ tag: 'script', attrs, injectTo: 'head' }]
      },
    },
  }
}
