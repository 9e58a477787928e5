import { act, screen, within } from '@testing-library/react'
import { array, is, object, parse, string } from 'valibot'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { useCategories } from '#web/data/categories.ts'
import {
  connectionLost,
  FakeServer,
  family,
  openSynced,
  updateOnAnna,
} from '#web/data/user-data.test-data.ts'
import { type Prayer, prayerSchema, usePrayers } from '#web/data/prayers.ts'
import { sampleCategory, samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { press, renderWithData } from '#web/test-rendering.tsx'
import { createPrayItems, type PrayItems, prayedHere } from './pray-items.ts'
import { Today } from './today.tsx'

/** A Sunday. */
const TODAY = '2026-11-22'

const callSchema = object({ prayer_ids: array(string()), prayed_on: string() })

const onBegin = vi.fn<(ids: readonly string[]) => void>()
const onContinue = vi.fn<() => void>()

let server: FakeServer
let items: PrayItems

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: new Date(`${TODAY}T09:00:00Z`) })
  server = new FakeServer()
  server.put('categories', family)
  // As the database functions do it, for prayers that have one day.
  server.intercept = ({ path, body }) => {
    if (!is(callSchema, body)) return null
    const prayer = parse(
      prayerSchema,
      server.tables.prayers.find(({ id }) => id === body.prayer_ids[0]),
    )
    const counted = path === 'rpc/mark_prayed' ? body.prayed_on : null
    server.put('prayers', { ...prayer, last_prayed_on: counted, times_prayed: counted === null ? 0 : 1 })
    return null
  }
  items = createPrayItems('me', localStorage)
})

function put(...prayers: [id: string, given?: Partial<Prayer>][]) {
  for (const [id, given] of prayers) server.put('prayers', samplePrayer({ id, person_name: id, ...given }))
}

function Screen({ unfinished }: { unfinished: { at: number; of: number } | null }) {
  const [prayers, categories] = [usePrayers(), useCategories()]
  return (
    prayers.rows &&
    categories.rows && (
      <Today
        items={items}
        prayers={prayers.rows}
        categories={categories.rows}
        complete={prayers.complete && categories.complete}
        error={null}
        unfinished={unfinished}
        onContinue={onContinue}
        onBegin={onBegin}
      />
    )
  )
}

async function open(unfinished: { at: number; of: number } | null = null, durable = true) {
  const { data, sync } = await openSynced(server, durable)
  const { unmount } = renderWithData(<Screen unfinished={unfinished} />, data)
  await act(async () => {})
  const close = () => {
    unmount()
    sync.close()
  }
  return { sync, close }
}

/** Receives what other devices have changed, and lets the rows that have left close. */
async function receive(sync: { syncNow: () => Promise<unknown> }) {
  await act(() => sync.syncNow())
  await act(async () => {})
}

const advance = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const rowsOf = (title: string) =>
  within(screen.getByRole('list', { name: title }))
    .getAllByRole('listitem')
    .map((row) => [row.querySelector('a'), ...row.querySelectorAll('p')].map((each) => each?.textContent))
const names = () =>
  screen.getAllByRole('listitem').flatMap((row) => row.querySelector('a')?.textContent ?? [])
const circle = (name: string) => screen.getByRole('button', { name: `Mark ${name} as prayed` })
const isTicked = (name: string) => circle(name).getAttribute('aria-pressed') === 'true'
const tick = (name: string) => press(`Mark ${name} as prayed`)
const paragraphs = () => [...document.querySelectorAll('p')].map((each) => each.textContent)

