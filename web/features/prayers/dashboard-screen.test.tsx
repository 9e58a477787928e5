import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { anna, connectionLost, failure, FakeServer, family, openData } from '#web/data/user-data.test-data.ts'
import { sampleCategory, samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { requestedPrayer } from '#web/lib/navigation/requested-prayer.ts'
import { saveDraft } from '#web/lib/storage/drafts.ts'
import { enter, press, renderWithData } from '#web/test-rendering.tsx'
import { DashboardScreen } from './dashboard-screen.tsx'
import { emptyForm } from '#web/features/prayer-parts/prayer-form.ts'

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', anna)
})

async function openDashboard() {
  const data = openData(server)
  const sync = await data.opened
  await sync.syncNow()
  renderWithData(<DashboardScreen />, data)
  await act(async () => {})
}

it('shows that it is loading, then an error with a way to try again, and never an empty list', async () => {
  expectConsoleError('Failed to fetch prayers')
  expectConsoleError('Failed to fetch categories')
  const shown = () => document.body.textContent
  const data = openData(server)
  renderWithData(<DashboardScreen />, data)
  const sync = await act(() => data.opened)
  expect(shown()).toContain('Loading prayers...')
  expect(shown()).not.toMatch(/Welcome to|No prayers yet/)
  server.intercept = connectionLost
  await act(() => sync.syncNow())
  expect(screen.getByRole('alert').textContent).toContain('Failed to fetch')
  expect(shown()).not.toMatch(/Loading|Welcome to|No prayers yet/)
  server.intercept = () => null
  await press('Try again')
  expect((await screen.findByRole('list', { name: 'Family' })).textContent).toContain('Anna')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(shown()).not.toContain('Loading')
})

it('says how many categories are hidden, with a link to them', async () => {
  for (const id of ['friends', 'church'])
    server.put('categories', sampleCategory({ id, name: id, is_visible: false }))
  await openDashboard()
  const link = screen.getByRole('link', { name: '2 categories hidden' })
  expect(link.getAttribute('href')).toBe('/manage-categories')
})

it.each([
  [12, false],
  [13, true],
])('with %i categories, has a menu to jump to one: %s', async (count, hasMenu) => {
  for (let index = 2; index <= count; index += 1)
    server.put('categories', sampleCategory({ id: `circle ${index}`, name: `Circle ${index}`, order: index }))
  await openDashboard()
  expect(screen.getAllByRole('button', { name: 'Add Prayer' })).toHaveLength(count)
  expect(screen.queryByRole('button', { name: 'Jump to a category' }) !== null).toBe(hasMenu)
  expect(screen.queryByRole('link', { name: /hidden/ })).toBeNull()
})

it('opens a requested prayer in the category of the prayer that was added last, under an id of this tab', async () => {
  server.put('categories', sampleCategory({ id: 'church', name: 'Church', order: 2 }))
  server.put('categories', sampleCategory({ id: 'work', name: 'Work', order: 3, is_visible: false }))
  const added = (month: string, category_id: string) =>
    server.put(
      'prayers',
      samplePrayer({ id: month, category_id, created_at: `2026-${month}-01T00:00:00+00:00` }),
    )
  added('05', 'church')
  added('06', 'work')
  requestedPrayer.set({ id: 'new', userId: 'me' })
  await openDashboard()
  const dialog = await screen.findByRole('dialog')
  expect(screen.getByLabelText('Category')).toHaveProperty('value', 'church')
  enter('Name', 'Boaz')
  await press('Add Prayer', dialog)
  await expect.poll(() => server.tables.prayers.map((row) => row['person_name'])).toContain('Boaz')
  // A duplicated tab has the same request.
  expect(server.tables.prayers.map(({ id }) => id)).not.toContain('new')
  expect(requestedPrayer.get()).toBeNull()
})

it('offers a list that was typed but not added also to a user without categories, until it is added', async () => {
  server.remove('prayers', 'anna')
  server.remove('categories', 'family')
  const list = { id: 'list', category_id: '', new_category: 'Friends', text: 'Anna\nBen', ids: {} }
  saveDraft(['several-prayers', 'list'], list)
  saveDraft(['new-prayer', 'gone', 'new'], {
    id: 'new',
    form: { ...emptyForm('gone'), person_name: 'Clara' },
  })
  await openDashboard()
  const offers = await screen.findByRole('list', { name: 'Unsaved prayers' })
  expect(offers.textContent).toContain('Several prayers: you had typed “Anna\nBen”')
  expect(offers.children).toHaveLength(1)
  await press('Bring it back')
  await press('Add 2 Prayers')
  await expect.poll(() => screen.queryByRole('list', { name: 'Friends' })?.textContent).toContain('Ben')
  expect(screen.queryByText(/^Several prayers/)).toBeNull()
})

