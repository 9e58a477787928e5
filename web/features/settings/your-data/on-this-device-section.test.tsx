import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { anna, connectionLost, failure, FakeServer, family, openData } from '#web/data/user-data.test-data.ts'
import { prayerActions } from '#web/data/prayer-actions.ts'
import { sampleCategory, samplePrayer, sampleUpdate } from '#web/data/sample-rows.test-data.ts'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { press, renderWithData } from '#web/test-rendering.tsx'
import { OnThisDeviceSection } from './on-this-device-section.tsx'

const SAFARI = 'Apple Computer, Inc.'

const DEFAULTS = { vendor: 'Google Inc.', persisted: false, installed: false, durable: true, waiting: false }

async function show(given: Partial<typeof DEFAULTS> = {}) {
  const { vendor, persisted, installed, durable, waiting } = { ...DEFAULTS, ...given }
  vi.stubGlobal('navigator', { vendor, onLine: true, storage: { persisted: async () => persisted } })
  vi.stubGlobal('matchMedia', () => ({ matches: installed }))
  const server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', anna)
  const data = openData(server, durable)
  const sync = await data.opened
  await sync.syncNow()
  if (waiting) {
    server.intercept = () => connectionLost()
    await prayerActions(data).change(anna, { resolved: true })
  }
  renderWithData(<OnThisDeviceSection />, data)
  await act(async () => {})
  return { server, syncNow: () => act(() => sync.syncNow()) }
}

const keepNothing = () =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: 'Keep nothing on this device' })
const toggle = () => act(async () => void fireEvent.click(keepNothing()))
const isStoredSwitch = () => localStorage.getItem('intercede-keep-nothing') === 'true'

describe('what is stored', () => {
  it('is counted', async () => {
    await show()
    expect(screen.getByText(/^1 prayer and 1 category are stored in this browser/)).toBeDefined()
    expect(screen.getByText('Everything has been sent.')).toBeDefined()
  })

  it('includes what this version of the app cannot show, which is reported once', async () => {
    expectConsoleError('Rows of prayers cannot be shown')
    const { server, syncNow } = await show()
    expect(screen.queryByText(/cannot be shown/)).toBeNull()
    server.put('prayers', { ...anna, id: 'ben', resolved: 'perhaps' })
    server.put('prayers', { ...anna, id: 'carl', person_name: 7 })
    await syncNow()
    expect(screen.getByText('2 entries of another version of the app cannot be shown.')).toBeDefined()
    expect(screen.getByText(/^1 prayer and 1 category/)).toBeDefined()
  })

  it('is nothing in a browser that stores nothing', async () => {
    await show({ durable: false })
    expect(screen.getByText(/^Nothing is stored on this device/)).toBeDefined()
  })

  it.each([
    [{ vendor: SAFARI, persisted: true }, /^Safari deletes it when/],
    [{ vendor: SAFARI, persisted: true, installed: true }, /^This browser keeps it/],
    [{ persisted: false }, /runs out of space/],
    [{ persisted: true }, /^This browser keeps it until you sign out/],
  ])('may be deleted by the browser: %o', async (browser, text) => {
    await show(browser)
    expect(screen.getByText(text)).toBeDefined()
  })
})