describe('the page', () => {
  it('has the date, a verse, who is planned for today, and who has waited longest', async () => {
    put(
      ['Anna', { due_on: TODAY, note: 'Peace' }],
      ['Ben', { pray_days: 64 }],
      ['Clara', { note: 'A flat', last_prayed_on: '2026-11-03', times_prayed: 4 }],
      ['Dora'],
      ['Emil', { resting_until: '2026-12-01' }],
      ['Fritz', { category_id: 'hidden' }],
    )
    server.put('categories', sampleCategory({ id: 'hidden', is_visible: false, order: 2 }))
    server.put('prayer_updates', { ...updateOnAnna, prayer_id: 'Clara', body: 'They have seen one' })
    await open()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Today')
    expect(screen.getByText('Sunday, 22 November')).toBeDefined()
    expect(screen.getByRole('figure').textContent).toContain('John 15:12')
    expect(rowsOf('For today')).toEqual([
      ['Anna', 'Due today', 'Peace'],
      ['Ben', 'Sundays'],
    ])
    expect(rowsOf('Next in turn')).toEqual([
      ['Dora', 'Not prayed yet'],
      ['Clara', 'Last prayed 3 November', 'They have seen one'],
    ])
    expect(paragraphs()).toContain('2 planned + 2 in turn\u00A0· Change')
    expect(paragraphs()).toContain('1 is paused, 1 is in a hidden category.')
  })

  it('says where the page of each prayer is', async () => {
    put(['Anna'])
    await open()
    expect(screen.getByRole('link', { name: 'Anna' }).getAttribute('href')).toBe('/prayer/Anna')
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Next in turn')
  })

  it('begins a session with those who are left, in their order', async () => {
    put(['Anna'], ['Ben', { pray_days: 64 }], ['Clara'], ['Dora', { due_on: '2026-11-20' }])
    await open()
    await tick('Anna')
    await press('Begin · 3')
    expect(onBegin).toHaveBeenCalledWith(['Ben', 'Dora', 'Clara'])
  })

  it('continues a session that was left, instead of beginning another one', async () => {
    put(['Anna'])
    await open({ at: 4, of: 10 })
    expect(screen.queryByRole('button', { name: /^Begin/ })).toBeNull()
    await press('Continue · 4 of 10')
    expect(onContinue).toHaveBeenCalled()
  })

  it('is the same after coming back: nobody moves up for those who were prayed for or have left', async () => {
    items.settings.set({ number: 5, categoryIds: null })
    put(...['a', 'b', 'c', 'd', 'e', 'f'].map((id): [string] => [id]))
    const { close } = await open()
    await tick('b')
    close()
    server.remove('prayers', 'c')
    await open()
    expect(names()).toEqual(['a', 'b', 'd', 'e'])
    expect(isTicked('b')).toBe(true)
  })

  it('is another one after midnight', async () => {
    items.settings.set({ number: 5, categoryIds: null })
    put(...['a', 'b', 'c', 'd', 'e', 'f'].map((id): [string] => [id]), ['Mo', { pray_days: 1 }])
    await open()
    for (const name of ['a', 'b']) await tick(name)
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e'])
    vi.setSystemTime('2026-11-23T00:00:00Z')
    await advance(60_000)
    expect(screen.getByText('Monday, 23 November')).toBeDefined()
    expect(names()).toEqual(['Mo', 'c', 'd', 'e', 'f', 'a'])
    expect(isTicked('a')).toBe(false)
  })

  it('follows other devices; rows that have moved ignore presses for a moment', async () => {
    put(['Anna'], ['Ben'])
    const { sync } = await open()
    const isIgnoring = () => circle('Ben').closest<HTMLElement>('[style]')?.style.pointerEvents === 'none'
    put(['Ruth', { due_on: TODAY }])
    await receive(sync)
    expect(names()).toEqual(['Ruth', 'Anna', 'Ben'])
    expect(isIgnoring()).toBe(true)
    await advance(790)
    expect(isIgnoring()).toBe(true)
    await advance(20)
    expect(isIgnoring()).toBe(false)
    put(['Anna', { resolved: true }])
    await receive(sync)
    expect(names()).toEqual(['Ruth', 'Ben'])
  })
})

describe('the circle', () => {
  it('records that a prayer was prayed today and takes it back, in its place', async () => {
    put(['Anna'], ['Ben'])
    const { sync } = await open()
    await tick('Anna')
    expect(isTicked('Anna')).toBe(true)
    expect(rowsOf('Next in turn')).toEqual([
      ['Anna', 'Prayed today'],
      ['Ben', 'Not prayed yet'],
    ])
    expect(prayedHere(items)).toEqual([{ id: 'Anna', day: TODAY }])
    await receive(sync)
    expect(isTicked('Anna')).toBe(true)
    await tick('Anna')
    await receive(sync)
    expect(isTicked('Anna')).toBe(false)
    expect(rowsOf('Next in turn')[0]).toEqual(['Anna', 'Not prayed yet'])
    expect(prayedHere(items)).toEqual([])
    expect(server.changes.map(({ path, body }) => [path, body])).toEqual(
      ['rpc/mark_prayed', 'rpc/unmark_prayed'].map((path) => [
        path,
        { prayer_ids: ['Anna'], prayed_on: TODAY },
      ]),
    )
  })

  it('leaves no day that might be wrong: until the server has responded, the last one is not known', async () => {
    put(['Anna', { last_prayed_on: TODAY, times_prayed: 3 }])
    server.intercept = ({ method }) => {
      if (method === 'POST') throw new TypeError('Failed to fetch')
      return null
    }
    await open()
    await tick('Anna')
    expect(isTicked('Anna')).toBe(false)
    expect(rowsOf('Next in turn')).toEqual([['Anna', '']])
  })
})

