import { act, renderHook } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { anna, FakeServer, openSynced, withData } from './user-data.test-data.ts'
import { usePrayedMonths, usePrayedYears, withLatest } from './prayed-counts.ts'

const TODAY = '2026-11-22'
const prayed = { ...anna, times_prayed: 13, last_prayed_on: '2026-11-20' }

/** What a hook returns once the server has answered. */
async function askServer(useCounts: () => unknown, respond: () => Response) {
  storeSession(sessionWith('token', 3600))
  const fetchStub = vi.fn<typeof fetch>().mockImplementation(async () => respond())
  vi.stubGlobal('fetch', fetchStub)
  const { data } = await openSynced(new FakeServer())
  const { result } = renderHook(useCounts, withData(data))
  await expect.poll(() => fetchStub.mock.results.length).toBe(1)
  return result
}

describe.each([
  ['months of a prayer', () => usePrayedMonths(prayed, TODAY), { '2026-10': 1, '2026-11': 12 }],
  ['years', usePrayedYears, { 2025: 31, 2026: 48 }],
])('the %s', (_, useCounts, counts) => {
  it('come from the server', async () => {
    const result = await askServer(useCounts, () => Response.json(counts))
    await expect.poll(() => result.current).toEqual(counts)
  })

  it.each([
    ['fails', () => Response.json({ code: 'XX000', message: '' }, { status: 500 })],
    ['responds with something else', () => Response.json({ November: 12 })],
  ])('are unknown if the server %s', async (_case, respond) => {
    const response = respond()
    const body = vi.spyOn(response, 'text')
    const result = await askServer(useCounts, () => response)
    await expect.poll(() => body.mock.settledResults).toMatchObject([{ type: 'fulfilled' }])
    await act(async () => {})
    expect(result.current).toBeNull()
  })
})

it.each([
  ['as the server has counted', 13, '2026-11-20', { '2026-10': 1, '2026-11': 12 }],
  ['with what was prayed here since', 14, TODAY, { '2026-10': 1, '2026-11': 13 }],
  [
    'with what was prayed here in another month',
    14,
    '2026-09-30',
    { '2026-09': 1, '2026-10': 1, '2026-11': 12 },
  ],
  ['without what was taken back here', 12, null, { '2026-10': 1, '2026-11': 11 }],
])('the months are %s', (_, times_prayed, last_prayed_on, months) => {
  const counted = { '2026-10': 1, '2026-11': 12 }
  expect(withLatest(counted, { times_prayed, last_prayed_on }, TODAY)).toEqual(months)
})

it('leaves out a month whose last day was taken back', () => {
  const taken = { times_prayed: 1, last_prayed_on: '2026-10-01' }
  expect(withLatest({ '2026-10': 1, '2026-11': 1 }, taken, TODAY)).toEqual({ '2026-10': 1 })
})
