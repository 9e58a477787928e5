// A tab that stays open: auth-js checks its session every 30 s, and refreshes it in time.
import { GoTrueClient } from '@supabase/auth-js'
import { afterEach, expect, it, vi } from 'vitest'
import { useTestServer } from '#tests/support/shared-server.ts'
import { PASSWORD } from './auth-client.ts'

const server = useTestServer()

afterEach(() => vi.useRealTimers())

/** Advances the clocks of server and browser together, and runs timers that are due. */
async function advanceClocks(seconds: number): Promise<void> {
  server.clock.advance(seconds)
  await vi.advanceTimersByTimeAsync(seconds * 1000)
}

it('refreshes the session at the first check, every 30 s, that finds 90 s or less left', async () => {
  const now = Math.floor(server.clock.now().getTime() / 1000) * 1000
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
  let refreshes = 0
  const tab = new GoTrueClient({
    url: `${server.url}/auth/v1`,
    headers: { apikey: server.services.keys.anonKey },
    autoRefreshToken: true,
    persistSession: false,
    detectSessionInUrl: false,
    flowType: 'implicit',
    fetch: (input, init) => {
      if (new Request(input).url.endsWith('/token?grant_type=refresh_token')) refreshes += 1
      return fetch(input, init)
    },
  })
  await tab.initialize()
  const { data } = await tab.signUp({ email: 'ruth@example.com', password: PASSWORD })
  const refreshed = new Promise((resolve) =>
    tab.onAuthStateChange((event) => void (event === 'TOKEN_REFRESHED' && resolve(event))),
  )
  expect(data.session?.expires_in).toBe(3600)
  for (let left = 3570; left > 90; left -= 30) {
    await advanceClocks(30)
    expect(refreshes, `${left} s left`).toBe(0)
  }
  await advanceClocks(30)
  await refreshed
  expect(refreshes).toBe(1)
  await tab.stopAutoRefresh()
})
