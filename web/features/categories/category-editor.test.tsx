import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { CategoryFields } from '#web/data/category-actions.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { readDrafts } from '#web/lib/storage/drafts.ts'
import { categoryDraftSchema } from './category-dialog.tsx'
import { CategoryEditor } from './category-editor.tsx'

const FAMILY = { id: 'family', name: 'Family', pray_days: null }
let respond: (result: ActionResult) => void
const onSave = vi.fn<(fields: Partial<CategoryFields>) => Promise<ActionResult>>()
const onClose = vi.fn<() => void>()

let unmount: () => void
const storedDrafts = () => readDrafts(['category-name'], categoryDraftSchema).map(({ draft }) => draft)

beforeEach(() => {
  onSave.mockImplementation(() => new Promise((resolve) => (respond = resolve)))
  ;({ unmount } = render(<CategoryEditor category={FAMILY} onSave={onSave} onClose={onClose} />))
})

const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Category Name' })
const type = (text: string) => fireEvent.change(input(), { target: { value: text } })
const save = () => fireEvent.click(screen.getByTitle('Save changes'))

it('saves the trimmed name once, then closes and keeps no draft of it', async () => {
  type('  Home ')
  save()
  save()
  expect(onSave.mock.calls).toEqual([[{ name: 'Home' }]])
  expect(onClose).not.toHaveBeenCalled()
  await act(async () => respond({ success: true }))
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(storedDrafts()).toEqual([])
})

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

it('saves days, with the name only if that has changed too', () => {
  press('Monday')
  press('Thursday')
  expect(screen.getByText(/^Its prayers are in turn on Mondays and Thursdays\./)).toBeDefined()
  save()
  expect(onSave.mock.lastCall).toEqual([{ pray_days: 9 }])
})

it('saves every day as none in particular', () => {
  unmount()
  const mondays = { ...FAMILY, pray_days: 1 }
  render(<CategoryEditor category={mondays} onSave={onSave} onClose={onClose} />)
  type('Home')
  press('Monday')
  expect(screen.getByText('Its prayers are in turn every day.')).toBeDefined()
  save()
  expect(onSave.mock.lastCall).toEqual([{ name: 'Home', pray_days: null }])
})

it('stays open with the typed name when saving fails', async () => {
  type('Home')
  save()
  await act(async () => respond({ success: false, error: 'Failed to update category' }))
  expect(onClose).not.toHaveBeenCalled()
  expect(input().value).toBe('Home')
})

it('sends nothing and stays open if the name is blank, and closes if it is unchanged', async () => {
  type('   ')
  await act(async () => void save())
  expect(onClose).not.toHaveBeenCalled()
  type('Family')
  save()
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(onSave).not.toHaveBeenCalled()
})

it('saves nothing on Esc and Cancel', () => {
  type('Home')
  fireEvent.keyDown(input(), { key: 'Escape' })
  fireEvent.click(screen.getByTitle('Cancel editing'))
  expect(onSave).not.toHaveBeenCalled()
  expect(onClose).toHaveBeenCalledTimes(2)
})

it('keeps what was typed as a draft when another name is edited instead', () => {
  type('Home')
  unmount()
  expect(storedDrafts()).toMatchObject([{ id: 'family', name: 'Home' }])
})

it.each([
  ['is cancelled', () => fireEvent.click(screen.getByTitle('Cancel editing'))],
  ['is the name again', () => type('Family')],
  ['is blank', () => type('  ')],
])('keeps no draft of a text that %s', (_, change) => {
  type('Home')
  change()
  unmount()
  expect(storedDrafts()).toEqual([])
})
