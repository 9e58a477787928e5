// Two tabs of one browser over a long day, through auth-js as it is. The server's part is the rule that the parent of
// the active refresh token is answered with that token again (supabase/auth internal/tokens/service.go).
import { GoTrueClient } from '@supabase/auth-js'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { PASSWORD, refresh, signUp } from './auth-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

afterEach(() => vi.useRealTimers())

interface Browser {
  openTab(): GoTrueClient
  /** The next answers of the server never arrive, though it gave them. */
  loseAnswers(count: number): void
}

function createBrowser(): Browser {
  const storage = new Map<string, string>()
  let toLose = 0
  return {
    loseAnswers: (count) => {
      toLose = count
    },
    openTab: () =>
      new GoTrueClient({
        url: `${server.url}/auth/v1`,
        headers: { apikey: server.services.keys.anonKey },
        storageKey: 'supabase-auth',
        storage: {
          getItem: (key: string) => storage.get(key) ?? null,
          setItem: (key: string, value: string) => void storage.set(key, value),
          removeItem: (key: string) => void storage.delete(key),
        },
        fetch: async (input, init) => {
          const answer = await fetch(input, init)
          if (toLose === 0) return answer
          toLose -= 1
          throw new TypeError('the answer was lost')
        },
        autoRefreshToken: false,
        persistSession: true,
        detectSessionInUrl: false,
        flowType: 'implicit',
      }),
  }
}

/** Moves the clocks of server and browser together. */
function pass(seconds: number): void {
  server.clock.advance(seconds)
  vi.setSystemTime(server.clock.now())
}

it('nobody is logged out in two tabs over many refreshes, with answers lost in between', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() })
  const browser = createBrowser()
  const tabs = [browser.openTab(), browser.openTab()]
  const { error } = await (tabs[0]?.signUp({ email: 'ruth@example.com', password: PASSWORD }) ??
    Promise.reject(new Error('no tab')))
  expect(error).toBeNull()
  for (let hour = 0; hour < 24; hour += 1) {
    pass(3550)
    browser.loseAnswers(hour % 3)
    const sessions = await Promise.all(tabs.map(async (tab) => tab.getSession()))
    for (const { data, error: failure } of sessions) {
      expect(failure).toBeNull()
      expect(data.session?.user.email).toBe('ruth@example.com')
    }
    const users = await Promise.all(tabs.map(async (tab) => tab.getUser()))
    for (const { data } of users) expect(data.user?.email).toBe('ruth@example.com')
  }
})

it('a thief with a token of yesterday gets nothing, and ends the session for both', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() })
  const stolen = (await signUp(server, 'stolen@example.com')).refresh_token
  const device = createBrowser().openTab()
  await device.refreshSession({ refresh_token: stolen })
  pass(3600)
  await device.refreshSession()
  pass(3600)
  expect((await refresh(server, stolen)).status).toBe(400)
  const { error } = await device.refreshSession()
  expect(error).toMatchObject({ code: 'refresh_token_already_used' })
  expect((await device.getSession()).data.session).toBeNull()
})

it('a deleted account is signed out at the next refresh', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() })
  const device = createBrowser().openTab()
  const { data } = await device.signUp({ email: 'deleted@example.com', password: PASSWORD })
  await server.database.pool.query('delete from auth.users where id = $1', [data.user?.id])
  const told = vi.spyOn(console, 'error').mockReturnValue()
  pass(3601)
  const { data: later } = await device.getSession()
  expect(later.session).toBeNull()
  expect((await device.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
  // That auth-js tells the console why is its own way.
  told.mockRestore()
})
