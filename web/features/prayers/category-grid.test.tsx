import { render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Prayer } from '#web/data/prayers.ts'
import { samplePrayer } from './sample-prayer.test-data.ts'

vi.mock(import('./prayer-text.tsx'), async (original) => {
  const actual = await original()
  return { ...actual, PrayerText: vi.fn(actual.PrayerText) }
})

// Files share their modules, and one before may have loaded these without the spy.
vi.resetModules()
const { CategoryGrid } = await import('./category-grid.tsx')
const { PrayerText } = await import('./prayer-text.tsx')

const nothing = () => {}
const categories = [
  { id: 'family', name: 'Family' },
  { id: 'friends', name: 'Friends' },
]
const prayers = ['a', 'b', 'c', 'd'].map((id, index) =>
  samplePrayer({ id, person_name: id, category_id: index < 2 ? 'family' : 'friends' }),
)

function grid(shown: readonly Prayer[], complete = true) {
  return (
    <CategoryGrid
      categories={categories}
      prayers={shown}
      complete={complete}
      onAdd={nothing}
      onResolve={nothing}
      onEdit={nothing}
      onDelete={nothing}
    />
  )
}

it('when one row changes, one row is drawn again', () => {
  const { rerender } = render(grid(prayers))
  vi.mocked(PrayerText).mockClear()
  rerender(grid(prayers.with(2, samplePrayer({ id: 'c', category_id: 'friends', note: 'changed' }))))
  const drawn = vi.mocked(PrayerText).mock.calls.map(([props]) => props.prayer.id)
  expect(new Set(drawn)).toEqual(new Set(['c']))
})

it('rows that arrive with the rest of the list are in place at once, one that is added later moves into it', () => {
  const { rerender, container } = render(grid(prayers.slice(0, 1), false))
  rerender(grid(prayers.slice(0, 2), false))
  rerender(grid(prayers.slice(0, 3)))
  const moving = () => [...container.querySelectorAll('[data-appear=true]')].map((row) => row.textContent)
  expect(moving()).toEqual([])
  rerender(grid(prayers))
  expect(moving()).toEqual(['d'])
})
