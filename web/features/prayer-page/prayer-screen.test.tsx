import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makePrayerKey } from '#web/data/encryption.ts'
import { anna, connectionLost, FakeServer, family, openSynced } from '#web/data/user-data.test-data.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { sampleUpdate } from '#web/data/sample-rows.test-data.ts'
import { deleteDraft, readDrafts, saveDraft } from '#web/lib/storage/drafts.ts'
import { updateDraftSchema } from '#web/features/prayer-parts/update-form.tsx'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { PrayerScreen } from './prayer-screen.tsx'

const NEW = 'What is new?'

let server: FakeServer

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00') })
  server = new FakeServer()
  server.put('categories', family)
})

async function show(given: Partial<Prayer> = {}, id = 'anna') {
  server.put('prayers', { ...anna, ...given })
  const { data, sync } = await openSynced(server)
  // The server of these tests has no functions.
  server.intercept = ({ path }) => (path.startsWith('rpc/') ? connectionLost() : null)
  renderWithData(<PrayerScreen id={id} />, data)
  await act(async () => {})
  return {
    sync,
    prayer: () => sync.rows('prayers')[0],
    bodies: () => sync.rows('prayer_updates').map(({ body }) => body),
  }
}
const text = () => document.body.textContent
const entries = () => screen.getAllByRole('listitem').map((item) => item.textContent)
const announced = () => screen.getAllByRole('status').map((status) => status.textContent)

it('shows the category, the name, when to pray, and the whole note with its links', async () => {
  const note = `See https://example.org/anna\n${'word '.repeat(500)}end`
  await show({ note, due_on: '2026-11-26', pray_days: 64 })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Anna')
  expect(document.title).toBe('Prayer · Intercede')
  expect(text()).toContain('FamilyAnnaSundays\u00a0· Due Thursday, 26 November')
  expect(screen.getByRole('link', { name: 'https://example.org/anna' })).toBeDefined()
  expect(text()).toContain('word end')
  expect(text()).not.toContain('Hidden category')
  expect(screen.getByRole('link', { name: 'Family' }).getAttribute('href')).toBe('/dashboard#family')
})

it('shares the newest update instead of an older note', async () => {
  server.put(
    'prayer_updates',
    sampleUpdate({ prayer_id: 'anna', body: 'She is home', created_at: '2026-11-20T12:00:00Z' }),
  )
  await show({ note: 'The operation', created_at: '2026-11-02T12:00:00Z' })
  await press('Share')
  expect(screen.getByLabelText('Text')).toHaveProperty('value', 'Please pray for Anna: She is home')
})

it('shows a prayer that is paused in a hidden category', async () => {
  server.put('categories', { ...family, is_visible: false })
  await show({ resting_until: '2026-12-03' })
  expect(text()).toContain('Family · Hidden categoryAnnaPaused until 3 December')
  expect(screen.queryByRole('link', { name: 'Family' })).toBeNull()
})

it('says that an unknown prayer is not here any more, and leads back', async () => {
  await show({}, 'unknown')
  expect(text()).toContain('This prayer is no longer here.')
  expect(text()).toContain('It may have been deleted on another device.')
  expect(screen.getByRole('link', { name: 'Back to your prayers' }).getAttribute('href')).toBe('/dashboard')
})

it('keeps what was typed when the prayer is deleted elsewhere', async () => {
  const { sync } = await show()
  await press('Add an update')
  enter(NEW, 'She is home')
  server.remove('prayers', 'anna')
  await act(() => sync.syncNow())
  expect(text()).toContain('This prayer was deleted.')
  expect(screen.getByLabelText(NEW)).toHaveProperty('value', 'She is home')
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
})

it('keeps what another device changes while the prayer is edited', async () => {
  const { sync, prayer } = await show({ note: 'An operation' })
  await press('Edit')
  server.put('prayers', { ...anna, note: 'Home again', due_on: '2026-12-01' })
  await act(() => sync.syncNow())
  enter('Name', 'Anna Maria')
  await press('Update Prayer')
  await act(() => sync.syncNow())
  expect(prayer()).toMatchObject({ person_name: 'Anna Maria', note: 'Home again', due_on: '2026-12-01' })
})

it('keeps what another device has changed since the draft that is brought back was typed', async () => {
  const { sync, prayer, bodies } = await show({ note: 'An operation' })
  await press('Edit')
  enter('Name', 'Anna Maria')
  enter('Prayer Details (Optional)', 'An operation on Monday')
  fireEvent.click(screen.getByLabelText('Mark as resolved'))
  await press('Close')
  const theirs = { note: 'Home again', resolved: true, answered_on: '2026-11-10', due_on: '2026-12-01' }
  server.put('prayers', { ...anna, ...theirs })
  await act(() => sync.syncNow())
  await press('Edit')
  await press('Bring it back')
  await press('Update Prayer')
  await act(() => sync.syncNow())
  expect(prayer()).toMatchObject({ ...theirs, person_name: 'Anna Maria' })
  expect(bodies()).toEqual([expect.stringContaining('An operation on Monday')])
})

