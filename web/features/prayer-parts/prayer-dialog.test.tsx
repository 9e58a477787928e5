import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { UNREADABLE } from '#web/data/encryption-status.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { saveDraft } from '#web/lib/storage/drafts.ts'
import { enter, press } from '#web/test-rendering.tsx'
import { PrayerDialog } from './prayer-dialog.tsx'
import { emptyForm, type PrayerForm } from './prayer-form.ts'

const categories = [{ id: 'family', name: 'Family' }]
const anna: PrayerForm = { ...emptyForm('family'), person_name: 'Anna', note: 'for peace' }
const onSave = vi.fn<(id: string, form: PrayerForm) => Promise<ActionResult>>()

beforeEach(() => void onSave.mockResolvedValue({ success: true }))

const open = (mode: 'add' | 'edit', initial: PrayerForm, id = 'anna') =>
  render(
    <PrayerDialog
      mode={mode}
      id={id}
      initial={initial}
      categories={categories}
      onSave={onSave}
      onClose={() => {}}
    />,
  )
const field = (label: string) => screen.getByLabelText(label)
const NOTE = 'Prayer Details (Optional)'
const alert = () => screen.queryByRole('alert')?.textContent
/** Types a new prayer, and closes the dialog. */
const leave = (texts: Record<string, string>, id = 'new-1') => {
  open('add', emptyForm('family'), id)
  for (const [label, text] of Object.entries(texts)) enter(label, text)
  cleanup()
}

describe('its fields and texts', () => {
  it('for a new prayer are those that it begins with, and the focus is in Name', () => {
    open('add', emptyForm('family'))
    expect(screen.getByRole('dialog', { name: 'Add New Prayer' }).textContent).toContain(
      'Create a new prayer request',
    )
    expect(field('Category')).toHaveProperty('value', 'family')
    expect(field('Name')).toMatchObject({ value: '', maxLength: 200, placeholder: "Enter person's name" })
    expect(document.activeElement).toBe(field('Name'))
    expect(field('Prayer Details (Optional)')).toMatchObject({ rows: 4, maxLength: 10_000 })
    expect(screen.queryByLabelText('Mark as resolved')).toBeNull()
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'Add Prayer' })).toBeDefined()
  })

  it('for a prayer that is edited are what was saved, and whether it is resolved', () => {
    open('edit', { ...anna, resolved: true })
    expect(screen.getByRole('dialog', { name: 'Edit Prayer' }).textContent).toContain(
      'Update your prayer request details',
    )
    expect(field('Name')).toHaveProperty('value', 'Anna')
    expect(field('Prayer Details (Optional)')).toHaveProperty('value', 'for peace')
    expect(field('Mark as resolved')).toHaveProperty('checked', true)
    expect(screen.getByRole('button', { name: 'Update Prayer' })).toBeDefined()
    expect(field('Prayer Details (Optional)')).toHaveProperty('readOnly', false)
  })

  it('cannot be changed where they cannot be read', () => {
    open('edit', { ...anna, note: UNREADABLE })
    expect(field('Prayer Details (Optional)')).toMatchObject({ value: UNREADABLE, readOnly: true })
    expect(field('Name')).toHaveProperty('readOnly', false)
  })
})

it.each([
  ['add', 'Name', '   ', 'Please enter a name', 'Add Prayer'],
  ['add', 'Category', '', 'Please select a category', 'Add Prayer'],
  ['edit', 'Name', '', 'Please enter a name', 'Update Prayer'],
] as const)(
  'in the mode “%s”, does not save with the %s "%s", but says why and moves the focus there',
  async (mode, label, value, error, button) => {
    open(mode, anna)
    enter(label, value)
    await press(button)
    expect(screen.getByRole('alert').textContent).toBe(error)
    expect(document.activeElement).toBe(field(label))
    expect(onSave).not.toHaveBeenCalled()
  },
)

it.each([
  ['the note', 'Prayer Details (Optional)', { ctrlKey: true }],
  ['the note', 'Prayer Details (Optional)', { metaKey: true }],
  ['the name', 'Name', { ctrlKey: true }],
])('is saved by Enter in %s (%s) with %o', (_, label, keys) => {
  open('add', anna)
  // Without the keys, it starts a new line in the note, and in the name, the browser submits the form.
  fireEvent.keyDown(field(label), { key: 'Enter' })
  expect(onSave).not.toHaveBeenCalled()
  fireEvent.keyDown(field(label), { key: 'Enter', ...keys })
  expect(onSave).toHaveBeenCalledExactlyOnceWith('anna', anna, anna)
})

