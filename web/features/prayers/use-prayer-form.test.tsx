import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { saveDraft } from '#web/lib/drafts.ts'
import type { ActionResult } from '#web/data/change-list.ts'
import { emptyForm, type PrayerForm } from './prayer-form.ts'
import { usePrayerForm } from './use-prayer-form.ts'

const categories = [
  { id: 'family', name: 'Family' },
  { id: 'friends', name: 'Friends' },
]
const refused: ActionResult = { success: false, error: 'Failed to add prayer' }

let answer: (result: ActionResult) => void
const onSave = vi.fn<(id: string, form: PrayerForm) => Promise<ActionResult>>()

beforeEach(() => {
  onSave.mockReset().mockImplementation(() => new Promise((resolve) => (answer = resolve)))
})

function openDialog(id = 'new-1') {
  return renderHook(() => usePrayerForm({ mode: 'add', id, start: emptyForm('family'), categories, onSave }))
}

describe('saving', () => {
  it('sends one request however often it is asked for', async () => {
    const { result } = openDialog()
    act(() => result.current.change({ name: 'Anna' }))
    act(() => {
      result.current.submit()
      result.current.submit()
    })
    expect(onSave).toHaveBeenCalledTimes(1)
    expect(result.current.saving).toBe(true)
    await act(async () => answer({ success: true }))
    expect(result.current.saving).toBe(false)
  })

  it('says what is missing instead, until something is typed', () => {
    const { result } = openDialog()
    act(() => void result.current.submit())
    expect(result.current.errors).toEqual({ name: 'Please enter a name' })
    expect(onSave).not.toHaveBeenCalled()
    act(() => result.current.change({ name: 'A' }))
    expect(result.current.errors).toEqual({})
  })

  it('keeps what was typed and says why when it is refused, and tries again under the same id', async () => {
    const { result } = openDialog()
    act(() => result.current.change({ name: 'Anna', note: 'for peace' }))
    act(() => void result.current.submit())
    await act(async () => answer(refused))
    expect(result.current.refusal).toBe('Failed to add prayer')
    expect(result.current.form).toMatchObject({ name: 'Anna', note: 'for peace' })
    act(() => void result.current.submit())
    expect(result.current.refusal).toBeNull()
    await act(async () => answer({ success: true }))
    expect(onSave.mock.calls.map(([id]) => id)).toEqual(['new-1', 'new-1'])
  })
})

describe('text that was typed and not saved', () => {
  it('is offered when the dialog is opened again, and comes back with its id', () => {
    const first = openDialog()
    act(() => first.result.current.change({ name: 'Anna', categoryId: 'friends' }))
    first.result.current.keepDraft()
    first.unmount()

    const { result } = openDialog('new-2')
    expect(result.current.form.name).toBe('')
    expect(result.current.draft?.form.name).toBe('Anna')
    act(() => result.current.restoreDraft())
    expect(result.current.form).toMatchObject({ name: 'Anna', categoryId: 'friends' })
    expect(result.current.draft).toBeUndefined()
    act(() => void result.current.submit())
    expect(onSave).toHaveBeenCalledWith('new-1', expect.objectContaining({ name: 'Anna' }))
  })

  it('is kept when the dialog is closed before the answer, until it is known to be saved', async () => {
    const first = openDialog()
    act(() => first.result.current.change({ name: 'Anna' }))
    act(() => void first.result.current.submit())
    first.unmount()
    await act(async () => answer(refused))
    expect(openDialog('new-2').result.current.draft?.form.name).toBe('Anna')
  })

  it('is forgotten once it is saved', async () => {
    const first = openDialog()
    act(() => first.result.current.change({ name: 'Anna' }))
    act(() => void first.result.current.submit())
    first.unmount()
    await act(async () => answer({ success: true }))
    expect(openDialog('new-2').result.current.draft).toBeUndefined()
  })

  it('is kept when the page goes out of sight, where a phone may leave it', () => {
    const first = openDialog()
    act(() => first.result.current.change({ name: 'Anna' }))
    window.dispatchEvent(new Event('pagehide'))
    first.unmount()
    expect(openDialog('new-2').result.current.draft?.form.name).toBe('Anna')
  })

  it('is left alone when it is not what this dialog keeps', () => {
    saveDraft('["prayer"]', { id: 'new-1', form: { name: 'Anna' } })
    expect(openDialog('new-2').result.current.draft).toBeUndefined()
  })

  it('makes the browser ask before it leaves the page', () => {
    const { result, unmount } = openDialog()
    const leaves = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(leaves()).toBe(true)
    act(() => result.current.change({ name: 'Anna' }))
    expect(leaves()).toBe(false)
    unmount()
    expect(leaves()).toBe(true)
  })
})

it('a category that was hidden meanwhile has to be chosen anew', () => {
  const { result } = openDialog()
  act(() => result.current.change({ name: 'Anna', categoryId: 'gone' }))
  act(() => void result.current.submit())
  expect(result.current.errors).toEqual({ categoryId: 'Please select a category' })
})
