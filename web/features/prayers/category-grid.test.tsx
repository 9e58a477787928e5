import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Prayer } from '#web/data/prayers.ts'
import { samplePrayer, samplePrayers } from '#web/data/sample-rows.test-data.ts'
import { balancedCount, CategoryGrid } from './category-grid.tsx'

const doNothing = () => {}
const callbacks = { onAdd: doNothing, onResolve: doNothing, onEdit: doNothing, onDelete: doNothing }
const categories = [
  { id: 'family', name: 'Family' },
  { id: 'friends', name: 'Friends' },
]
const prayers = ['a', 'b', 'c', 'd'].map((id, index) =>
  samplePrayer({ id, person_name: id, category_id: index < 2 ? 'family' : 'friends' }),
)

function grid(shown: readonly Prayer[], complete = true) {
  return <CategoryGrid categories={categories} prayers={shown} complete={complete} {...callbacks} />
}

const rowsOf = (category: string) =>
  [...screen.getByRole('list', { name: category }).children].map((row) => row.textContent)

/** A prayer that notes when its name is read, which is when its row is rendered. */
function watched(prayer: Prayer, rendered: string[]): Prayer {
  const name = prayer.person_name
  return Object.defineProperty({ ...prayer }, 'person_name', {
    enumerable: true,
    get: () => {
      rendered.push(prayer.id)
      return name
    },
  })
}

it('shows each prayer in the card of its category, in the order of the list', () => {
  render(grid([...prayers.slice(2), ...prayers.slice(0, 2)]))
  expect(rowsOf('Family')).toEqual(['a', 'b'])
  expect(rowsOf('Friends')).toEqual(['c', 'd'])
})

it('says in each row at midnight what it means for the new day', () => {
  vi.useFakeTimers({ now: new Date('2025-09-28T23:00:00Z') })
  const planned = [{ due_on: '2025-10-02' }, { resting_until: '2025-09-29' }, {}].map((plan, index) =>
    samplePrayer({ id: `${index}`, person_name: `${index}`, category_id: 'family', ...plan }),
  )
  render(grid(planned))
  const texts = () => rowsOf('Family').map((text) => text.trim())
  expect(texts()).toEqual(['0Due Thursday, 2 October', '1Paused until 29 September', '2'])
  for (const [hours, due] of [
    [1, 'Due Thursday, 2 October'],
    [48, 'Due tomorrow'],
    [24, 'Due today'],
  ] as const) {
    act(() => void vi.advanceTimersByTime(hours * 3_600_000))
    expect(texts()).toEqual([`0${due}`, '1', '2'])
  }
})

it('renders only the row whose prayer has changed', () => {
  const rendered: string[] = []
  const before = prayers.map((prayer) => watched(prayer, rendered))
  const { rerender } = render(grid(before))
  expect(new Set(rendered)).toEqual(new Set(['a', 'b', 'c', 'd']))
  rendered.length = 0
  const changed = watched(samplePrayer({ id: 'c', category_id: 'friends', note: 'changed' }), rendered)
  rerender(grid(before.with(2, changed)))
  expect(new Set(rendered)).toEqual(new Set(['c']))
})

it('animates rows that are added, but not those that arrive while the list is loading', () => {
  const { rerender, container } = render(grid(prayers.slice(0, 1), false))
  rerender(grid(prayers.slice(0, 2), false))
  rerender(grid(prayers.slice(0, 3)))
  const animated = () => [...container.querySelectorAll('[data-appear=true]')].map((row) => row.textContent)
  expect(animated()).toEqual([])
  rerender(grid(prayers))
  expect(animated()).toEqual(['d'])
})

it('prints all prayers of a card', () => {
  render(grid(samplePrayers(40, 'Prayer')))
  expect(rowsOf('Family')).toHaveLength(25)
  act(() => void dispatchEvent(new Event('beforeprint')))
  expect(rowsOf('Family')).toHaveLength(40)
  act(() => void dispatchEvent(new Event('afterprint')))
  expect(rowsOf('Family').length).toBeLessThan(40)
})

it.each([
  [[], 0],
  [[3], 1],
  [[3, 3], 1],
  [[9, 1, 1, 1], 1],
  [[1, 1, 1, 9], 3],
  [[2, 2, 2, 2, 2, 2], 3],
])(
  'fills the left column with the first cards of the heights %j until both are about equal',
  (heights, count) => {
    expect(balancedCount(heights)).toBe(count)
  },
)

it('keeps each card in its column while prayers come and go', () => {
  const columnOf = (name: string) => screen.getByRole('region', { name }).parentElement
  const { rerender } = render(grid(prayers))
  const [left, right] = [columnOf('Family'), columnOf('Friends')]
  expect(left).not.toBe(right)
  rerender(grid([...samplePrayers(20, 'New'), ...prayers]))
  expect(columnOf('Family')).toBe(left)
  expect(columnOf('Friends')).toBe(right)
})
