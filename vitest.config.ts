import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Fails tests that write unexpected messages to the console, and restores what they have replaced. */
const UNIT_SETUP = 'tests/support/unit-setup.ts'

export default defineConfig({
  test: {
    allowOnly: false,
    env: { TZ: 'UTC' },
    // Time limits only end what hangs: the machine may be ten times slower, or busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than CPUs, because tests often wait for PostgreSQL, servers and browsers.
    maxWorkers: availableParallelism() + 1,
    // Reloading all modules for each file would take a third of the time. A test that mocks a module calls
    // `vi.resetModules()` first.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{bench,server,shared,scripts,web,tests/{soak,support}}/**/*.test.ts'],
          setupFiles: [UNIT_SETUP],
          mockReset: true,
          restoreMocks: true,
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
          setupFiles: [UNIT_SETUP, 'web/test-setup.ts'],
          mockReset: true,
          restoreMocks: true,
        },
      },
      {
        // Tests that need PostgreSQL: one server and one migrated template for all files.
        extends: true,
        test: {
          name: 'postgres',
          include: [
            'tests/{contract,db,faults,rls,security,sync}/**/*.test.ts',
            ...(process.env['TEST_POOLER'] === 'pgbouncer' ? ['tests/pooler/*.test.ts'] : []),
          ],
          globalSetup: ['tests/support/postgres.ts'],
        },
      },
    ],
  },
})