it('says where a prayer was moved to', async () => {
  server.put('categories', sampleCategory({ id: 'church', name: 'Church', order: 2 }))
  await openDashboard()
  fireEvent.click(screen.getByRole('button', { name: 'Edit prayer for Anna' }))
  await screen.findByRole('dialog')
  enter('Category', 'church')
  await press('Update Prayer')
  const announced = () => screen.getAllByRole('status').map((status) => status.textContent)
  await expect.poll(announced).toContain('Moved to Church')
  expect(screen.getByRole('list', { name: 'Church' }).textContent).toContain('Anna')
})

it('announces a prayer that was resolved in its dialog as from its row, and undoes only that', async () => {
  await openDashboard()
  fireEvent.click(screen.getByRole('button', { name: 'Edit prayer for Anna' }))
  await screen.findByRole('dialog')
  enter('Name', 'Anna Maria')
  fireEvent.click(screen.getByLabelText('Mark as resolved'))
  // What is announced stays.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await press('Update Prayer')
  expect(screen.getByRole('button', { name: 'Record answer' })).toBeDefined()
  expect(screen.getByText('Show Resolved (1)')).toBeDefined()
  await press('Undo')
  expect(screen.getByRole('list', { name: 'Family' }).textContent).toContain('Anna Maria')
  expect(screen.queryByText('Show Resolved (1)')).toBeNull()
})

it('deletes a prayer after confirmation, and moves the focus to the next one', async () => {
  server.put(
    'prayers',
    samplePrayer({ id: 'ben', person_name: 'Ben', created_at: '2025-01-01T00:00:00+00:00' }),
  )
  await openDashboard()
  const remove = screen.getByRole('button', { name: 'Delete prayer for Anna' })
  await press('Delete prayer for Anna')
  expect(screen.getByRole('alertdialog').textContent).toContain(
    'Are you sure you want to delete this prayer? This action cannot be undone.',
  )
  await press('Cancel')
  expect(screen.getByRole('list', { name: 'Family' }).textContent).toContain('Anna')
  remove.focus()
  await press('Delete prayer for Anna')
  await press('Delete')
  expect(screen.getByRole('list', { name: 'Family' }).textContent).not.toContain('Anna')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete prayer for Ben' }))
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Prayer deleted')
})

it('says that what was typed in a dialog that was closed is kept, and offers it, until it is saved', async () => {
  await openDashboard()
  await press(/^Add Prayer/)
  enter('Name', 'Clara')
  await press('Close')
  const offers = await screen.findByRole('list', { name: 'Unsaved prayers' })
  expect(offers.textContent).toContain('New prayer: you had typed “Clara”')
  const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(said()).toContain('What you typed is kept')
  await press('Bring it back')
  await press('Add Prayer', screen.getByRole('dialog'))
  await expect.poll(said).toContain('Prayer added')
  expect(screen.queryByRole('list', { name: 'Unsaved prayers' })).toBeNull()
})

it('offers an update that was typed and not saved', async () => {
  saveDraft(['new-update', 'anna', 'new'], {
    id: 'new',
    prayer_id: 'anna',
    update_id: null,
    body: 'She is home',
  })
  await openDashboard()
  const offers = await screen.findByRole('list', { name: 'Unsaved prayers' })
  expect(offers.textContent).toContain('Update for Anna: you had typed “She is home”')
})

it('says that a category to which another device added a prayer was not deleted', async () => {
  const data = openData(server)
  const sync = await data.opened
  server.remove('prayers', 'anna')
  await sync.syncNow()
  expectConsoleError('Failed to delete category')
  server.intercept = ({ method }) => (method === 'DELETE' ? failure(409, '23503') : null)
  await sync.change({ table: 'categories', kind: 'delete', row: 'family', base: {} })
  renderWithData(<DashboardScreen />, data)
  await act(async () => void (await sync.syncNow()))
  expect(screen.getByRole('alert').textContent).toContain(
    'Cannot delete category with existing prayers. Please delete or move all prayers from this category first.',
  )
})
