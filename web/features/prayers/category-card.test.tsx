import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { withData } from '#web/data/user-data.test-data.ts'
import type { Prayer } from '#web/data/prayers.ts'
import type { UserData } from '#web/data/rows.ts'
import { samplePrayer, samplePrayers } from '#web/data/sample-rows.test-data.ts'
import { createUserData } from '#web/data/user-data.tsx'
import { CategoryCard } from './category-card.tsx'

const anna = samplePrayer({ id: 'anna', person_name: 'Anna' })
const ben = samplePrayer({ id: 'ben', person_name: 'Ben', note: 'a new job' })
const cora = samplePrayer({ id: 'cora', person_name: 'Cora', resolved: true })
const annaResolved = { ...anna, resolved: true }

const family = { id: 'family', name: 'Family' }
/** Of a user who has just signed in. */
const newData = () => createUserData('me', new Promise(() => {}))
let data: UserData
const onAdd = vi.fn()
const onResolve = vi.fn()
const onEdit = vi.fn()
const onDelete = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  data = newData()
})

function show(prayers: readonly Prayer[], complete = true) {
  const card = (shown: readonly Prayer[]) => (
    <CategoryCard
      category={family}
      prayers={shown}
      today="2026-01-02"
      complete={complete}
      printing={false}
      onAdd={onAdd}
      onResolve={onResolve}
      onEdit={onEdit}
      onDelete={onDelete}
    />
  )
  const { rerender, unmount } = render(card(prayers), withData(data))
  return { change: (shown: readonly Prayer[]) => rerender(card(shown)), unmount }
}

const advance = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const nameOf = (row: Element) => row.querySelector('p')?.textContent
// By text and label, because looking for a role takes seconds with so many rows on a busy machine.
const rows = () => [...document.querySelectorAll('li')]
const names = () => rows().map(nameOf)
const button = (name: string) => screen.getByText(name, { selector: 'button' })
const queryButton = (name: string | RegExp) => screen.queryByText(name, { selector: 'button' })
const iconButton = (name: string) => screen.getByLabelText(name, { selector: 'button' })
const press = (name: string) => fireEvent.click(queryButton(name) ?? iconButton(name))
const focusedRow = () => document.activeElement?.closest('li')

describe('the rows', () => {
  it('are the open prayers, in the order of the list', () => {
    show([anna, cora, ben])
    expect(names()).toEqual(['Anna', 'Ben'])
    expect(screen.getByText('a new job')).toBeDefined()
  })

  it('are highlighted when they have just been resolved, until that is taken back', () => {
    const highlighted = () => document.querySelectorAll('li .bg-gold-soft:has(button)').length
    const { change } = show([anna])
    expect(highlighted()).toBe(0)
    change([annaResolved])
    expect(highlighted()).toBe(1)
    change([anna])
    expect(highlighted()).toBe(0)
  })

  it('call back with the prayer whose button was pressed, which is named after it for voice control', () => {
    show([anna, cora])
    press('Show Resolved (1)')
    press('Mark as resolved for Anna')
    press('Mark as unresolved for Cora')
    press('Edit prayer for Anna')
    press('Delete prayer for Cora')
    press('Add Prayer')
    expect(onResolve.mock.calls).toEqual([
      [anna, true],
      [cora, false],
    ])
    expect(onEdit).toHaveBeenCalledWith(anna)
    expect(onDelete).toHaveBeenCalledWith(cora)
    expect(onAdd).toHaveBeenCalledWith(family)
  })

  it('lead to their page by their name, and by their other texts', () => {
    show([ben])
    expect(screen.getByRole('link', { name: 'Ben' }).getAttribute('href')).toBe(`/prayer/${ben.id}`)
    fireEvent.click(screen.getByText('a new job'))
    expect(location.pathname).toBe(`/prayer/${ben.id}`)
    history.replaceState(null, '', '/')
  })
})

