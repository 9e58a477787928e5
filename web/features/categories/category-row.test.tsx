import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Category } from '#web/data/categories.ts'
import { sampleCategory } from '#web/data/sample-rows.test-data.ts'
import { CategoryRow } from './category-row.tsx'

function renderRow(prayerCount: number | null, given: Partial<Category> = {}) {
  const { container } = render(
    <CategoryRow
      category={sampleCategory({ name: 'Family', ...given })}
      prayerCount={prayerCount}
      editing={false}
      position={null}
      onMove={vi.fn()}
      onToggleVisible={vi.fn()}
      onEdit={vi.fn()}
      onChange={vi.fn()}
      onDelete={vi.fn()}
    />,
  )
  return container
}

it.each([
  [0, 'Family0 prayers'],
  [1, 'Family1 prayer'],
  [2, 'Family2 prayers'],
  [null, 'Family'],
])('shows %s prayers as "%s"', (count, text) => {
  expect(renderRow(count).textContent).toBe(text)
})

it('says its days', () => {
  expect(renderRow(2, { pray_days: 9 }).textContent).toBe('Family2 prayersMondays and Thursdays')
})

it.each([
  [0, 'Delete category', null],
  [1, 'Cannot delete: contains prayers', 'true'],
])('with %i prayers, the delete button is named "%s"', (count, name, disabled) => {
  renderRow(count)
  expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe(disabled)
})
