import { test as base, expect } from '@playwright/test'
import { leaveClosedDialogsFirst } from './fixtures/closed-dialogs.ts'
import { ConsoleWatch } from './fixtures/console-watch.ts'
import {
  type Installation,
  installApart,
  installReleases,
  installTogether,
  installTwice,
} from './fixtures/installation.ts'
import { type User, signUp } from './fixtures/user.ts'
import type { ServerProcess, ServerSettings } from './fixtures/server-process.ts'
import { AnsweredScreen } from './screens/answered-screen.ts'
import { AuthScreen } from './screens/auth-screen.ts'
import { CategoriesScreen } from './screens/categories-screen.ts'
import { DashboardScreen } from './screens/dashboard-screen.ts'
import { YourDataScreen } from './screens/your-data-screen.ts'
import { NavigationBar } from './screens/navigation-bar.ts'
import { PrayerScreen } from './screens/prayer-screen.ts'
import { PrayScreen } from './screens/pray-screen.ts'
import { SearchScreen } from './screens/search-screen.ts'
import { SettingsScreen } from './screens/settings-screen.ts'
import { ResetPasswordScreen } from './screens/reset-password-screen.ts'

export interface ProjectOptions {
  /**
   * How the web app is served: by the server, by a site at another origin, by two servers with one database, or by a
   * server in which it can be replaced by another release.
   */
  webApp: 'together' | 'apart' | 'twice' | 'released'
}

interface WorkerFixtures extends ProjectOptions {
  /** Environment variables for the server; set them with `test.use`. */
  serverSettings: ServerSettings
  installation: Installation
}

interface Fixtures {
  /** Whether the browser offers service workers, which it does not on plain http; set it with `test.use`. */
  withServiceWorker: boolean
  /** A server process, running when the test starts. */
  server: ServerProcess
  /** Fails the test on messages that it hasn't announced. */
  consoleWatch: ConsoleWatch
  /** Signs up a user for this test only. */
  newUser: () => Promise<User>
  /** A new user, signed in on this browser. */
  user: User
  authScreen: AuthScreen
  navigation: NavigationBar
  dashboard: DashboardScreen
  pray: PrayScreen
  prayer: PrayerScreen
  answered: AnsweredScreen
  categories: CategoriesScreen
  resetPassword: ResetPasswordScreen
  yourData: YourDataScreen
  search: SearchScreen
  settings: SettingsScreen
}

const INSTALL = {
  together: installTogether,
  apart: installApart,
  twice: installTwice,
  released: installReleases,
}

let userCount = 0

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverSettings: [{}, { scope: 'worker', option: true }],
  webApp: ['together', { scope: 'worker', option: true }],
  installation: [
    async ({ serverSettings, webApp }, use) => {
      const installation = await INSTALL[webApp](serverSettings)
      await use(installation)
      await installation.discard()
    },
    { scope: 'worker' },
  ],
  server: async ({ installation: { server } }, use) => {
    await server.start()
    await use(server)
    server.resume()
    await server.resetClock()
  },
  withServiceWorker: [false, { option: true }],
  context: async ({ context, withServiceWorker }, use) => {
    // Their requests could not be observed or intercepted, and the pages of a test would depend on its earlier pages.
    if (!withServiceWorker)
      await context.addInitScript('Reflect.deleteProperty(Navigator.prototype, "serviceWorker")')
    leaveClosedDialogsFirst(context)
    await use(context)
  },
  baseURL: async ({ installation }, use) => use(installation.siteUrl),
  consoleWatch: [
    async ({ context, server, installation: { siteUrl } }, use) => {
      const watch = new ConsoleWatch(context, [siteUrl, server.url])
      await use(watch)
      expect(watch.unexpected(), 'there are no unexpected messages').toEqual([])
    },
    { auto: true },
  ],
  newUser: async ({ server, installation: { siteUrl } }, use) => {
    await use(() => {
      userCount += 1
      const origins = { server: server.url, site: siteUrl }
      return signUp(origins, `user${String(userCount)}@example.org`, 'a quiet hour')
    })
  },
  user: async ({ context, newUser }, use) => {
    const user = await newUser()
    await user.signInOn(context)
    await use(user)
  },
  authScreen: async ({ page }, use) => use(new AuthScreen(page)),
  navigation: async ({ page }, use) => use(new NavigationBar(page)),
  dashboard: async ({ page }, use) => use(new DashboardScreen(page)),
  pray: async ({ page }, use) => use(new PrayScreen(page)),
  prayer: async ({ page }, use) => use(new PrayerScreen(page)),
  answered: async ({ page }, use) => use(new AnsweredScreen(page)),
  categories: async ({ page }, use) => use(new CategoriesScreen(page)),
  resetPassword: async ({ page }, use) => use(new ResetPasswordScreen(page)),
  yourData: async ({ page }, use) => use(new YourDataScreen(page)),
  search: async ({ page }, use) => use(new SearchScreen(page)),
  settings: async ({ page }, use) => use(new SettingsScreen(page)),
})

export { expect }
