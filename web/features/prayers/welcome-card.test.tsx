import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { sampleCategory } from '#web/data/sample-rows.test-data.ts'
import { FakeServer, openData } from '#web/data/user-data.test-data.ts'
import { enter, press, renderWithData, submitFormOf } from '#web/test-rendering.tsx'
import { DashboardScreen } from './dashboard-screen.tsx'

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
})

async function openDashboard() {
  const data = openData(server)
  const sync = await data.opened
  await sync.syncNow()
  renderWithData(<DashboardScreen />, data)
  await screen.findByRole('heading', { name: 'Welcome to Intercede' })
  return { names: () => sync.rows('categories').map(({ name, is_visible }) => [name, is_visible]) }
}

const paths = () =>
  screen
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')])
    .slice(1)
const toFirstCategory = ['Create Your First Category', '/manage-categories']

it('leads a user without categories to the first one, with examples, or to a list', async () => {
  await openDashboard()
  expect(screen.getByText(/Family, Friends or Church/)).toBeDefined()
  expect(screen.queryByText(/hidden/)).toBeNull()
  expect(paths()).toEqual([toFirstCategory])
  await press('Add several from a list')
  expect(await screen.findByRole('dialog', { name: 'Add Several Prayers' })).toBeDefined()
})

it('adds the categories that are chosen, each once, and moves the focus to the first one', async () => {
  const { names } = await openDashboard()
  for (const name of ['Church', 'Family']) fireEvent.click(screen.getByRole('checkbox', { name }))
  enter('Another name', 'church')
  screen.getByRole('button', { name: 'Add' }).focus()
  await press('Add')
  await expect.poll(() => screen.queryAllByRole('button', { name: 'Add Prayer' })).toHaveLength(2)
  expect(names()).toEqual([
    ['Family', true],
    ['Church', true],
  ])
  await expect
    .poll(() => document.activeElement)
    .toBe(screen.getAllByRole('button', { name: 'Add Prayer' })[0])
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Categories added')
})

it('adds a category with another name, once there is one', async () => {
  const { names } = await openDashboard()
  enter('Another name', '  ')
  await submitFormOf('Another name')
  expect(screen.getByRole('alert').textContent).toBe('Please enter a category name')
  expect(document.activeElement).toBe(screen.getByLabelText('Another name'))
  enter('Another name', ' Street ')
  await submitFormOf('Another name')
  await screen.findByRole('button', { name: 'Add Prayer' })
  expect(names()).toEqual([['Street', true]])
})

it('shows a hidden category again instead of adding another one with its name', async () => {
  server.put('categories', sampleCategory({ id: 'f', name: 'family', is_visible: false }))
  const { names } = await openDashboard()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Family' }))
  await press('Add')
  await screen.findByRole('button', { name: 'Add Prayer' })
  expect(names()).toEqual([['family', true]])
})

it.each([
  [1, 'One category is hidden. You can show it again under Manage Categories.'],
  [2, '2 categories are hidden. You can show them again under Manage Categories.'],
])('says that %i are hidden, with a link to them', async (hiddenCount, text) => {
  for (let index = 0; index < hiddenCount; index += 1)
    server.put('categories', sampleCategory({ id: `${index}`, name: `${index}`, is_visible: false }))
  await openDashboard()
  expect(screen.getByText(/hidden/).textContent).toBe(text)
  expect(screen.queryByRole('button', { name: 'Add several from a list' })).toBeNull()
  expect(paths()).toEqual([toFirstCategory, ['Manage Categories', '/manage-categories']])
})
