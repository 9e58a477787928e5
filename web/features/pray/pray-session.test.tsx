import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { connectionLost, FakeServer, family, openSynced } from '#web/data/user-data.test-data.ts'
import { sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { startSession } from '#web/lib/session/session.ts'
import { writeStoredSession } from '#web/lib/session/stored-session.ts'
import { deleteUserItems } from '#web/lib/storage/user-items.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { startClosingOnBack } from '#web/ui/close-on-back.ts'
import { PrayScreen } from './pray-screen.tsx'

const NEW = 'What is new?'
const ANSWER = 'How was it answered?'

let server: FakeServer

beforeEach(async () => {
  // A Sunday.
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
    now: new Date('2026-11-22T21:00:00Z'),
  })
  // jsdom cannot scroll.
  vi.spyOn(globalThis, 'scrollTo').mockReturnValue(undefined)
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }))
  await startSession()
  writeStoredSession(JSON.stringify(sessionWith('token', 30 * 86_400)))
  server = new FakeServer()
  server.put('categories', family)
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  dispatchEvent(new Event('pageshow'))
})

function put(...names: string[]) {
  for (const name of names) server.put('prayers', samplePrayer({ id: name, person_name: name }))
}

/** Opens today's page, as after a reload. */
async function open() {
  const { data, sync } = await openSynced(server)
  // The server of these tests has no functions.
  server.intercept = ({ path }) => (path.startsWith('rpc/') ? connectionLost() : null)
  const { unmount } = renderWithData(<PrayScreen />, data)
  await act(async () => {})
  const close = () => {
    unmount()
    sync.close()
  }
  return { sync, close, rows: () => sync.rows('prayers') }
}

const title = () => screen.getByRole('heading', { level: 1 }).textContent
const position = () => screen.getByText(/^\d+ of \d+$/).textContent
const text = () => document.body.textContent
const key = (name: string, init: KeyboardEventInit = {}) =>
  act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: name, ...init }))

