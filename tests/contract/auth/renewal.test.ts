// A browser that stays open: auth-js looks at its session every 30 s, and asks for a new token in time.
import { GoTrueClient } from '@supabase/auth-js'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { PASSWORD } from './auth-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

afterEach(() => vi.useRealTimers())

/** Moves the clocks of server and browser together, and lets what is due happen. */
async function pass(seconds: number): Promise<void> {
  server.clock.advance(seconds)
  await vi.advanceTimersByTimeAsync(seconds * 1000)
}

it('a session is renewed when a look at it, every 30 s, finds 90 s or less left', async () => {
  const now = Math.floor(server.clock.now().getTime() / 1000) * 1000
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
  let renewals = 0
  const tab = new GoTrueClient({
    url: `${server.url}/auth/v1`,
    headers: { apikey: server.services.keys.anonKey },
    autoRefreshToken: true,
    persistSession: false,
    detectSessionInUrl: false,
    flowType: 'implicit',
    fetch: (input, init) => {
      if (new Request(input).url.endsWith('/token?grant_type=refresh_token')) renewals += 1
      return fetch(input, init)
    },
  })
  await tab.initialize()
  const { data } = await tab.signUp({ email: 'ruth@example.com', password: PASSWORD })
  const renewed = new Promise((resolve) =>
    tab.onAuthStateChange((event) => void (event === 'TOKEN_REFRESHED' && resolve(event))),
  )
  expect(data.session?.expires_in).toBe(3600)
  for (let left = 3570; left > 90; left -= 30) {
    await pass(30)
    expect(renewals, `${left} s left`).toBe(0)
  }
  await pass(30)
  await renewed
  expect(renewals).toBe(1)
  await tab.stopAutoRefresh()
})