it('shows what is waiting, and sends it on demand', async () => {
  const { server } = await show({ waiting: true })
  expect(screen.getByText('1 change waiting to be sent.')).toBeDefined()
  server.intercept = () => null
  await press('Send now')
  expect(await screen.findByText('Everything has been sent.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull()
})

describe('a report', () => {
  /** When changes are made (openData). */
  const MADE = Date.parse('2026-11-03T14:05:00Z')
  const MINUTE = 60_000
  const writeText = vi.fn<(text: string) => Promise<void>>()
  const fault = () => failure(500, 'XX000')

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: MADE })
    writeText.mockResolvedValue()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function showWith(server: FakeServer, clipboard: object = { writeText }) {
    vi.stubGlobal('navigator', { vendor: 'Google Inc.', userAgent: 'Browser/1.0', onLine: true, clipboard })
    const data = openData(server)
    const sync = await data.opened
    await sync.syncNow()
    renderWithData(<OnThisDeviceSection />, data)
    await act(async () => {})
    return sync
  }
  const isOffered = () => screen.queryByRole('button', { name: 'Copy a report' }) !== null
  const change = {
    kind: 'update',
    table: 'categories',
    row: 'family',
    fields: { name: 'Kin' },
    base: { name: 'Family' },
  } as const

  function familyServer() {
    const server = new FakeServer()
    server.put('categories', family)
    return server
  }

  it.each([
    ['have been waiting for a day', 24 * 60, connectionLost],
    ['are set aside', 5, fault],
  ])('is offered once changes %s', async (_name, minutes, respond) => {
    const server = familyServer()
    const sync = await showWith(server)
    server.intercept = respond
    const tryLater = async (time: number) => {
      vi.setSystemTime(time)
      await act(() => sync.syncNow())
    }
    await act(() => sync.change(change))
    await tryLater(MADE + minutes * MINUTE)
    expect(isOffered()).toBe(false)
    await tryLater(MADE + minutes * MINUTE + 1)
    expect(isOffered()).toBe(true)
    server.intercept = () => null
    await tryLater(MADE + minutes * MINUTE + 2)
    expect(isOffered()).toBe(false)
  })

  it('contains counts, codes and times, and none of the words, names and ids on the device', async () => {
    const words = Array.from({ length: 50 }, (_, index) => `Qx${String(index)}zw`)
    const next = () => words[(used += 1)] ?? ''
    let used = -1
    const server = new FakeServer()
    const category = sampleCategory({ id: next(), name: next() })
    const prayer = samplePrayer({
      id: next(),
      category_id: category.id,
      person_name: next(),
      note: next(),
      answer: next(),
    })
    server.put('categories', category)
    server.put('prayers', prayer)
    server.put('prayer_updates', sampleUpdate({ id: next(), prayer_id: prayer.id, body: next() }))
    const session = sessionWith(next(), 3600, next())
    const user = { ...session.user, email: `${next()}@${next()}.example`, user_metadata: { name: next() } }
    storeSession({ ...session, user })
    const sync = await showWith(server)
    expectConsoleError('Failed to add prayer')
    server.intercept = ({ method }) => {
      if (method === 'GET') return null
      return method === 'POST' ? failure(400, '23514', next()) : failure(500, next(), next())
    }
    const { rev: _rev, times_prayed: _times, last_prayed_on: _last, ...columns } = prayer
    const fields = { ...columns, id: next(), person_name: next(), note: next() }
    await act(() => sync.change({ kind: 'insert', table: 'prayers', row: fields.id, fields }))
    await act(() => sync.syncNow())
    expect(isOffered()).toBe(true)
    for (const note of [next(), next()]) {
      const base = { note: prayer.note }
      await act(() =>
        sync.change({ kind: 'update', table: 'prayers', row: prayer.id, fields: { note }, base }),
      )
      await act(() => sync.syncNow())
    }
    vi.setSystemTime(MADE + MINUTE)
    expect(used).toBeLessThan(words.length)
    await press('Copy a report')
    const [[report] = ['']] = writeText.mock.calls
    expect(report.split('\n').slice(1)).toEqual([
      'Browser: Browser/1.0',
      expect.stringMatching(/^Columns: categories \d+, prayers \d+, prayer_updates \d+$/),
      'Written: 2026-11-03T14:06:00.000Z',
      'Stored on this device: yes. Installed: no. Network: yes.',
      'Rows: categories 1, prayers 1, prayer_updates 1, not readable 0.',
      'All received: yes. Older than the server: no.',
      'Encryption: off',
      'Waiting: 2, since 2026-11-03T14:05:00.000Z',
      'Last attempt: status 500, code unknown',
      'Could not be saved: 1',
      '- insert in prayers: rejected, code 23514, made 2026-11-03T14:05:00.000Z',
      '',
    ])
    for (const word of words.slice(0, used + 1)) expect(report).not.toContain(word)
    expect(screen.getAllByText('Report copied')).not.toHaveLength(0)
  })

  it('is shown and selected where the browser has no clipboard', async () => {
    const server = familyServer()
    const sync = await showWith(server, {})
    expectConsoleError('Failed to update category')
    server.intercept = ({ method }) => (method === 'GET' ? null : failure(400, '23514'))
    await act(() => sync.change(change))
    await act(() => sync.syncNow())
    await press('Copy a report')
    const field = screen.getByLabelText<HTMLTextAreaElement>('Report')
    expect(document.activeElement).toBe(field)
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).toMatch(/^Version: .*code 23514/s)
  })
})

describe('“Keep nothing on this device”', () => {
  it('is turned on and off', async () => {
    await show()
    await toggle()
    expect(keepNothing().checked).toBe(true)
    expect(isStoredSwitch()).toBe(true)
    await toggle()
    expect(keepNothing().checked).toBe(false)
    expect(isStoredSwitch()).toBe(false)
  })

  it('asks first if changes have not been sent', async () => {
    await show({ waiting: true })
    await toggle()
    expect(screen.getByRole('alertdialog').textContent).toContain('1 change has not been saved')
    await press('Cancel')
    expect(isStoredSwitch()).toBe(false)
    await toggle()
    await press('Delete')
    expect(isStoredSwitch()).toBe(true)
  })

  it('asks first if changes of somebody else have not been sent', async () => {
    localStorage.setItem('intercede-kept-data', '"unsaved-changes"')
    await show()
    await toggle()
    expect(screen.getByRole('alertdialog').textContent).toContain('someone who is not signed in')
    expect(isStoredSwitch()).toBe(false)
  })
})