describe('a session', () => {
  it('shows one prayer in a quiet layout, with its category, why it is planned, and links', async () => {
    const note = 'See https://example.org/news'
    server.put('prayers', samplePrayer({ id: 'Anna', person_name: 'Anna', note, pray_days: 127 }))
    await open()
    await press('Begin · 1')
    expect(document.querySelector('[data-quiet]')).not.toBeNull()
    expect(screen.getByRole('article').textContent).toBe(`FamilyAnnaEvery day${note}`)
    expect(screen.getByRole('link', { name: 'https://example.org/news' })).toBeDefined()
  })

  it('goes on with its keys, which are text where something is typed, and press a focused button first', async () => {
    put('Anna', 'Ben', 'Clara', 'Dora')
    const { sync, rows } = await open()
    await press('Begin · 4')
    const names = [title()]
    for (const name of [' ', 'Enter', 's']) {
      await key(name)
      expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
      names.push(title())
    }
    expect(names).toEqual(['Anna', 'Ben', 'Clara', 'Dora'])
    await key('ArrowLeft')
    expect([title(), text()]).toEqual(['Clara', expect.stringContaining('Skipped')])
    screen.getByRole('button', { name: 'Skip' }).focus()
    await key(' ')
    expect(title()).toBe('Clara')
    await key('u')
    enter(NEW, 'She can walk again')
    for (const name of ['s', 'a', ' ', 'ArrowRight']) await key(name)
    expect(title()).toBe('Clara')
    await key('Enter', { ctrlKey: true })
    expect(screen.getByRole('article').textContent).toContain('She can walk again')
    expect(sync.rows('prayer_updates')).toMatchObject([{ prayer_id: 'Clara', body: 'She can walk again' }])
    await key('ArrowRight')
    await key('ArrowRight')
    expect(text()).toContain('You prayed for 4 people.')
    expect(rows().map(({ times_prayed }) => times_prayed)).toEqual([1, 1, 1, 1])
  })

  it('stays with a person whose prayer is answered until that is written down, left for later or undone', async () => {
    put('Anna', 'Ben', 'Clara')
    const { rows } = await open()
    await press('Begin · 3')
    vi.stubGlobal('matchMedia', () => ({ matches: true }))
    await key('a')
    expect(text()).toContain('Thanks be to God.')
    expect(title()).toBe('Anna')
    expect(document.activeElement).toBe(screen.getByLabelText(ANSWER))
    enter(ANSWER, 's a u: keys typed here are text')
    for (const name of ['s', 'a', 'u']) await key(name)
    await key('Enter', { ctrlKey: true })
    expect(title()).toBe('Ben')
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))

    await press('Answered')
    await press('Undo')
    expect(screen.getByRole('button', { name: 'Prayed' })).toBeDefined()
    expect(title()).toBe('Ben')
    await press('Answered')
    enter(ANSWER, 'Not quite')
    await press('Later')
    expect(title()).toBe('Clara')
    await press('Done')
    expect(screen.getByRole('button', { name: 'Continue · 3 of 3' })).toBeDefined()
    const answerOf = ({ id, resolved, answer }: Prayer) => [id, [resolved, answer]]
    expect(Object.fromEntries(rows().map(answerOf))).toEqual({
      Anna: [true, 's a u: keys typed here are text'],
      Ben: [true, null],
      Clara: [false, null],
    })
  })

  it('keeps an update that is being typed when another device hides the category and deletes the prayer', async () => {
    put('Anna')
    const { sync } = await open()
    await press('Begin · 1')
    server.put('categories', { ...family, is_visible: false })
    await act(() => sync.syncNow())
    expect(screen.getByRole('article').textContent).toContain('Family')
    await press('Add an update')
    enter(NEW, 'She can walk again')
    server.remove('prayers', 'Anna')
    await act(() => sync.syncNow())
    expect(text()).toContain('This prayer was deleted.')
    expectConsoleError('Failed to add update')
    await press('Add', screen.getByRole('dialog'))
    expect(screen.getByRole('alert').textContent).toBe('Prayer not found')
    expect(screen.getByLabelText(NEW)).toHaveProperty('value', 'She can walk again')
  })

  it('in a browser that stores nothing, stays at a prayer that cannot be saved, and counts it once it is', async () => {
    put('Anna')
    const { data } = await openSynced(server, false)
    renderWithData(<PrayScreen />, data)
    await act(async () => {})
    await press('Begin · 1')
    const shownError = () => screen.getByRole('alert').textContent
    server.intercept = connectionLost
    expectConsoleError('Failed to mark prayers as prayed')
    await press('Prayed')
    await expect.poll(shownError).toContain('Failed to mark prayers as prayed')
    expectConsoleError('Failed to update prayer')
    await press('Answered')
    await expect.poll(shownError).toContain('Failed to update prayer')
    expect(screen.getByRole('button', { name: 'Prayed' })).toBeDefined()
    expect(screen.getByRole('article').textContent).not.toContain('Answered')
    server.intercept = () => null
    await press('Prayed')
    await expect.poll(text).toContain('You prayed for 1 person.')
    expect(server.tables.prayers).toMatchObject([{ resolved: false, times_prayed: 1 }])
  })

  it('is continued where it was left, by Esc, “back” or a reload, and forgotten with the user', async () => {
    const stop = startClosingOnBack()
    put('Anna', 'Ben', 'Clara', 'Dora', 'Emil')
    const { close } = await open()
    await press('Begin · 5')
    await press('Prayed')
    await press('Skip')
    expect(title()).toBe('Clara')
    close()
    await open()
    await press('Continue · 3 of 5')
    expect(title()).toBe('Clara')
    await key('Escape')
    expect(title()).toBe('Today')
    await press('Continue · 3 of 5')
    act(() => {
      history.replaceState(null, '')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    stop()
    expect(screen.getByRole('button', { name: 'Continue · 3 of 5' })).toBeDefined()
    const kept = () => Object.keys(localStorage).filter((name) => name.includes('pray'))
    expect(kept()).not.toEqual([])
    deleteUserItems('ruth')
    expect(kept()).toEqual([])
  })

  it('counts prayers for the new day after midnight, and leaves out those planned for the day before', async () => {
    put('Anna')
    for (const name of ['Ben', 'Clara', 'Dora'])
      server.put('prayers', samplePrayer({ id: name, person_name: name, pray_days: 64 }))
    const { rows } = await open()
    await press('Begin · 4')
    expect([title(), position()]).toEqual(['Ben', '1 of 4'])
    await press('Prayed')
    expect(title()).toBe('Clara')
    await act(() => vi.advanceTimersByTimeAsync(4 * 3_600_000))
    expect([title(), position()]).toEqual(['Clara', '2 of 3'])
    await press('Prayed')
    expect(title()).toBe('Anna')
    await press('Done')
    // A session is continued on its day only.
    expect(screen.getByRole('button', { name: /^(?:Begin|Continue)/ }).textContent).toBe('Begin · 1')
    const lastDay = ({ id, last_prayed_on }: Prayer) => [id, last_prayed_on]
    expect(Object.fromEntries(rows().map(lastDay))).toEqual({
      Anna: null,
      Ben: '2026-11-22',
      Clara: '2026-11-23',
      Dora: null,
    })
  })
})
