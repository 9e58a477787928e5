import { defineConfig } from '@playwright/test'
import type { ProjectOptions } from './tests/e2e/test.ts'
import { findBrowser } from './tests/support/browser.ts'

const { executablePath, args, env } = await findBrowser()

export default defineConfig<object, ProjectOptions>({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/e2e',
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  // A busy machine is slow; nothing waits this long where all is well.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['line'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args, env: { ...inheritedEnvironment(), ...env } },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  // A test runs on wide screens unless its tag says @small, and on both with @every-width.
  projects: [
    { name: 'wide', grepInvert: /@small/, use: { viewport: { width: 1280, height: 800 } } },
    {
      name: 'small',
      grep: /@small|@every-width/,
      use: { viewport: { width: 375, height: 740 }, hasTouch: true },
    },
    {
      // The same tests once more, with the web app at another origin than the server.
      name: 'apart',
      testMatch: ['auth-screen', 'confirm-address', 'main-path', 'reset-password', 'x-sign-in'].map(
        (name) => `**/${name}.spec.ts`,
      ),
      grepInvert: /@small/,
      use: { viewport: { width: 1280, height: 800 }, webApp: 'apart' },
    },
  ],
})

function inheritedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
