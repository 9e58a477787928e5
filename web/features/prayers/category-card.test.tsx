import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Prayer } from '#web/data/prayers.ts'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { CategoryCard } from './category-card.tsx'

const anna = samplePrayer({ id: 'anna', person_name: 'Anna' })
const ben = samplePrayer({ id: 'ben', person_name: 'Ben', note: 'a new job' })
const cora = samplePrayer({ id: 'cora', person_name: 'Cora', resolved: true })

/** What a user has chosen to see is kept by the id of the category: each test has another one. */
let family = { id: 'family', name: 'Family' }
let tests = 0
const onAdd = vi.fn()
const onResolve = vi.fn()
const onEdit = vi.fn()
const onDelete = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  tests += 1
  family = { id: `family ${tests}`, name: 'Family' }
})
afterEach(() => void vi.useRealTimers())

function card(prayers: readonly Prayer[], complete = true) {
  return (
    <CategoryCard
      category={family}
      prayers={prayers}
      today="2026-01-02"
      complete={complete}
      printing={false}
      onAdd={onAdd}
      onResolve={onResolve}
      onEdit={onEdit}
      onDelete={onDelete}
    />
  )
}

const advance = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const names = () => screen.queryAllByRole('listitem').map((row) => row.querySelector('p')?.textContent)
const button = (name: string) => screen.getByRole('button', { name })
const queryButton = (name: string | RegExp) => screen.queryByRole('button', { name })
const focusedRow = () => document.activeElement?.closest('li')

describe('the rows', () => {
  it('are the open prayers, in the order of the list', () => {
    render(card([anna, cora, ben]))
    expect(names()).toEqual(['Anna', 'Ben'])
    expect(screen.getByText('a new job')).toBeDefined()
  })

  it('are highlighted when they have just been resolved, until that is taken back', () => {
    const highlighted = () => document.querySelectorAll('li .bg-gold-soft:has(button)').length
    const { rerender } = render(card([anna]))
    expect(highlighted()).toBe(0)
    rerender(card([{ ...anna, resolved: true }]))
    expect(highlighted()).toBe(1)
    rerender(card([anna]))
    expect(highlighted()).toBe(0)
  })

  it('call back with the prayer that was clicked', () => {
    render(card([anna]))
    fireEvent.click(screen.getByTitle('Mark as resolved'))
    fireEvent.click(screen.getByTitle('Edit prayer'))
    fireEvent.click(screen.getByTitle('Delete prayer'))
    fireEvent.click(button('Add Prayer'))
    expect(onResolve).toHaveBeenCalledWith(anna, true)
    expect(onEdit).toHaveBeenCalledWith(anna)
    expect(onDelete).toHaveBeenCalledWith(anna)
    expect(onAdd).toHaveBeenCalledWith(family)
  })

  it('have the name of the prayer in the name of each button, so that voice control finds it', () => {
    render(card([anna, cora]))
    fireEvent.click(button('Show Resolved (1)'))
    const labels = screen.getAllByRole('button').map((each) => each.getAttribute('aria-label'))
    expect(labels.filter((label) => label !== null)).toEqual([
      'Mark as resolved for Anna',
      'Edit prayer for Anna',
      'Delete prayer for Anna',
      'Mark as unresolved for Cora',
      'Edit prayer for Cora',
      'Delete prayer for Cora',
    ])
  })

  it('open for editing when their text is tapped, but not when it is clicked with a mouse', () => {
    render(card([ben]))
    const click = (pointerType: string) =>
      fireEvent(screen.getByText('a new job'), new PointerEvent('click', { bubbles: true, pointerType }))
    onEdit.mockClear()
    click('mouse')
    expect(onEdit).not.toHaveBeenCalled()
    click('touch')
    expect(onEdit).toHaveBeenCalledWith(ben)
  })
})

