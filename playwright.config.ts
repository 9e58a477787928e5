import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import type { ProjectOptions } from './tests/e2e/test.ts'
import { findBrowser } from './tests/support/browser.ts'

const { executablePath, args, env } = await findBrowser()

export default defineConfig<object, ProjectOptions>({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/e2e/global-setup.ts',
  outputDir: 'test-results/e2e',
  // One more than CPUs, because tests often wait.
  workers: availableParallelism() + 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  // Time limits only end what hangs: the machine may be ten times slower, or busy.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: 'line',
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args, env: { ...inheritedEnvironment(), ...env } },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Few tests are about transitions, which take time, and during which contrast and positions can't be measured. Their files
    // ask for them.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  // Tests run on a wide screen, those with @small on a small one, and those with @every-width on both.
  projects: [
    {
      // What differs when the web app is at another origin than the server. One worker builds the app for it once.
      name: 'apart',
      workers: 1,
      grep: /@apart/,
      use: { viewport: { width: 1280, height: 800 }, webApp: 'apart' },
    },
    { name: 'wide', grepInvert: /@small/, use: { viewport: { width: 1280, height: 800 } } },
    {
      name: 'small',
      grep: /@small|@every-width/,
      use: { viewport: { width: 375, height: 740 }, hasTouch: true },
    },
  ],
})

function inheritedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
