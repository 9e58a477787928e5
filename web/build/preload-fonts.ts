import type { Plugin } from 'vite'

/** The font that every screen uses. The others are for some letters, or for some texts. */
const FIRST_FONT = 'lora-latin-wght-normal'

/** Makes the browser fetch the first web font in parallel with the style sheet instead of after it. */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.includes(FIRST_FONT))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head-prepend',
          })),
    },
  }
}