it('says what is missing until it is there', async () => {
  open('add', { ...emptyForm('deleted'), person_name: ' ' })
  await press('Add Prayer')
  const errors = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
  expect(errors()).toEqual(['Please select a category', 'Please enter a name'])
  enter(NOTE, 'for peace')
  expect(errors()).toHaveLength(2)
  enter('Category', 'family')
  enter('Name', 'A')
  expect(errors()).toEqual([])
  expect(onSave).not.toHaveBeenCalled()
})

it('keeps what was typed and shows the error when saving fails, and saves with the same id', async () => {
  onSave.mockResolvedValueOnce({ success: false, error: 'Failed to add prayer' })
  open('add', anna)
  await press('Add Prayer')
  expect(alert()).toBe('Failed to add prayer')
  expect(field(NOTE)).toHaveProperty('value', 'for peace')
  await press('Add Prayer')
  expect(alert()).toBeUndefined()
  expect(onSave.mock.calls.map(([id]) => id)).toEqual(['anna', 'anna'])
})

describe('unsaved text', () => {
  it('is offered when the dialog is opened again, and can be restored and saved', async () => {
    leave({ Name: 'Anna', [NOTE]: 'for peace' })
    open('add', emptyForm('family'), 'new-2')
    expect(field('Name')).toHaveProperty('value', '')
    expect(screen.getByText('Anna')).toBeDefined()
    await press('Bring it back')
    expect(document.activeElement).toBe(field('Name'))
    expect(screen.queryByText('Anna')).toBeNull()
    await press('Add Prayer')
    expect(onSave).toHaveBeenCalledExactlyOnceWith(expect.any(String), anna, expect.anything())
  })

  it('is saved under another id than what was typed instead of it', async () => {
    leave({ Name: 'Anna' })
    render(
      <PrayerDialog
        mode="add"
        id="new-1"
        initial={emptyForm('family')}
        categories={categories}
        onSave={onSave}
        onSaveAnother={onSave}
        onClose={() => {}}
      />,
    )
    enter('Name', 'Ben')
    await press('Save and add another')
    await press('Bring it back')
    expect(field('Name')).toHaveProperty('value', 'Anna')
    await press('Add Prayer')
    const [[ben] = [], [restored] = []] = onSave.mock.calls
    expect(ben).toBeDefined()
    expect(restored).not.toBe(ben)
  })

  it('is ignored if it does not have the fields of this form', () => {
    saveDraft(['new-prayer', 'family', 'new-1'], { id: 'new-1', form: { person_name: 'Anna' } })
    open('add', emptyForm('family'))
    expect(screen.queryByRole('button', { name: 'Bring it back' })).toBeNull()
  })
})