describe('when everyone was prayed for', () => {
  const done = "You have prayed for everyone on today's page."

  it('says so, and adds as many more as chosen until nobody is left', async () => {
    items.settings.set({ number: 5, categoryIds: null })
    put(...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id): [string] => [id]))
    await open()
    for (const name of ['a', 'b', 'c', 'd']) await tick(name)
    expect(screen.queryByText(done)).toBeNull()
    await tick('e')
    expect(screen.getByText(done).closest('[role=status]')).not.toBeNull()
    expect(screen.queryByRole('button', { name: /^Begin/ })).toBeNull()
    await press('Pray for more')
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    expect(document.activeElement).toBe(circle('f'))
    expect(screen.queryByText(done)).toBeNull()
    for (const name of ['f', 'g']) await tick(name)
    expect(screen.getByText(done)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Pray for more' })).toBeNull()
  })

  it('also says so if all of them were answered meanwhile', async () => {
    items.settings.set({ number: 5, categoryIds: null })
    put(...['a', 'b', 'c', 'd', 'e', 'f'].map((id): [string] => [id]))
    const { sync } = await open()
    put(...['a', 'b', 'c', 'd', 'e'].map((id): [string, Partial<Prayer>] => [id, { resolved: true }]))
    await receive(sync)
    expect(screen.getByText(done)).toBeDefined()
    await press('Pray for more')
    expect(names()).toEqual(['f'])
  })
})

describe('the choice', () => {
  beforeEach(() => {
    server.put('categories', sampleCategory({ id: 'church', name: 'Church', order: 2 }))
    server.put('categories', sampleCategory({ id: 'work', name: 'Work', order: 3 }))
    put(...['a', 'b', 'c', 'd', 'e', 'f'].map((id): [string] => [id]), ['g', { category_id: 'church' }])
  })
  const check = (role: 'radio' | 'checkbox', name: string) =>
    act(async () => screen.getByRole(role, { name }).click())

  it('shows on the page at once, keeps who was prayed for, and is remembered', async () => {
    const { close } = await open()
    await tick('d')
    await press('Change')
    await check('radio', '5')
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e'])
    await check('checkbox', 'Church')
    expect(names()).toEqual(['g'])
    await press('Done')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(paragraphs()).toContain('1 in turn from Church\u00A0· Change')
    expect(paragraphs()).toContain('6 are in other categories.')
    close()
    await open()
    expect(names()).toEqual(['g'])
  })

  it.each([
    [{ number: 'all', categoryIds: null }, '7 in turn'],
    [{ number: 5, categoryIds: ['church', 'family'] }, '5 in turn from Family and Church'],
    [{ number: 20, categoryIds: ['church', 'family', 'work'] }, '7 in turn from 3 categories'],
    [{ number: 20, categoryIds: ['gone'] }, '7 in turn'],
    [{ number: 20, categoryIds: ['work'] }, 'Nobody in turn from Work'],
  ] as const)('of %j is called “%s”', async ({ number, categoryIds }, text) => {
    items.settings.set({ number, categoryIds: categoryIds && [...categoryIds] })
    await open()
    expect(paragraphs()).toContain(`${text}\u00A0· Change`)
  })

  it('gives categories days, and their places to others, when the sheet is closed', async () => {
    items.settings.set({ number: 5, categoryIds: null })
    put(['a', { due_on: TODAY }], ['h', { category_id: 'church' }])
    const { sync } = await open()
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    await press('Change')
    await press('Family Every day')
    await press('Monday')
    await press('Thursday')
    expect(screen.getByRole('button', { name: 'Family Mondays and Thursdays' })).toBeDefined()
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    await press('Church Every day')
    expect(screen.getAllByRole('group', { name: 'Days of the week' })).toHaveLength(1)
    await press('Monday')
    await press('Monday')
    await press('Done')
    expect(names()).toEqual(['a', 'g', 'h'])
    expect(paragraphs()).toContain('5 are in categories for other days.')
    await receive(sync)
    expect(server.changes).toEqual([
      { method: 'PATCH', path: 'categories', body: { pray_days: 9, updated_at: expect.any(String) } },
    ])
  })

  it('gives no places to others if the days could not be saved', async () => {
    expectConsoleError('Failed to update category')
    items.settings.set({ number: 5, categoryIds: null })
    const { sync } = await open(null, false)
    server.remove('prayers', 'c')
    await receive(sync)
    expect(names()).toEqual(['a', 'b', 'd', 'e'])
    server.intercept = connectionLost
    await press('Change')
    await press('Family Every day')
    await press('Monday')
    await press('Done')
    expect(names()).toEqual(['a', 'b', 'd', 'e'])
  })

  it('can be of categories without anybody to pray for', async () => {
    items.settings.set({ number: 10, categoryIds: ['work'] })
    await open()
    expect(screen.getByText('There is nobody to pray for in these categories today.')).toBeDefined()
    expect(screen.queryByText(/You have prayed for everyone/)).toBeNull()
  })
})

describe('without prayers', () => {
  it('offers categories, and then to add someone', async () => {
    server.remove('categories', 'family')
    await open()
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull()
    await press('Friends')
    expect(server.changes).toMatchObject([{ path: 'categories', body: { name: 'Friends' } }])
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Add Your First Prayer' }))
  })

  it('says why nobody is there if all of them are left out', async () => {
    put(['Anna', { resolved: true }], ['Ben', { resting_until: '2026-12-01' }])
    await open()
    expect(screen.getByText(/^There is nothing to pray for at the moment/)).toBeDefined()
    expect(screen.getByRole('link', { name: 'See your prayers' })).toBeDefined()
    expect(paragraphs()).toContain('1 is paused.')
  })
})
