import { test as base, expect } from '@playwright/test'
import { leaveClosedDialogsFirst } from './fixtures/closed-dialogs.ts'
import { ConsoleWatch } from './fixtures/console-watch.ts'
import { type Installation, installApart, installReleases, installTogether } from './fixtures/installation.ts'
import { type User, signUp } from './fixtures/user.ts'
import type { ServerProcess, ServerSettings } from './fixtures/server-process.ts'
import { type Screens, screensOf } from './screens/screens.ts'

export interface ProjectOptions {
  /**
   * How the web app is served: by the server, by a site at another origin, or by a server in which it can be replaced by
   * another release.
   */
  webApp: 'together' | 'apart' | 'released'
}

interface WorkerFixtures extends ProjectOptions {
  /** Environment variables for the server; set them with `test.use`. */
  serverSettings: ServerSettings
  installation: Installation
}

interface Fixtures extends Omit<Screens, 'page'> {
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
  screens: Screens
}

const INSTALL = {
  together: installTogether,
  apart: installApart,
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
  screens: async ({ page }, use) => use(screensOf(page)),
  authScreen: async ({ screens }, use) => use(screens.authScreen),
  navigation: async ({ screens }, use) => use(screens.navigation),
  dashboard: async ({ screens }, use) => use(screens.dashboard),
  pray: async ({ screens }, use) => use(screens.pray),
  prayer: async ({ screens }, use) => use(screens.prayer),
  answered: async ({ screens }, use) => use(screens.answered),
  categories: async ({ screens }, use) => use(screens.categories),
  resetPassword: async ({ screens }, use) => use(screens.resetPassword),
  yourData: async ({ screens }, use) => use(screens.yourData),
  search: async ({ screens }, use) => use(screens.search),
  settings: async ({ screens }, use) => use(screens.settings),
})

export { expect }
