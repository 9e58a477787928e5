import { test as base, expect } from '@playwright/test'
import { ConsoleWatch } from './fixtures/console-watch.ts'
import { type Installation, installApart, installTogether, installTwice } from './fixtures/installation.ts'
import { type Person, signUp } from './fixtures/person.ts'
import type { ServerProcess, ServerSettings } from './fixtures/server-process.ts'
import { AuthScreen } from './screens/auth-screen.ts'
import { CategoriesScreen } from './screens/categories-screen.ts'
import { DashboardScreen } from './screens/dashboard-screen.ts'
import { AccountDataScreen } from './screens/account-data-screen.ts'
import { NavigationBar } from './screens/navigation-bar.ts'
import { ResetPasswordScreen } from './screens/reset-password-screen.ts'

export interface ProjectOptions {
  /** Who serves the web app: the server itself, a site at another origin, or one of two servers on one database. */
  webApp: 'together' | 'apart' | 'twice'
}

interface WorkerFixtures extends ProjectOptions {
  /** Environment variables that the server of a file is started with; set it with `test.use`. */
  serverSettings: ServerSettings
  installation: Installation
}

interface Fixtures {
  /** A real server process that answers when the test begins. */
  server: ServerProcess
  /** The console must stay silent, but for what the test announces. */
  consoleWatch: ConsoleWatch
  /** Signs up somebody whom no other test knows. */
  newPerson: () => Promise<Person>
  /** Somebody new who is signed in on this browser. */
  person: Person
  authScreen: AuthScreen
  navigation: NavigationBar
  dashboard: DashboardScreen
  categories: CategoriesScreen
  resetPassword: ResetPasswordScreen
  accountData: AccountDataScreen
}

const INSTALL = { together: installTogether, apart: installApart, twice: installTwice }

let peopleSoFar = 0

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverSettings: [{}, { scope: 'worker', option: true }],
  webApp: ['together', { scope: 'worker', option: true }],
  installation: [
    async ({ serverSettings, webApp }, use) => {
      const installation = await INSTALL[webApp](serverSettings)
      await use(installation)
      await installation.discard()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  server: async ({ installation: { server } }, use) => {
    await server.start()
    await use(server)
    server.goOn()
    await server.resetClock()
  },
  baseURL: async ({ installation }, use) => use(installation.siteUrl),
  consoleWatch: [
    async ({ context, server, installation: { siteUrl } }, use) => {
      const watch = new ConsoleWatch(context, [siteUrl, server.url])
      await use(watch)
      expect(watch.surprises(), 'the console stays silent').toEqual([])
    },
    { auto: true },
  ],
  newPerson: async ({ server, installation: { siteUrl } }, use) => {
    await use(() => {
      peopleSoFar += 1
      const origins = { server: server.url, site: siteUrl }
      return signUp(origins, `person${String(peopleSoFar)}@example.org`, 'a quiet hour')
    })
  },
  person: async ({ context, newPerson }, use) => {
    const person = await newPerson()
    await person.isSignedInOn(context)
    await use(person)
  },
  authScreen: async ({ page }, use) => use(new AuthScreen(page)),
  navigation: async ({ page }, use) => use(new NavigationBar(page)),
  dashboard: async ({ page }, use) => use(new DashboardScreen(page)),
  categories: async ({ page }, use) => use(new CategoriesScreen(page)),
  resetPassword: async ({ page }, use) => use(new ResetPasswordScreen(page)),
  accountData: async ({ page }, use) => use(new AccountDataScreen(page)),
})

export { expect }
