import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { anna, FakeServer, family, openSynced } from '#web/data/user-data.test-data.ts'
import { sampleCategory, samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { press, renderWithData } from '#web/test-rendering.tsx'
import { ManageCategoriesScreen } from './manage-categories-screen.tsx'

const REASON =
  'This category cannot be deleted because it contains prayers. Please move or delete the prayers first.'

let server: FakeServer

beforeEach(() => {
  // Announcements disappear after a few seconds.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('scrollTo', vi.fn())
  server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', anna)
  server.put('prayers', samplePrayer({ id: 'ben', resolved: true }))
})

async function openScreen() {
  const { data, sync } = await openSynced(server)
  renderWithData(<ManageCategoriesScreen />, data)
  return { categoryIds: () => sync.rows('prayers').map(({ category_id }) => category_id) }
}

const announced = () => screen.getAllByRole('status').map((status) => status.textContent)

it('where a category cannot be deleted, moves all its prayers to another one, and undoes that', async () => {
  server.put('categories', sampleCategory({ id: 'church', name: 'Church', order: 2 }))
  server.put('categories', sampleCategory({ id: 'work', name: 'Work', order: 3, is_visible: false }))
  const { categoryIds } = await openScreen()
  await press('Cannot delete: contains prayers')
  const dialog = screen.getByRole('dialog', { name: 'Move all to…' })
  expect(dialog.textContent).toContain(REASON)
  expect(dialog.textContent).toContain('All 2 prayers in Family')
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['Church', 'Workhidden'])
  await press('Church')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(announced()).toContain('2 prayers moved to Church')
  expect(categoryIds()).toEqual(['church', 'church'])
  await press('Undo')
  expect(categoryIds()).toEqual(['family', 'family'])
})

it('offers no move to a user with a single category, but says why it cannot be deleted', async () => {
  await openScreen()
  await press('Cannot delete: contains prayers')
  expect(announced()).toContain(REASON)
  expect(screen.queryByRole('dialog')).toBeNull()
})

it.each([
  [2, true],
  [3, false],
])('with %i categories, the tips are open: %s', async (count, isOpen) => {
  for (let order = 2; order <= count; order += 1)
    server.put('categories', sampleCategory({ id: `category ${order}`, order }))
  await openScreen()
  const tips = screen.getByRole('region', { name: 'Tips for Managing Categories' })
  expect(tips.querySelector('details')?.open).toBe(isOpen)
  expect(within(tips).getAllByRole('listitem', { hidden: true })).toHaveLength(5)
})
