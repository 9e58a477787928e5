import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { isRecord } from '#shared/is-record.ts'
import { firstPaint } from './build/first-paint-plugin.ts'
import { emitSecurityText } from './build/security-text.ts'
import { serviceWorker } from './build/service-worker-plugin.ts'
import { staticBuild } from './build/static-build.ts'

const packageFile: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const version = isRecord(packageFile) ? packageFile['version'] : undefined

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [staticBuild(), react(), tailwindcss(), firstPaint(), emitSecurityText(), serviceWorker()],
  define: { 'import.meta.env.APP_VERSION': JSON.stringify(version) },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Required by the style sheet and the Popover API. Older browsers show the page without these features.
    target: ['chrome117', 'edge117', 'firefox125', 'safari17.4'],
    // The first versions with :dir(), for which the style sheet would otherwise contain a list of languages.
    cssTarget: ['chrome120', 'edge120', 'firefox125', 'safari17.4'],
    // The content security policy allows no inlined files.
    assetsInlineLimit: 0,
    // All browsers of `target` support module preloading.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Puts constants, such as the paths of the routes, into the chunks that use them, instead of importing them there.
      optimization: { inlineConst: true },
      // Its only side effect is a polyfill of globalThis. Otherwise its error classes would bring the whole client along (decision 4).
      treeshake: { moduleSideEffects: [{ test: /[\\/]auth-js[\\/]/, sideEffects: false }] },
      output: {
        // One request each for the sign-in screen, for auth-js, for the dashboard with its layout, and for what is opened from them.
        // Everything else is split by default rules.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 4 },
            { name: 'auth-client', test: /[\\/]auth-client\.ts$/, priority: 3 },
            {
              name: 'dashboard',
              test: /[\\/](?:signed-in-screens|dashboard-screen|page-icons)\.tsx$/,
              priority: 2,
            },
            {
              name: 'dialogs',
              test: /[\\/](?:app|prayers|prayer-parts|sign-in)[\\/](?:[\w-]+-dialogs?|record-answer|app-shortcuts|new-version-notice)\.tsx$/,
              priority: 1,
            },
            {
              name: 'sign-in',
              test: /[\\/]features[\\/]sign-in[\\/]|[\\/](?:guest-screens|account-deletion|common-passwords|open-link|register-service-worker|rejected-key|x-sign-in)\.tsx?$/,
            },
            // For sign-in and the dialogs. Otherwise it would be in the latter, and sign-in would load them, and with them the dashboard.
            { name: 'choices', test: /[\\/]ui[\\/]choices\.tsx$/, priority: 2 },
            // What a new device of an encrypted account needs before it can show anything. Listed before `shared`: it is one request.
            { name: 'encryption', test: /[\\/]sync[\\/]sealing[\\/]|[\\/]encryption-problem\.tsx$/ },
            // What several later screens share, which would be a file each.
            {
              name: 'shared',
              test: /[\\/]web[\\/](?:data|features[\\/]prayer-parts|lib|ui)[\\/]/,
              minShareCount: 2,
            },
            { name: 'public', test: /[\\/]public-screens\.tsx$/ },
          ],
        },
      },
    },
  },
})