it('says which texts are not encrypted in an encrypted account, and encrypts one as it is shown when asked to', async () => {
  server.put('prayers', anna)
  const { data, sync } = await openSynced(server)
  await (await sync.encryption()).begin(await makePrayerKey())
  await sync.syncNow()
  server.put('prayers', { ...anna, note: 'Pemberley', resolved: true, answer: 'Quince' })
  server.put('prayer_updates', sampleUpdate({ id: 'news', prayer_id: 'anna', body: 'Fandango' }))
  await sync.syncNow()
  renderWithData(
    <main>
      <PrayerScreen id="anna" />
    </main>,
    data,
  )
  await act(async () => {})
  expect(text().match(/Pemberley|Quince|Fandango|Anna|Not encryptedEncrypt it/g)).toEqual(
    ['Anna', 'Pemberley', 'Quince', 'Fandango'].flatMap((each) => [each, 'Not encryptedEncrypt it']),
  )
  for (const about of ['name', 'note', 'answer', 'update of Sunday, 1 February']) {
    await press(`Encrypt it: the ${about}`)
    expect(announced()).toContain('Encrypted')
    expect(document.activeElement).not.toBe(document.body)
  }
  expect(text()).not.toContain('Not encrypted')
  await act(() => sync.syncNow())
  expect(text()).not.toContain('Not encrypted')
  expect(JSON.stringify(server.tables)).not.toMatch(/Anna|Pemberley|Quince|Fandango/)
})

describe('“Prayed today”', () => {
  const toggle = () => screen.getByRole('button', { name: 'Prayed today' })

  it('records today, and takes it back', async () => {
    const { prayer } = await show()
    expect(toggle().getAttribute('aria-pressed')).toBe('false')
    await press('Prayed today')
    expect(toggle().getAttribute('aria-pressed')).toBe('true')
    expect(prayer()).toMatchObject({ last_prayed_on: '2026-11-22', times_prayed: 1 })
    expect(entries()).toEqual(['Prayed once, last on 22 November', 'Added 1 January'])
    await press('Prayed today')
    expect(toggle().getAttribute('aria-pressed')).toBe('false')
    expect(entries()).toEqual(['Added 1 January'])
  })
})

describe('answering', () => {
  it('is announced like everywhere, and undone', async () => {
    const { prayer } = await show()
    // What is announced stays.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() })
    await press('Answered')
    expect(announced()).toContain('Anna: answered')
    // In the announcement, and beside the entry.
    expect(screen.getAllByRole('button', { name: 'Record answer' })).toHaveLength(2)
    expect(entries()).toEqual(['Answered 22 November', 'Added 1 January'])
    await press('Undo')
    expect(prayer()).toMatchObject({ resolved: false })
  })

  it('is taken back by “Reopen”, which keeps the answer', async () => {
    const { prayer } = await show({ resolved: true, answered_on: '2026-11-10', answer: 'Home again!' })
    expect(entries()).toEqual(['Answered 10 NovemberHome again!', 'Added 1 January'])
    await press('Reopen')
    expect(prayer()).toMatchObject({ resolved: false, answer: null })
    expect(entries()).toEqual(['Answered 10 November, reopenedHome again!', 'Added 1 January'])
  })
})

