import { test as base, expect } from '@playwright/test'
import { ConsoleWatch } from './fixtures/console-watch.ts'
import { type Person, signUp } from './fixtures/person.ts'
import { type ServerProcess, type ServerSettings, startServer } from './fixtures/server-process.ts'
import { AuthScreen } from './screens/auth-screen.ts'
import { CategoriesScreen } from './screens/categories-screen.ts'
import { DashboardScreen } from './screens/dashboard-screen.ts'
import { NavigationBar } from './screens/navigation-bar.ts'
import { ResetPasswordScreen } from './screens/reset-password-screen.ts'

interface WorkerFixtures {
  /** Environment variables that the server of a file is started with; set it with `test.use`. */
  serverSettings: ServerSettings
  workerServer: ServerProcess
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
}

let peopleSoFar = 0

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverSettings: [{}, { scope: 'worker', option: true }],
  workerServer: [
    async ({ serverSettings }, use) => {
      const server = await startServer(serverSettings)
      await use(server)
      await server.discard()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  server: async ({ workerServer }, use) => {
    await workerServer.start()
    await use(workerServer)
    workerServer.goOn()
  },
  baseURL: async ({ server }, use) => use(server.url),
  consoleWatch: [
    async ({ context, server }, use) => {
      const watch = new ConsoleWatch(context, server.url)
      await use(watch)
      expect(watch.surprises(), 'the console stays silent').toEqual([])
    },
    { auto: true },
  ],
  newPerson: async ({ server }, use) => {
    await use(() => {
      peopleSoFar += 1
      return signUp(server.url, `person${String(peopleSoFar)}@example.org`, 'a quiet hour')
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
})

export { expect }
