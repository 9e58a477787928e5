import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import {
  anna,
  connectionLost,
  FakeServer,
  family,
  openData,
  openSynced,
} from '#web/data/user-data.test-data.ts'
import { sampleCategory } from '#web/data/sample-rows.test-data.ts'
import { saveDraft } from '#web/lib/storage/drafts.ts'
import { enter, press, renderWithData, submitFormOf } from '#web/test-rendering.tsx'
import { NEW_CATEGORY_DRAFTS } from './category-dialog.tsx'
import { ManageCategoriesScreen } from './manage-categories-screen.tsx'

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
})

async function show() {
  const { data, sync } = await openSynced(server)
  renderWithData(<ManageCategoriesScreen />, data)
  await act(async () => {})
  return sync
}

const names = () => screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
const announced = () => screen.getAllByRole('status').map(({ textContent }) => textContent)

it('shows that it is loading, then an error with a way to try again, and never an empty list', async () => {
  expectConsoleError('Failed to fetch prayers')
  expectConsoleError('Failed to fetch categories')
  server.put('categories', family)
  const shown = () => document.body.textContent
  const data = openData(server)
  renderWithData(<ManageCategoriesScreen />, data)
  const sync = await act(() => data.opened)
  expect(shown()).toContain('Loading categories...')
  expect(shown()).not.toContain("You don't have any categories")
  server.intercept = connectionLost
  await act(() => sync.syncNow())
  expect(screen.getByRole('alert').textContent).toContain('Failed to fetch categories')
  expect(shown()).not.toMatch(/Loading|You don't have any categories/)
  server.intercept = () => null
  await press('Try again')
  await expect.poll(names).toEqual(['Family'])
  expect(screen.queryByRole('alert')).toBeNull()
  expect(shown()).not.toContain('Loading')
})

it('the first category, also added by a double click, leads to the first prayer', async () => {
  await show()
  for (const text of [
    'Organize your prayers with custom categories',
    "You don't have any categories yet",
    'Categories with prayers cannot be deleted',
  ])
    expect(document.body.textContent).toContain(text)
  const suggestion = screen.getByRole('button', { name: 'Friends' })
  // The second click is ignored for half a second.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await act(async () => void fireEvent.click(suggestion, { detail: 1 }))
  const { href } = location
  fireEvent.click(screen.getByRole('link', { name: 'Add Your First Prayer' }), { detail: 2 })
  expect(location.href).toBe(href)
  vi.useRealTimers()
  await expect.poll(names).toEqual(['Friends'])
  await expect.poll(() => document.activeElement?.textContent).toBe('Add Your First Prayer')
  expect(announced()).toContain('Category added')
})

it('a category is added at the end, with its name trimmed', async () => {
  server.put('categories', family)
  const sync = await show()
  await press('Add Category')
  enter('Category Name', '  Church  ')
  await submitFormOf('Category Name')
  await expect.poll(names).toEqual(['Family', 'Church'])
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(sync.rows('categories')).toMatchObject([{ order: 1 }, { name: 'Church', order: 2 }])
})

it('a name that was typed but not saved is offered in the list', async () => {
  server.put('categories', family)
  saveDraft([...NEW_CATEGORY_DRAFTS, 'new'], { id: 'new', name: 'Neighbours' })
  await show()
  expect(document.body.textContent).toContain('New category: you had typed “Neighbours”')
  await press('Bring it back')
  expect(screen.getByLabelText('Category Name')).toHaveProperty('value', 'Neighbours')
  await submitFormOf('Category Name')
  await expect.poll(names).toEqual(['Family', 'Neighbours'])
  expect(document.body.textContent).not.toContain('you had typed')
})

it('a category is deleted after confirmation, which can be cancelled', async () => {
  server.put('categories', family)
  server.put('categories', sampleCategory({ id: 'church', name: 'Church', order: 2 }))
  await show()
  const remove = () => act(async () => screen.getAllByTitle('Delete category')[1]?.click())
  await remove()
  expect(screen.getByRole('alertdialog').textContent).toContain(
    'Are you sure you want to delete the category "Church"? This action cannot be undone.',
  )
  await press('Cancel')
  expect(names()).toEqual(['Family', 'Church'])
  await remove()
  await press('Delete')
  await expect.poll(names).toEqual(['Family'])
})

it('a category is not deleted while it contains prayers, which is announced', async () => {
  server.put('categories', family)
  server.put('prayers', { ...anna, resolved: true })
  await show()
  await act(async () => screen.getByTitle('Cannot delete: contains prayers').click())
  expect(announced().join()).toContain('This category cannot be deleted because it contains prayers.')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

it('a category is hidden and shown again, which is announced', async () => {
  server.put('categories', family)
  const sync = await show()
  await act(async () => screen.getByTitle('Hide category').click())
  expect(announced()).toContain('Category hidden from the dashboard')
  await act(async () => screen.getByTitle('Show category').click())
  expect(announced()).toContain('Category shown on the dashboard')
  expect(sync.rows('categories')).toMatchObject([{ is_visible: true }])
})
