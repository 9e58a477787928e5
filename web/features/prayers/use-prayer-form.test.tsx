import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ActionResult } from '#web/data/changes.ts'
import { saveDraft } from '#web/lib/drafts.ts'
import { emptyForm, type PrayerForm } from './prayer-form.ts'
import { usePrayerForm } from './use-prayer-form.ts'

const categories = [
  { id: 'family', name: 'Family' },
  { id: 'friends', name: 'Friends' },
]
const failed: ActionResult = { success: false, error: 'Failed to add prayer' }

let finishSaving: (result: ActionResult) => void
const onSave = vi.fn<(id: string, form: PrayerForm) => Promise<ActionResult>>()

beforeEach(() => {
  onSave.mockReset().mockImplementation(() => new Promise((resolve) => (finishSaving = resolve)))
})

function openForm(id = 'new-1', sharedNote?: string) {
  return renderHook(() =>
    usePrayerForm({ mode: 'add', id, initial: emptyForm('family'), sharedNote, categories, onSave }),
  )
}

describe('saving', () => {
  it('sends one request, however often the form is submitted', async () => {
    const { result } = openForm()
    act(() => result.current.change({ person_name: 'Anna' }))
    act(() => {
      result.current.submit()
      result.current.submit()
    })
    expect(onSave).toHaveBeenCalledTimes(1)
    expect(result.current.saving).toBe(true)
    await act(async () => finishSaving({ success: true }))
    expect(result.current.saving).toBe(false)
  })

  it('does not send an incomplete form, but shows what is missing until something is typed', () => {
    const { result } = openForm()
    act(() => void result.current.submit())
    expect(result.current.errors).toEqual({ person_name: 'Please enter a name' })
    expect(onSave).not.toHaveBeenCalled()
    act(() => result.current.change({ person_name: 'A' }))
    expect(result.current.errors).toEqual({})
  })

  it('keeps what was typed and shows the error when it fails, and can be repeated with the same id', async () => {
    const { result } = openForm()
    act(() => result.current.change({ person_name: 'Anna', note: 'for peace' }))
    act(() => void result.current.submit())
    await act(async () => finishSaving(failed))
    expect(result.current.saveError).toBe('Failed to add prayer')
    expect(result.current.form).toMatchObject({ person_name: 'Anna', note: 'for peace' })
    act(() => void result.current.submit())
    expect(result.current.saveError).toBeNull()
    await act(async () => finishSaving({ success: true }))
    expect(onSave.mock.calls.map(([id]) => id)).toEqual(['new-1', 'new-1'])
  })
})

describe('unsaved text', () => {
  it('is offered when the dialog is opened again, and is restored with its id', () => {
    const first = openForm()
    act(() => first.result.current.change({ person_name: 'Anna', category_id: 'friends' }))
    first.result.current.keepDraft()
    first.unmount()

    const { result } = openForm('new-2')
    expect(result.current.form.person_name).toBe('')
    expect(result.current.draft?.form.person_name).toBe('Anna')
    act(() => result.current.restoreDraft())
    expect(result.current.form).toMatchObject({ person_name: 'Anna', category_id: 'friends' })
    expect(result.current.draft).toBeUndefined()
    act(() => void result.current.submit())
    expect(onSave).toHaveBeenCalledWith('new-1', expect.objectContaining({ person_name: 'Anna' }))
  })

  it('is kept when the dialog is closed before the response, and saving fails', async () => {
    const first = openForm()
    act(() => first.result.current.change({ person_name: 'Anna' }))
    act(() => void first.result.current.submit())
    first.unmount()
    await act(async () => finishSaving(failed))
    expect(openForm('new-2').result.current.draft?.form.person_name).toBe('Anna')
  })

  it('is deleted once it has been saved', async () => {
    const first = openForm()
    act(() => first.result.current.change({ person_name: 'Anna' }))
    act(() => void first.result.current.submit())
    first.unmount()
    await act(async () => finishSaving({ success: true }))
    expect(openForm('new-2').result.current.draft).toBeUndefined()
  })

  it('is kept when the page is hidden, because a phone may then discard it', () => {
    const first = openForm()
    act(() => first.result.current.change({ person_name: 'Anna' }))
    window.dispatchEvent(new Event('pagehide'))
    first.unmount()
    expect(openForm('new-2').result.current.draft?.form.person_name).toBe('Anna')
  })

  it('is ignored if it does not have the fields of this form', () => {
    saveDraft(['new-prayer', 'family', 'new-1'], { id: 'new-1', form: { person_name: 'Anna' } })
    expect(openForm('new-2').result.current.draft).toBeUndefined()
  })

  it('makes the browser ask before the page is left', () => {
    const { result, unmount } = openForm()
    const leavesWithoutAsking = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(leavesWithoutAsking()).toBe(true)
    act(() => result.current.change({ person_name: 'Anna' }))
    expect(leavesWithoutAsking()).toBe(false)
    unmount()
    expect(leavesWithoutAsking()).toBe(true)
  })
})

describe('a shared text', () => {
  it('is the note, and counts as unsaved', () => {
    const first = openForm('new-1', 'Pray for Ruth')
    expect(first.result.current.form).toMatchObject({ person_name: '', note: 'Pray for Ruth' })
    window.dispatchEvent(new Event('pagehide'))
    expect(openForm('new-2').result.current.draft?.form.note).toBe('Pray for Ruth')
  })

  it('is added, once, to the note of a draft that is restored', () => {
    const { result } = openForm('new-1')
    act(() => result.current.change({ person_name: 'Anna', note: 'for peace' }))
    act(() => result.current.keepDraft())
    const second = openForm('new-2', 'Pray for Ruth')
    act(() => second.result.current.restoreDraft())
    const restored = { person_name: 'Anna', note: 'for peace\n\nPray for Ruth' }
    expect(second.result.current.form).toMatchObject(restored)
    act(() => second.result.current.keepDraft())
    const third = openForm('new-3', 'Pray for Ruth')
    act(() => third.result.current.restoreDraft())
    expect(third.result.current.form).toMatchObject(restored)
  })
})

it('a category that has been hidden in the meantime must be selected again', () => {
  const { result } = openForm()
  act(() => result.current.change({ person_name: 'Anna', category_id: 'deleted' }))
  act(() => void result.current.submit())
  expect(result.current.errors).toEqual({ category_id: 'Please select a category' })
})
