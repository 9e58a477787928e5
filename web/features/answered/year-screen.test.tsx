import { act, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { FakeServer, family, openSynced } from '#web/data/user-data.test-data.ts'
import { samplePrayer, sampleUpdate } from '#web/data/sample-rows.test-data.ts'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { renderWithData } from '#web/test-rendering.tsx'
import { YearScreen } from './year-screen.tsx'

let server: FakeServer

beforeEach(() => {
  storeSession(sessionWith('token', 3600))
  server = new FakeServer()
  server.put('categories', family)
})

async function open(year: string, prayed: () => Promise<Response>) {
  vi.stubGlobal('fetch', prayed)
  const { data } = await openSynced(server)
  renderWithData(<YearScreen year={year} />, data)
  await act(async () => {})
}

const text = () => document.body.textContent

it('tells a year: its cover, what was answered from the beginning to the answer, and who is still prayed for', async () => {
  const answer = { answered_on: '2026-06-02', answer: 'Home again!' }
  server.put('prayers', samplePrayer({ id: 'anna', note: 'The operation', resolved: true, ...answer }))
  server.put('prayers', samplePrayer({ id: 'ben', person_name: 'Ben' }))
  const update = (id: string, body: string, day: string) =>
    server.put(
      'prayer_updates',
      sampleUpdate({ id, prayer_id: 'anna', body, created_at: `${day}T12:00:00+00:00` }),
    )
  update('first', 'A date is set', '2025-12-20')
  update('second', 'It went well', '2026-05-30')
  update('answer', 'Home again!', '2026-06-02')
  await open('2026', async () => Response.json({ 2026: 2 }))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('2026')
  await expect.poll(text).toContain('You prayed for 2 people; 1 prayer was answered.')
  expect(screen.getByRole('region', { name: 'June' }).textContent).toBe(
    'JuneAnnaFamily\u00A0· Answered 2 JuneThe operation20 December 2025: A date is set30 May: It went wellHome again!',
  )
  expect(screen.getByRole('region', { name: 'Still prayed for' }).textContent).toBe(
    'Still prayed forFamilyBen',
  )
})

it('leaves out the number of people if the server cannot be reached', async () => {
  server.put('prayers', samplePrayer({ resolved: true, answered_on: '2026-06-02' }))
  await open('2026', () => Promise.reject(new TypeError('Failed to fetch')))
  await act(async () => {})
  expect(text()).toContain('1 prayer was answered.')
  expect(text()).not.toContain('people')
})

it('says so if there is nothing in the year', async () => {
  await open('1999', async () => Response.json({}))
  expect(text()).toContain('Nothing was answered in 1999.')
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull()
})
