import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** Fails a test that writes an unannounced message to the console. */
const SILENT_CONSOLE = 'tests/support/silent-console.ts'
const RESTORE_GLOBALS = 'tests/support/restore-globals.ts'

/** Reloading all modules for each file would take most of the time. A test that needs new ones calls `vi.resetModules()`. */
const ISOLATE = false

/** Tests that need PostgreSQL: one server and one migrated template for all files of a project. */
function onPostgres(name: string): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [`tests/${name}/**/*.test.ts`],
      globalSetup: ['tests/support/postgres.ts'],
      testTimeout: 30_000,
      hookTimeout: 60_000,
    },
  }
}

export default defineConfig({
  test: {
    allowOnly: false,
    env: { TZ: 'UTC' },
    // Generous, because the machine may be busy.
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{bench,server,shared,scripts,web,tests/{soak,support}}/**/*.test.ts'],
          setupFiles: [SILENT_CONSOLE, RESTORE_GLOBALS],
          restoreMocks: true,
          isolate: ISOLATE,
        },
      },
      {
        // Components are tested in jsdom; the other code of the web app is tested without a DOM, by the project above.
        extends: true,
        plugins: [react()],
        test: {
          name: 'web',
          include: ['web/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: [SILENT_CONSOLE, RESTORE_GLOBALS, 'web/test-setup.ts'],
          isolate: ISOLATE,
          restoreMocks: true,
        },
      },
      onPostgres('db'),
      onPostgres('contract'),
      onPostgres('rls'),
      onPostgres('security'),
      onPostgres('faults'),
    ],
  },
})
