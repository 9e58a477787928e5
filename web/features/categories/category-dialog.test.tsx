import { render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ActionResult } from '#web/data/make-change.ts'
import { enter, press } from '#web/test-rendering.tsx'
import { CategoryDialog } from './category-dialog.tsx'

const onSave = vi.fn<(id: string, name: string) => Promise<ActionResult>>()
const name = () => screen.getByLabelText('Category Name')

beforeEach(() => {
  onSave.mockReturnValue(new Promise(() => {}))
  render(
    <CategoryDialog
      mode="add"
      id="church"
      isTaken={(given) => given === 'Family'}
      onSave={onSave}
      onClose={() => {}}
    />,
  )
})

it('says what it is for, and has the focus in the name', () => {
  expect(screen.getByRole('dialog', { name: 'Add New Category' }).textContent).toContain(
    'Create a new category to organize your prayers',
  )
  expect(name().getAttribute('placeholder')).toBe('Enter category name')
  expect(document.activeElement).toBe(name())
})

it('rejects a blank name, and moves the focus there', async () => {
  screen.getByRole('button', { name: 'Cancel' }).focus()
  enter('Category Name', '   ')
  await press('Add Category')
  expect(screen.getByRole('alert').textContent).toBe('Please enter a category name')
  expect(document.activeElement).toBe(name())
  expect(onSave).not.toHaveBeenCalled()
  enter('Category Name', ' ')
  expect(screen.getByRole('alert').textContent).toBe('Please enter a category name')
  enter('Category Name', 'C')
  expect(screen.queryByRole('alert')).toBeNull()
})

it('saves the trimmed name once, however often the button is pressed', async () => {
  enter('Category Name', '  Church ')
  await press('Add Category')
  await press('Add Category')
  expect(onSave.mock.calls).toEqual([['church', 'Church']])
})

it('asks once before it saves a name that another category has', async () => {
  const question = () => screen.queryByText('You already have a category with this name.')
  enter('Category Name', 'Family')
  await press('Add Category')
  expect(question()).not.toBeNull()
  expect(screen.getByRole('button', { name: 'Add Anyway' })).toBeDefined()
  expect(document.activeElement).toBe(name())
  enter('Category Name', 'Family 2')
  expect(question()).toBeNull()
  enter('Category Name', 'Family')
  expect(onSave).not.toHaveBeenCalled()
  await press('Add Category')
  expect(onSave.mock.calls).toEqual([['church', 'Family']])
})
