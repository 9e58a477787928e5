// Two tabs of one browser over a day, through auth-js. The server's part is the rule that the parent of the active
// refresh token is exchanged for that same token again (supabase/auth internal/tokens/service.go).
import { GoTrueClient, isAuthRefreshDiscardedError } from '@supabase/auth-js'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useTestServer } from '#tests/support/shared-server.ts'
import { PASSWORD, refresh, signUp } from './auth-client.ts'

const server = useTestServer()

// auth-js logs each request that fails.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

interface Browser {
  openTab(): GoTrueClient
  /** The next responses of the server do not arrive, although it handled the requests. */
  loseResponses(count: number): void
}

function createBrowser(): Browser {
  const storage = new Map<string, string>()
  let toLose = 0
  return {
    loseResponses: (count) => {
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
          const response = await fetch(input, init)
          if (toLose === 0) return response
          toLose -= 1
          throw new TypeError('the response was lost')
        },
        autoRefreshToken: false,
        persistSession: true,
        detectSessionInUrl: false,
        flowType: 'implicit',
      }),
  }
}

/** The session as the web app reads it (currentAuthSession): again, if another tab refreshed it at the same time. */
async function sessionOf(tab: GoTrueClient): ReturnType<GoTrueClient['getSession']> {
  const result = await tab.getSession()
  return isAuthRefreshDiscardedError(result.error) ? tab.getSession() : result
}

/** Advances the clocks of server and browser together. */
function advanceClocks(seconds: number): void {
  server.clock.advance(seconds)
  vi.setSystemTime(server.clock.now())
}

it('keeps two tabs signed in over many refreshes, even when responses are lost', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() })
  const browser = createBrowser()
  const tabs = [browser.openTab(), browser.openTab()]
  const { error } = await (tabs[0]?.signUp({ email: 'ruth@example.com', password: PASSWORD }) ??
    Promise.reject(new Error('no tab')))
  expect(error).toBeNull()
  for (let hour = 0; hour < 9; hour += 1) {
    advanceClocks(3550)
    browser.loseResponses(hour % 3)
    const sessions = await Promise.all(tabs.map(async (tab) => sessionOf(tab)))
    for (const { data, error: failure } of sessions) {
      expect(failure).toBeNull()
      expect(data.session?.user.email).toBe('ruth@example.com')
    }
    const users = await Promise.all(tabs.map(async (tab) => tab.getUser()))
    for (const { data } of users) expect(data.user?.email).toBe('ruth@example.com')
  }
})

it('rejects a stolen token from yesterday, and ends the session for both its user and the thief', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() })
  const stolen = (await signUp(server, 'stolen@example.com')).refresh_token
  const device = createBrowser().openTab()
  await device.refreshSession({ refresh_token: stolen })
  advanceClocks(3600)
  await device.refreshSession()
  advanceClocks(3600)
  expect((await refresh(server, stolen)).status).toBe(400)
  const { error } = await device.refreshSession()
  expect(error).toMatchObject({ code: 'refresh_token_already_used' })
  expect((await device.getSession()).data.session).toBeNull()
})

it('signs out a deleted account at the next refresh', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() })
  const device = createBrowser().openTab()
  const { data } = await device.signUp({ email: 'deleted@example.com', password: PASSWORD })
  await server.database.pool.query('delete from auth.users where id = $1', [data.user?.id])
  // auth-js logs the reason to the console.
  const consoleError = vi.spyOn(console, 'error').mockReturnValue()
  advanceClocks(3601)
  const { data: later } = await device.getSession()
  expect(later.session).toBeNull()
  expect((await device.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
  consoleError.mockRestore()
})