describe('updates', () => {
  it('are added at the top, changed and deleted', async () => {
    server.put('prayer_updates', sampleUpdate({ prayer_id: 'anna', body: 'In hospital' }))
    const { bodies } = await show()
    await press('Add an update')
    expect(document.activeElement).toBe(screen.getByLabelText(NEW))
    enter(NEW, 'She is home')
    await press('Add')
    expect(announced()).toContain('Update added')
    expect(document.activeElement?.textContent).toBe('Add an update')
    expect(entries()).toEqual(['TodayShe is home', '1 FebruaryIn hospital', 'Added 1 January'])

    await press('Edit update of Sunday, 1 February')
    enter('Update of Sunday, 1 February', 'In hospital for a week')
    await press('Save')
    expect(bodies()).toEqual(['She is home', 'In hospital for a week'])
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit update of Sunday, 1 February')

    await press('Delete update of Sunday, 1 February')
    await press('Delete', screen.getByRole('alertdialog'))
    expect(bodies()).toEqual(['She is home'])
    expect(announced()).toContain('Update deleted')
  })

  it('are not added without a text', async () => {
    await show()
    await press('Add an update')
    await press('Add')
    expect(screen.getByRole('alert').textContent).toBe('Please enter an update')
    expect(document.activeElement).toBe(screen.getByLabelText(NEW))
  })

  it('begin with what was typed and not saved, which is then forgotten', async () => {
    saveDraft(['new-update', 'anna', 'first'], {
      id: 'first',
      prayer_id: 'anna',
      update_id: null,
      body: 'She is home',
    })
    const { bodies } = await show()
    expect(screen.getByLabelText(NEW)).toHaveProperty('value', 'She is home')
    await press('Add')
    await press('Add an update')
    expect(screen.getByLabelText(NEW)).toHaveProperty('value', '')
    enter(NEW, 'She is well')
    await press('Add')
    expect(bodies().toSorted()).toEqual(['She is home', 'She is well'])
  })

  it('are offered again after “Cancel”', async () => {
    await show()
    await press('Add an update')
    enter(NEW, 'She is home')
    await press('Cancel')
    await press('Add an update')
    expect(screen.getByLabelText(NEW)).toHaveProperty('value', '')
    await press('Bring it back')
    expect(screen.getByLabelText(NEW)).toHaveProperty('value', 'She is home')
    for (const { name } of readDrafts(['new-update', 'anna'], updateDraftSchema)) deleteDraft(name)
  })

  it('that were being changed are changed further, also if they are read after the prayers', async () => {
    server.put('prayers', anna)
    server.put('prayer_updates', sampleUpdate({ id: 'update', prayer_id: 'anna' }))
    saveDraft(['update', 'update', 'd'], {
      id: 'd',
      prayer_id: 'anna',
      update_id: 'update',
      body: 'She is at home',
    })
    const { data, sync } = await openSynced(server)
    let isRead = false
    const none: readonly never[] = []
    const later: typeof sync = {
      ...sync,
      rows: (table) => (isRead || table !== 'prayer_updates' ? sync.rows(table) : none),
      hasRead: (table) => isRead || table !== 'prayer_updates',
    }
    renderWithData(<PrayerScreen id="anna" />, { ...data, sync: () => later })
    isRead = true
    await act(() => sync.syncNow())
    expect(screen.queryByLabelText(NEW)).toBeNull()
    expect(screen.getByLabelText(/^Update of/)).toHaveProperty('value', 'She is at home')
    await press('Save')
    expect(sync.rows('prayer_updates').map(({ body }) => body)).toEqual(['She is at home'])
  })

  it('that were being changed become new ones if they do not exist any more', async () => {
    const draft = { id: 'd', prayer_id: 'anna', update_id: 'gone', body: 'She is at home' }
    saveDraft(['update', 'gone', 'd'], draft)
    const { bodies } = await show()
    await press('Add')
    expect(bodies()).toEqual(['She is at home'])
  })
})

it('highlights the entry that the URL names, and scrolls to it', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  history.replaceState(null, '', '#update')
  server.put('prayer_updates', sampleUpdate({ id: 'update', prayer_id: 'anna' }))
  await show()
  const highlighted = document.querySelector('[data-highlighted]')
  expect(highlighted?.textContent).toContain('Surgery went well')
  // By which the screen moves the focus to it.
  expect(highlighted?.id).toBe('update')
  expect(scroll.mock.contexts).toEqual([highlighted])
  history.replaceState(null, '', '/')
})

describe('deleting', () => {
  /** In the menu, which jsdom cannot open: its items are there as soon as it begins to. */
  const pressDelete = () => {
    const menu = document.querySelector('[popover]') ?? document.body
    fireEvent(menu, Object.assign(new Event('beforetoggle'), { newState: 'open' }))
    fireEvent.click(screen.getByRole('menuitem', { name: 'Delete', hidden: true }))
  }

  it.each([
    ['the dashboard if the page was opened by a link', null, '/dashboard'],
    ['the screen from which the page was opened', { openedHere: true }, '/search'],
  ])('asks first, and then leads to %s', async (_, state, path) => {
    history.replaceState(null, '', '/search')
    history.pushState(state, '', '/prayer/anna')
    const { prayer } = await show()
    pressDelete()
    expect(screen.getByRole('alertdialog').textContent).toContain('Delete the prayer for Anna')
    await press('Cancel')
    expect(prayer()).toBeDefined()
    pressDelete()
    await press('Delete', screen.getByRole('alertdialog'))
    expect(prayer()).toBeUndefined()
    expect(announced()).toContain('Prayer deleted')
    await expect.poll(() => location.pathname).toBe(path)
    history.replaceState(null, '', '/')
  })
})