describe('resolved prayers', () => {
  it('are shown with their badge on demand, also after returning from another screen, and hidden again', () => {
    const { unmount } = show([anna, cora])
    press('Show Resolved (1)')
    unmount()
    const { change } = show([anna, cora])
    expect(names()).toEqual(['Anna', 'Cora'])
    expect(within(screen.getByRole('list', { name: 'Resolved prayers' })).getByText('Cora')).toBeDefined()
    expect(screen.getByText('Resolved')).toBeDefined()
    expect(screen.getByTitle('Mark as unresolved')).toBeDefined()
    press('Hide Resolved (1)')
    expect(button('Show Resolved (1)')).toBeDefined()
    change([anna])
    expect(queryButton(/Resolved \(/)).toBeNull()
  })

  it('are hidden again after signing out', () => {
    const { unmount } = show([anna, cora])
    press('Show Resolved (1)')
    unmount()
    data = newData()
    show([anna, cora])
    expect(names()).toEqual(['Anna'])
  })

  it('stay in place for a moment, then disappear', async () => {
    const { change } = show([anna, ben])
    change([annaResolved, ben])
    await advance(1400)
    expect(names()).toEqual(['Anna', 'Ben'])
    await advance(200)
    expect(names()).toEqual(['Ben'])
  })

  it('move below the open ones after that moment, if they are shown', async () => {
    const { change } = show([anna, ben, cora])
    press('Show Resolved (1)')
    change([annaResolved, ben, cora])
    expect(names()).toEqual(['Anna', 'Ben', 'Cora'])
    await advance(1600)
    expect(names()).toEqual(['Ben', 'Anna', 'Cora'])
  })

  it('stay if they are reopened within that moment', async () => {
    const { change } = show([anna, ben])
    change([annaResolved, ben])
    await advance(500)
    change([{ ...anna }, ben])
    await advance(2000)
    expect(names()).toEqual(['Anna', 'Ben'])
  })

  it('let no other row be pressed in their place until 500 ms after they have left', async () => {
    const dora = samplePrayer({ id: 'dora', person_name: 'Dora' })
    const ignoringPresses = () => rows().filter((row) => row.style.pointerEvents === 'none')
    const { change } = show([anna, ben, dora])
    change([anna, { ...ben, resolved: true }, dora])
    await advance(1400)
    expect(ignoringPresses()).toEqual([])
    await advance(100)
    expect(names()).toEqual(['Anna', 'Dora'])
    expect(ignoringPresses().map(nameOf)).toEqual(['Dora'])
    await advance(490)
    expect(ignoringPresses().map(nameOf)).toEqual(['Dora'])
    await advance(20)
    expect(ignoringPresses()).toEqual([])
  })
})

describe('more than 25 prayers', () => {
  const open = samplePrayers(30, 'Open')
  const resolved = samplePrayers(27, 'Resolved', { resolved: true })

  it.each([
    ['Show all (30)', 30 + 25, 'Open 26', 'All 30 prayers are shown'],
    ['Show all resolved (27)', 25 + 27, 'Resolved 26', 'All 27 resolved prayers are shown'],
  ])('after "%s", are shown and announced, with the focus on the first new row', (name, count, row, text) => {
    show([...open, ...resolved])
    expect(names()).toEqual(open.slice(0, 25).map((prayer) => prayer.person_name))
    expect(queryButton('Show all resolved (27)')).toBeNull()
    press('Show Resolved (27)')
    expect(names()).toHaveLength(50)
    press(name)
    expect(names()).toHaveLength(count)
    expect(queryButton(name)).toBeNull()
    expect(focusedRow()?.textContent).toContain(row)
    expect(screen.getByText(text, { selector: '[role=status]' })).toBeDefined()
    press('Hide Resolved (27)')
    press('Show Resolved (27)')
    expect(queryButton('Show all resolved (27)') === null).toBe(name === 'Show all resolved (27)')
  })

  it('need no button up to 25', () => {
    show([...open.slice(0, 25), ...resolved.slice(0, 25)])
    press('Show Resolved (25)')
    expect(names()).toHaveLength(50)
    expect(queryButton(/Show all/)).toBeNull()
  })

  it('are described by the heading of their card', () => {
    show(open)
    expect(button('Show all (30)').getAttribute('aria-describedby')).toBe(
      screen.getByRole('heading', { name: 'Family' }).id,
    )
  })
})

it('renders its rows when it comes near the visible area', () => {
  let intersect: (entries: object[]) => void = () => {}
  class FakeObserver {
    constructor(callback: typeof intersect) {
      intersect = callback
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', FakeObserver)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 10_000, 400, 300))
  show([anna, ben])
  expect(button('Add Prayer')).toBeDefined()
  expect(names()).toEqual([])
  act(() => intersect([{ isIntersecting: true }]))
  expect(names()).toEqual(['Anna', 'Ben'])
})

describe('a card without rows', () => {
  it.each([
    ['that there are no prayers yet', [], true, 'No prayers yet'],
    ['that all its prayers are resolved', [cora], true, 'All answered'],
    ['that prayers are loading until all have been received', [], false, 'Loading prayers...'],
  ])('shows %s', (_, prayers, complete, text) => {
    show(prayers, complete)
    const texts = ['No prayers yet', 'All answered', 'Loading prayers...']
    expect(texts.filter((each) => screen.queryByText(each))).toEqual([text])
  })

  it('invites to add a prayer 500 ms after the last one was removed', async () => {
    const { change } = show([anna])
    change([])
    await advance(499)
    expect(screen.queryByText('No prayers yet')).toBeNull()
    await advance(2)
    expect(screen.getByText('Add your first prayer and start making a difference')).toBeDefined()
  })
})

it('moves the focus from a removed row to the same button of the next one, and at last to “Add Prayer”', async () => {
  const { change } = show([anna, ben])
  act(() => iconButton('Delete prayer for Anna').focus())
  change([ben])
  await advance(0)
  expect(document.activeElement).toBe(iconButton('Delete prayer for Ben'))
  change([])
  await advance(0)
  expect(document.activeElement).toBe(button('Add Prayer'))
})
