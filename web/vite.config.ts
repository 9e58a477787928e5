import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { leaveOutUnreached } from './vite-leave-out.ts'
import { plainImports } from './vite-plain-imports.ts'
import { preloadFonts } from './vite-preload-fonts.ts'
import { emitSecurityText } from './vite-security-text.ts'
import { staticBuild } from './vite-static-build.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    staticBuild(),
    react(),
    tailwindcss(),
    preloadFonts(),
    leaveOutUnreached(),
    plainImports(),
    emitSecurityText(),
  ],
  resolve: {
    // The router asks a stand-in for what React has had since version 18.
    alias: [{ find: /^use-sync-external-store\/shim.*/, replacement: 'react' }],
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // What the style sheet and the Popover API ask for; older browsers get the page, but not these niceties.
    target: ['chrome117', 'edge117', 'firefox125', 'safari17.4'],
    // The content security policy allows no inlined files, and the picture would weigh on every style sheet.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // Every part of a screen is asked for at once (web/app/screens.ts), so there is nothing left to find out.
    modulePreload: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // All that the first screen needs, in one request.
            { name: 'start', tags: ['$initial'], priority: 3 },
            { name: 'legal', test: /[\\/]features[\\/]legal[\\/]/, priority: 2 },
            { name: 'mailed', test: /[\\/]features[\\/]auth[\\/]/, priority: 2 },
            // The frame of the signed-in screens and the dashboard, with all that they need, in one more.
            {
              name: 'dashboard',
              test: /[\\/]app[\\/](?:signed-in-frame|dashboard-route)\.tsx$/,
              priority: 1,
            },
            // The dialogs, and what those of the categories share with them.
            { name: 'dialogs', test: /[\\/]dashboard-dialogs\.tsx$/ },
          ],
        },
      },
    },
  },
})