describe('“Save and add another”', () => {
  const onSaveAnother = vi.fn<(id: string, form: PrayerForm) => Promise<ActionResult>>()
  const saved = () => onSaveAnother.mock.calls
  const openForOthers = () =>
    render(
      <PrayerDialog
        mode="add"
        id="first"
        initial={emptyForm('family')}
        categories={[...categories, { id: 'church', name: 'Church' }]}
        onSave={onSave}
        onSaveAnother={onSaveAnother}
        onClose={() => {}}
      />,
    )

  it('saves, says so, and begins another prayer in the same category', async () => {
    onSaveAnother.mockResolvedValue({ success: true })
    openForOthers()
    enter('Category', 'church')
    enter('Name', ' Anna ')
    enter('Prayer Details (Optional)', 'for peace')
    const plan = () => screen.getByRole('button', { name: /^When to pray/ }).getAttribute('aria-expanded')
    await press('When to pray')
    expect(plan()).toBe('true')
    await press('Save and add another')
    expect(plan()).toBe('false')
    expect(saved()).toMatchObject([['first', { category_id: 'church', note: 'for peace' }]])
    expect(screen.getByRole('status').textContent).toBe('Anna was added to Church.')
    expect(document.activeElement).toBe(field('Name'))
    expect(field('Name')).toHaveProperty('value', '')
    expect(field('Prayer Details (Optional)')).toHaveProperty('value', '')
    expect(field('Category')).toHaveProperty('value', 'church')
    expect(Object.keys(sessionStorage)).toEqual([])

    enter('Name', 'Ben')
    await press('Add Prayer')
    const [id, form] = onSave.mock.calls[0] ?? []
    expect(id).not.toBe('first')
    expect(form).toEqual({ ...emptyForm('church'), person_name: 'Ben' })
  })

  it('takes a double click for one', async () => {
    // The second click is ignored for half a second, which may pass between the two on a busy machine.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onSaveAnother.mockResolvedValue({ success: true })
    openForOthers()
    enter('Name', 'Anna')
    const button = screen.getByRole('button', { name: 'Save and add another' })
    for (const detail of [1, 2]) await act(async () => void fireEvent.click(button, { detail }))
    expect(saved()).toHaveLength(1)
    expect(screen.queryByRole('alert')).toBeNull()
    vi.useRealTimers()
  })

  it('keeps what was typed if it is not valid, or cannot be saved', async () => {
    onSaveAnother.mockResolvedValue({ success: false, error: 'Failed to add prayer' })
    openForOthers()
    await press('Save and add another')
    expect(screen.getByRole('alert').textContent).toBe('Please enter a name')
    enter('Name', 'Anna')
    await press('Save and add another')
    expect(screen.getByRole('alert').textContent).toBe('Failed to add prayer')
    expect(field('Name')).toHaveProperty('value', 'Anna')
  })

  it('is only for new prayers', () => {
    open('edit', anna)
    expect(screen.queryByRole('button', { name: 'Save and add another' })).toBeNull()
  })
})

describe('texts that were shared', () => {
  const LONG = 'Please pray for Ruth and her mother. '.repeat(200)

  function DialogWithTexts() {
    const [texts, setTexts] = useState<readonly string[]>([LONG, 'For Boaz'])
    return (
      <PrayerDialog
        mode="add"
        id="anna"
        initial={emptyForm('family')}
        categories={categories}
        sharedTexts={texts}
        onSharedTextSettled={(settled) => setTexts(texts.filter((text) => text !== settled))}
        onSave={onSave}
        onClose={() => {}}
      />
    )
  }
  const offers = () => screen.queryAllByRole('group', { name: 'Shared with you' })
  const details = () => field(NOTE)

  it('are offered above an empty form, in part, and used in full or not at all', async () => {
    render(<DialogWithTexts />)
    expect(details()).toHaveProperty('value', '')
    const [long, short] = offers()
    if (!long || !short) throw new Error('Two texts should be offered.')
    expect(long.textContent?.length).toBeLessThan(600)
    const use = within(long).getByRole('button', { name: 'Use it' })
    // Screen readers read the text together with the button that has the focus.
    expect(document.activeElement).toBe(use)
    expect(
      use
        .getAttribute('aria-describedby')
        ?.split(' ')
        .map((id) => document.getElementById(id)?.textContent),
    ).toEqual(['Shared with you', LONG.slice(0, 500)])
    await press('Use it', long)
    expect(details()).toHaveProperty('value', LONG)
    expect(document.activeElement).toBe(within(short).getByRole('button', { name: 'Use it' }))
    await press('Discard', short)
    expect(offers()).toEqual([])
    expect(details()).toHaveProperty('value', LONG)
    expect(document.activeElement).toBe(field('Name'))
  })

  it('are added to the note, once, also to that of a draft, and are kept at once as unsaved text', async () => {
    leave({ Name: 'Ruth', [NOTE]: 'For Boaz' })
    render(<DialogWithTexts />)
    const [long, short] = offers()
    if (!long || !short) throw new Error('Two texts should be offered.')
    await press('Use it', long)
    await press('Use it', short)
    expect(details()).toHaveProperty('value', `${LONG}\n\nFor Boaz`)
    const drafts = Object.values(sessionStorage).map(String)
    expect(drafts.some((draft) => draft.includes(LONG))).toBe(true)
    await press('Bring it back')
    expect(field('Name')).toHaveProperty('value', 'Ruth')
    expect(details()).toHaveProperty('value', `For Boaz\n\n${LONG}`)
  })
})
