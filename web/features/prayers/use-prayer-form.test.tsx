import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ActionResult } from '#web/data/make-change.ts'
import { saveDraft } from '#web/lib/storage/drafts.ts'
import { emptyForm, type PrayerForm } from './prayer-form.ts'
import { usePrayerForm } from './use-prayer-form.ts'

const categories = [
  { id: 'family', name: 'Family' },
  { id: 'friends', name: 'Friends' },
]
const succeeded: ActionResult = { success: true }
const failed: ActionResult = { success: false, error: 'Failed to add prayer' }

let respond: (result: ActionResult) => void
const onSave = vi.fn<(id: string, form: PrayerForm) => Promise<ActionResult>>()

beforeEach(() => void onSave.mockImplementation(() => new Promise((resolve) => (respond = resolve))))

/** Opens the form under an id, and types. */
function openForm(id: string, typed: Partial<PrayerForm> = {}) {
  const { result } = renderHook(() =>
    usePrayerForm({ mode: 'add', id, initial: emptyForm('family'), categories, onSave }),
  )
  const change = (fields: Partial<PrayerForm>) => act(() => result.current.change(fields))
  change(typed)
  return {
    form: () => result.current,
    change,
    submit: (another?: boolean) => act(() => void result.current.submit(another)),
    finishSaving: (response: ActionResult) => act(async () => respond(response)),
    restoreDraft: () => act(() => result.current.restoreDraft()),
    addToNote: (text: string) => act(() => result.current.addToNote(text)),
  }
}
const offeredDraft = () => openForm('another').form().offered?.form

describe('saving', () => {
  it('sends one request, however often the form is submitted', async () => {
    const { form, submit, finishSaving } = openForm('new-1', { person_name: 'Anna' })
    submit()
    submit()
    expect(onSave).toHaveBeenCalledTimes(1)
    expect(form().saving).toBe(true)
    await finishSaving(succeeded)
    expect(form().saving).toBe(false)
  })

  it.each([
    [{ person_name: ' \n ' }, { person_name: 'Please enter a name' }, { person_name: 'A' }],
    // It was hidden in the meantime.
    [
      { person_name: 'Anna', category_id: 'deleted' },
      { category_id: 'Please select a category' },
      { category_id: 'friends' },
    ],
  ])('does not send %j, but shows what is missing until it is there', (typed, errors, change) => {
    const anna = openForm('new-1', typed)
    anna.submit()
    expect(anna.form().errors).toEqual(errors)
    expect(onSave).not.toHaveBeenCalled()
    anna.change({ note: 'for peace', ...typed })
    expect(anna.form().errors).toEqual(errors)
    anna.change(change)
    expect(anna.form().errors).toEqual({})
  })

  it('keeps what was typed and shows the error when it fails, and can be repeated with the same id', async () => {
    const typed = { person_name: 'Anna', note: 'for peace' }
    const { form, submit, finishSaving } = openForm('new-1', typed)
    submit()
    await finishSaving(failed)
    expect(form().saveError).toBe('Failed to add prayer')
    expect(form().form).toMatchObject(typed)
    submit()
    expect(form().saveError).toBeNull()
    await finishSaving(succeeded)
    expect(onSave.mock.calls.map(([id]) => id)).toEqual(['new-1', 'new-1'])
  })
})

describe('unsaved text', () => {
  it('is offered when the dialog is opened again, and is restored with its id', () => {
    const typed = { person_name: 'Anna', category_id: 'friends' }
    openForm('new-1', typed)
    const { form, submit, restoreDraft } = openForm('new-2')
    expect(form().form.person_name).toBe('')
    expect(form().offered?.form).toMatchObject(typed)
    restoreDraft()
    expect(form().form).toMatchObject(typed)
    expect(form().offered).toBeNull()
    submit()
    expect(onSave).toHaveBeenCalledWith('new-1', expect.objectContaining(typed))
  })

  it('gets an id of its own if another prayer has been saved under its id', async () => {
    openForm('new-1', { person_name: 'Anna' })
    const { form, change, submit, finishSaving, restoreDraft } = openForm('new-1')
    change({ person_name: 'Ben' })
    submit(true)
    await finishSaving(succeeded)
    restoreDraft()
    expect(form().form.person_name).toBe('Anna')
    submit()
    const [[ben] = [], [anna] = []] = onSave.mock.calls
    expect(ben).toBe('new-1')
    expect(anna).not.toBe('new-1')
  })

  it('is ignored if it does not have the fields of this form', () => {
    saveDraft(['new-prayer', 'family', 'new-1'], { id: 'new-1', form: { person_name: 'Anna' } })
    expect(offeredDraft()).toBeUndefined()
  })
})

describe('a shared text that is used', () => {
  it('is added to the note, once, and is kept at once as unsaved text', () => {
    const { form, addToNote } = openForm('new-1', { note: 'for peace' })
    for (const text of ['Pray for Ruth', 'Pray for Ruth']) addToNote(text)
    expect(form().form).toMatchObject({ person_name: '', note: 'for peace\n\nPray for Ruth' })
    expect(offeredDraft()?.note).toBe('for peace\n\nPray for Ruth')
  })

  it('stays when a draft is restored after it', () => {
    openForm('new-1', { person_name: 'Anna', note: 'for peace' })
    const { form, addToNote, restoreDraft } = openForm('new-2')
    addToNote('Pray for Ruth')
    restoreDraft()
    expect(form().form).toMatchObject({ person_name: 'Anna', note: 'for peace\n\nPray for Ruth' })
  })
})
