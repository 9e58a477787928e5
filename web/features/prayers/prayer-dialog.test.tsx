import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ActionResult } from '#web/data/make-change.ts'
import { enter, press } from '#web/test-rendering.tsx'
import { PrayerDialog } from './prayer-dialog.tsx'
import { emptyForm, type PrayerForm } from './prayer-form.ts'

const categories = [{ id: 'family', name: 'Family' }]
const anna: PrayerForm = { ...emptyForm('family'), person_name: 'Anna', note: 'for peace' }
const onSave = vi.fn<(id: string, form: PrayerForm) => Promise<ActionResult>>()

beforeEach(() => void onSave.mockResolvedValue({ success: true }))

const open = (mode: 'add' | 'edit', initial: PrayerForm) =>
  render(
    <PrayerDialog
      mode={mode}
      id="anna"
      initial={initial}
      categories={categories}
      onSave={onSave}
      onClose={() => {}}
    />,
  )
const field = (label: string) => screen.getByLabelText(label)

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

it.each([{ ctrlKey: true }, { metaKey: true }])(
  'is saved by Enter in the note with %o, but not without',
  (keys) => {
    open('add', anna)
    const note = field('Prayer Details (Optional)')
    fireEvent.keyDown(note, { key: 'Enter' })
    expect(onSave).not.toHaveBeenCalled()
    fireEvent.keyDown(note, { key: 'Enter', ...keys })
    expect(onSave).toHaveBeenCalledExactlyOnceWith('anna', anna)
  },
)

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
    await press('Save and add another')
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
  const details = () => field('Prayer Details (Optional)')

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
})
