import { act, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { UNREADABLE } from '#web/data/encryption-status.ts'
import {
  anna,
  connectionLost,
  FakeServer,
  family,
  openData,
  updateOnAnna,
} from '#web/data/user-data.test-data.ts'
import { prayerActions } from '#web/data/prayer-actions.ts'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { press, renderWithData } from '#web/test-rendering.tsx'
import { ExportSection } from './export-section.tsx'

const { user } = sessionWith('token', 3600)
const DAYS = ['2026-02-04', '2026-02-05']
const prayedFor = { ...anna, times_prayed: 2, last_prayed_on: '2026-02-05' }

let saved: Blob[]
let fileName: string
let respond: () => Response

beforeEach(() => {
  saved = []
  respond = () => Response.json({ account: { id: 'ruth', sessions: [] }, prayed_days: { anna: DAYS } })
  storeSession(sessionWith('token', 3600))
  vi.stubGlobal('fetch', async () => respond())
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob)
    return 'blob:saved'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    fileName = this.download
  })
})

async function show({ synced = true } = {}) {
  const server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', prayedFor)
  server.put('prayer_updates', updateOnAnna)
  const data = openData(server)
  const sync = await data.opened
  if (synced) await sync.syncNow()
  renderWithData(<ExportSection user={user} />, data)
  const resolveOffline = async () => {
    server.intercept = () => connectionLost()
    await act(() => prayerActions(data).change(prayedFor, { resolved: true }))
  }
  return { server, resolveOffline }
}

async function save(kind: 'Save data file' | 'Save as text'): Promise<string> {
  await press(kind)
  await expect.poll(() => saved).toHaveLength(1)
  return (await saved[0]?.text()) ?? ''
}
const shownNotice = () => screen.getAllByRole('status').map((status) => status.textContent)
const MISSING = /the days on which you prayed are not in the file/

it('saves everything, after sending what was waiting, with the prayed days and the account from the server', async () => {
  const { server, resolveOffline } = await show()
  await resolveOffline()
  server.intercept = () => null
  const { user_id: _owner, rev: _rev, prayer_id: _prayer, ...update } = updateOnAnna
  const file: unknown = JSON.parse(await save('Save data file'))
  expect(server.tables.prayers).toMatchObject([{ id: 'anna', resolved: true }])
  expect(file).toMatchObject({
    format: 'intercede-export',
    version: 3,
    account: { id: 'ruth', sessions: [] },
    categories: [{ id: 'family', name: 'Family', order: 1 }],
    prayers: [{ id: 'anna', resolved: true, prayed_days: DAYS, updates: [update] }],
  })
  expect(JSON.stringify(file)).not.toMatch(/"(?:rev|user_id|missing)"/)
  expect(shownNotice().join(' ')).not.toMatch(MISSING)
})

it('names the file after the day', async () => {
  vi.useFakeTimers({ now: new Date('2026-02-05T14:00:00Z'), toFake: ['Date'] })
  await show()
  await save('Save data file')
  expect(fileName).toBe('intercede-2026-02-05.json')
})

it('saves what is on this device when the server cannot be reached, and says what is missing', async () => {
  const { resolveOffline } = await show()
  await resolveOffline()
  const file: unknown = JSON.parse(await save('Save data file'))
  expect(file).toMatchObject({
    missing: [
      'prayers[].prayed_days',
      'account.identities',
      'account.factors',
      'account.sessions',
      'account.reminders',
      'account.push_subscriptions',
      'account.encryption_keys',
    ],
    account: { id: 'ruth' },
    prayers: [{ id: 'anna', resolved: true, times_prayed: 2, last_prayed_on: '2026-02-05' }],
  })
  expect(JSON.stringify(file)).not.toContain('"prayed_days":')
  await expect.poll(() => shownNotice().join(' ')).toMatch(MISSING)
})

it('says what is missing when only the request for it fails', async () => {
  respond = () => Response.json({ code: 'XX000', message: '' }, { status: 500 })
  expectConsoleError('Failed to export your data')
  await show()
  expect(JSON.parse(await save('Save data file'))).toHaveProperty('missing')
  await expect.poll(() => shownNotice().join(' ')).toMatch(MISSING)
})

it('saves a complete text without the server', async () => {
  const { resolveOffline } = await show()
  await resolveOffline()
  const text = await save('Save as text')
  expect(text).toContain('Resolved (1)')
  expect(text).toMatch(/Prayed on 2 days, last on .*2026/)
  expect(text).toContain('She is better')
  expect(shownNotice().join(' ')).not.toMatch(MISSING)
})

it('saves nothing as long as this device does not have everything', async () => {
  expectConsoleError('Failed to export your data')
  const { server } = await show({ synced: false })
  server.intercept = () => connectionLost()
  await press('Save data file')
  await expect
    .poll(() => screen.getByRole('alert').textContent)
    .toContain('have not all arrived on this device')
  expect(saved).toEqual([])
})

it('says how many texts it lacks because they cannot be read', async () => {
  const { server } = await show()
  server.put('prayers', { ...prayedFor, note: UNREADABLE })
  await save('Save data file')
  await expect.poll(() => shownNotice().join(' ')).toContain('lacks 1 text that cannot be read')
})

it('says that it lacks what this version of the app cannot show', async () => {
  expectConsoleError('Rows of prayers cannot be shown')
  const { server } = await show()
  server.put('prayers', { ...anna, id: 'ben', resolved: 'perhaps' })
  await save('Save data file')
  await expect.poll(() => shownNotice().join(' ')).toContain('1 entry of another version of the app')
})
