import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { FakeServer, openSynced, withData } from './fake-server.test-data.ts'
import { usePrayedYears } from './prayed-years.ts'

/** What the hook returns once the server has answered. */
async function askServer(respond: () => Response) {
  storeSession(sessionWith('token', 3600))
  const fetchStub = vi.fn<typeof fetch>().mockImplementation(async () => respond())
  vi.stubGlobal('fetch', fetchStub)
  const { data } = await openSynced(new FakeServer())
  const { result } = renderHook(() => usePrayedYears(), withData(data))
  await expect.poll(() => fetchStub.mock.results.length).toBe(1)
  return result
}

it('asks the server for the years', async () => {
  const result = await askServer(() => Response.json({ 2025: 31, 2026: 48 }))
  await expect.poll(() => result.current).toEqual({ 2025: 31, 2026: 48 })
})

it.each([
  ['fails', () => Response.json({ code: 'XX000', message: '' }, { status: 500 })],
  ['responds with something else', () => Response.json({ 2026: 'many' })],
])('knows nothing if the server %s', async (_, respond) => {
  const result = await askServer(respond)
  await new Promise((resolve) => setTimeout(resolve))
  expect(result.current).toBeNull()
})