describe('resolved prayers', () => {
  it('are shown with their badge on demand, and hidden again', () => {
    render(card([anna, cora]))
    fireEvent.click(button('Show Resolved (1)'))
    expect(names()).toEqual(['Anna', 'Cora'])
    expect(within(screen.getByRole('list', { name: 'Resolved prayers' })).getByText('Cora')).toBeDefined()
    expect(screen.getByText('Resolved')).toBeDefined()
    expect(screen.getByTitle('Mark as unresolved')).toBeDefined()
    fireEvent.click(button('Hide Resolved (1)'))
    expect(button('Show Resolved (1)')).toBeDefined()
  })

  it('are hidden again after there were none', () => {
    const { rerender } = render(card([anna, cora]))
    fireEvent.click(button('Show Resolved (1)'))
    rerender(card([anna, { ...cora, resolved: false }]))
    expect(queryButton(/Resolved \(/)).toBeNull()
    rerender(
      card([
        { ...anna, resolved: true },
        { ...cora, resolved: false },
      ]),
    )
    expect(button('Show Resolved (1)')).toBeDefined()
  })

  it('stay in place for a moment, then disappear', async () => {
    const { rerender } = render(card([anna, ben]))
    rerender(card([{ ...anna, resolved: true }, ben]))
    await advance(1400)
    expect(names()).toEqual(['Anna', 'Ben'])
    await advance(200)
    expect(names()).toEqual(['Ben'])
  })

  it('move below the open ones after that moment, if they are shown', async () => {
    const { rerender } = render(card([anna, ben, cora]))
    fireEvent.click(button('Show Resolved (1)'))
    rerender(card([{ ...anna, resolved: true }, ben, cora]))
    expect(names()).toEqual(['Anna', 'Ben', 'Cora'])
    await advance(1600)
    expect(names()).toEqual(['Ben', 'Anna', 'Cora'])
  })

  it('let no other row be pressed in their place until 500 ms after they have left', async () => {
    const dora = samplePrayer({ id: 'dora', person_name: 'Dora' })
    const ignoringPresses = () =>
      screen
        .getAllByRole('listitem')
        .filter((row) => row.style.pointerEvents === 'none')
        .map((row) => row.querySelector('p')?.textContent)
    const { rerender } = render(card([anna, ben, dora]))
    rerender(card([anna, { ...ben, resolved: true }, dora]))
    await advance(1400)
    expect(ignoringPresses()).toEqual([])
    await advance(100)
    expect(names()).toEqual(['Anna', 'Dora'])
    expect(ignoringPresses()).toEqual(['Dora'])
    await advance(490)
    expect(ignoringPresses()).toEqual(['Dora'])
    await advance(20)
    expect(ignoringPresses()).toEqual([])
  })

  it('are still shown when the user returns from another screen', () => {
    const { unmount } = render(card([anna, cora]))
    fireEvent.click(button('Show Resolved (1)'))
    unmount()
    render(card([anna, cora]))
    expect(names()).toEqual(['Anna', 'Cora'])
  })

  it('stay if they are reopened within that moment', async () => {
    const { rerender } = render(card([anna, ben]))
    rerender(card([{ ...anna, resolved: true }, ben]))
    await advance(500)
    rerender(card([{ ...anna }, ben]))
    await advance(2000)
    expect(names()).toEqual(['Anna', 'Ben'])
  })
})

describe('more than 25 prayers', () => {
  const many = (count: number, name: string, resolved: boolean) =>
    Array.from({ length: count }, (_, index) =>
      samplePrayer({ id: `${name}-${index + 1}`, person_name: `${name} ${index + 1}`, resolved }),
    )
  const open = many(83, 'Open', false)
  const resolved = many(40, 'Resolved', true)

  it('are shown on demand', () => {
    render(card(open))
    expect(names()).toEqual(open.slice(0, 25).map((prayer) => prayer.person_name))
    fireEvent.click(button('Show all (83)'))
    expect(names()).toHaveLength(83)
    expect(queryButton(/Show all/)).toBeNull()
  })

  it('are counted separately for open and resolved ones', () => {
    render(card([...open, ...resolved]))
    expect(queryButton('Show all resolved (40)')).toBeNull()
    fireEvent.click(button('Show Resolved (40)'))
    expect(names()).toHaveLength(50)
    fireEvent.click(button('Show all resolved (40)'))
    expect(names()).toHaveLength(65)
    expect(button('Show all (83)')).toBeDefined()
    fireEvent.click(button('Hide Resolved (40)'))
    fireEvent.click(button('Show Resolved (40)'))
    expect(queryButton('Show all resolved (40)')).toBeNull()
  })

  it('need no button up to 25', () => {
    render(card([...open.slice(0, 25), ...resolved.slice(0, 25)]))
    fireEvent.click(button('Show Resolved (25)'))
    expect(names()).toHaveLength(50)
    expect(queryButton(/Show all/)).toBeNull()
  })

  it.each([
    ['Show all (83)', 'Open 26', 'All 83 prayers are shown'],
    ['Show all resolved (40)', 'Resolved 26', 'All 40 resolved prayers are shown'],
  ])('after "%s", focus the first new row and are announced', (name, firstNewRow, announcement) => {
    render(card([...open, ...resolved]))
    fireEvent.click(button('Show Resolved (40)'))
    fireEvent.click(button(name))
    expect(focusedRow()?.textContent).toContain(firstNewRow)
    const announcements = screen.getAllByRole('status').map((status) => status.textContent)
    expect(announcements).toContain(announcement)
  })

  it('stay shown while prayers are added and deleted', () => {
    const { rerender } = render(card(open))
    fireEvent.click(button('Show all (83)'))
    rerender(card([samplePrayer({ id: 'new', person_name: 'New' }), ...open.slice(2)]))
    expect(names()).toContain('New')
    expect(names()).toContain('Open 83')
    expect(queryButton(/Show all/)).toBeNull()
  })

  it('show a new prayer at the top, without hiding another', () => {
    const { rerender } = render(card(open))
    rerender(card([samplePrayer({ id: 'new', person_name: 'New' }), ...open]))
    expect(names()).toEqual(['New', ...open.slice(0, 25).map((prayer) => prayer.person_name)])
    expect(button('Show all (84)')).toBeDefined()
  })

  it('are described by the heading of their card', () => {
    render(card(open))
    expect(button('Show all (83)').getAttribute('aria-describedby')).toBe(
      screen.getByRole('heading', { name: 'Family' }).id,
    )
  })
})

describe('a card that is far outside the visible area', () => {
  it('renders its rows when it comes near', () => {
    let intersect: IntersectionObserverCallback = () => {}
    class FakeObserver implements IntersectionObserver {
      readonly root = null
      readonly rootMargin = ''
      readonly scrollMargin = ''
      readonly thresholds = []
      constructor(callback: IntersectionObserverCallback) {
        intersect = callback
      }
      observe = vi.fn()
      unobserve = vi.fn()
      disconnect = vi.fn()
      takeRecords = () => []
    }
    vi.stubGlobal('IntersectionObserver', FakeObserver)
    const far = new DOMRect(0, 10_000, 400, 300)
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(far)
    render(card([anna, ben]))
    expect(screen.getByRole('heading', { name: 'Family' })).toBeDefined()
    expect(button('Add Prayer')).toBeDefined()
    expect(names()).toEqual([])
    const target = screen.getByRole('region', { name: 'Family' })
    const entry = { target, isIntersecting: true, intersectionRatio: 0, time: 0, rootBounds: null }
    const rects = { boundingClientRect: far, intersectionRect: far }
    act(() => intersect([{ ...entry, ...rects }], new FakeObserver(intersect)))
    expect(names()).toEqual(['Anna', 'Ben'])
  })
})

describe('a card without rows', () => {
  it('shows that there are no prayers yet', () => {
    render(card([]))
    expect(screen.getByText('No prayers yet')).toBeDefined()
    expect(screen.getByText('Add your first prayer and start making a difference')).toBeDefined()
  })

  it('shows it 500 ms after the last prayer was removed', async () => {
    const { rerender } = render(card([anna]))
    rerender(card([]))
    await advance(499)
    expect(screen.queryByText('No prayers yet')).toBeNull()
    await advance(2)
    expect(screen.getByText('No prayers yet')).toBeDefined()
  })

  it('shows that all its prayers are resolved', () => {
    render(card([cora]))
    expect(screen.queryByText('No prayers yet')).toBeNull()
    expect(screen.getByText('All answered')).toBeDefined()
    expect(button('Show Resolved (1)')).toBeDefined()
  })

  it('shows that prayers are loading until all have been received', () => {
    render(card([], false))
    expect(screen.getByText('Loading prayers...')).toBeDefined()
    expect(screen.queryByText('No prayers yet')).toBeNull()
  })
})

describe('the focus', () => {
  it('moves from a removed row to the same button of the next one', async () => {
    const { rerender } = render(card([anna, ben]))
    act(() => screen.getAllByTitle('Delete prayer')[0]?.focus())
    rerender(card([ben]))
    await advance(0)
    const row = focusedRow()
    expect(row && within(row).getByText('Ben')).toBeTruthy()
    expect(document.activeElement?.getAttribute('title')).toBe('Delete prayer')
  })

  it('moves to the card when no row is left', async () => {
    const { rerender } = render(card([anna]))
    act(() => screen.getByTitle('Delete prayer').focus())
    rerender(card([]))
    await advance(0)
    expect(document.activeElement?.textContent).toBe('Add Prayer')
  })
})
