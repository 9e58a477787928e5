import type { Plugin } from 'vite'

/**
 * Lets `import()` be the browser's own. Vite wraps it to preload what a part imports, which is switched off here and
 * would still cost its code in the first download.
 */
export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load()',
    },
  }
}
