import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { sampleCategory } from '#web/data/sample-rows.test-data.ts'
import { saveDraft } from '#web/lib/storage/drafts.ts'
import { press } from '#web/test-rendering.tsx'
import { CategoriesCard } from './categories-card.tsx'
import type { ReorderMode } from './reorder-mode.tsx'

const onAddSuggested = vi.fn<(name: string) => void>()

function show(categoryCount: number, state: ReorderMode['state'] = 'off') {
  const rows = Array.from({ length: categoryCount }, (_, index) =>
    sampleCategory({ id: `category ${index}`, name: `Category ${index}`, order: index }),
  )
  render(
    <CategoriesCard
      categories={{ rows, complete: true, error: null }}
      prayerCounts={null}
      reorderMode={{ state, on: state === 'on', enter: vi.fn(), leave: vi.fn() }}
      onAdd={vi.fn()}
      onAddSuggested={onAddSuggested}
      onToggleVisible={vi.fn()}
      onChange={vi.fn()}
      onDelete={vi.fn()}
      onReorder={vi.fn()}
    />,
  )
}

it.each([
  [2, 'off', 1],
  [1, 'off', 0],
  [2, 'on', 0],
  [2, 'leaving', 0],
] as const)('with %i categories and Reorder Mode %s, has %i buttons for it', (count, state, buttons) => {
  show(count, state)
  expect(screen.queryAllByRole('button', { name: 'Reorder' })).toHaveLength(buttons)
})

it('offers the name of a new category that was typed and not saved, until there is one with it', () => {
  saveDraft(['new-category', '1'], { id: '1', name: 'category 0' })
  saveDraft(['new-category', '2'], { id: '2', name: 'Street' })
  show(1)
  expect(screen.getAllByText(/had typed/).map(({ textContent }) => textContent)).toEqual([
    'New category: you had typed “Street”',
  ])
})

it('offers three names to a user without categories', async () => {
  show(0)
  expect(screen.getByText(/You don't have any categories yet/)).toBeDefined()
  for (const name of ['Family', 'Friends', 'Church']) await press(name)
  expect(onAddSuggested.mock.calls).toEqual([['Family'], ['Friends'], ['Church']])
})
