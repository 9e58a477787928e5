import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** A message on the console that no test announced fails it. */
const SILENT_CONSOLE = 'tests/support/silent-console.ts'
const LEAVE_NOTHING_BEHIND = 'tests/support/leave-nothing-behind.ts'

/** Loading all modules anew for each file costs most of the time; a test that needs its own says `vi.resetModules()`. */
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
    // Generous, because a busy machine is no failure; a test that hangs still ends.
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{bench,server,shared,scripts,web,tests/{soak,support}}/**/*.test.ts'],
          setupFiles: [SILENT_CONSOLE, LEAVE_NOTHING_BEHIND],
          restoreMocks: true,
          isolate: ISOLATE,
        },
      },
      {
        // A test of what a reader sees gets a page; logic of the web app needs none and runs with the units.
        extends: true,
        plugins: [react()],
        test: {
          name: 'web',
          include: ['web/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: [SILENT_CONSOLE, LEAVE_NOTHING_BEHIND, 'web/test-setup.ts'],
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
