import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { hasDrafts, saveDraft } from '#web/lib/storage/drafts.ts'
import { anna, FakeServer, openSynced, updateOnAnna, withData } from './user-data.test-data.ts'
import type { PrayerUpdate } from './prayer-updates.ts'
import { prayerActions } from './prayers.ts'
import { type UpdateDraft, useUpdateForm } from './update-form.ts'

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
  server.put('prayers', anna)
  server.put('prayer_updates', updateOnAnna)
})

async function openForms() {
  const { data, sync } = await openSynced(server)
  const bodies = () => sync.rows('prayer_updates').map(({ body }) => body)
  const open = (options: { update?: PrayerUpdate; draft?: UpdateDraft } = {}) =>
    renderHook(() => useUpdateForm({ prayerId: 'anna', ...options }), withData(data))
  /** Types a text, and closes the form. */
  const leave = (text: string) => {
    const { result, unmount } = open()
    act(() => result.current.change(text))
    unmount()
  }
  return { data, bodies, open, leave }
}

describe('a new update', () => {
  it('is saved without the space around it, once', async () => {
    const { bodies, open } = await openForms()
    const { result } = open()
    act(() => result.current.change(' She is home \n'))
    await act(() => result.current.save())
    expect(await act(() => result.current.save())).toBe(true)
    expect(bodies()).toEqual(['She is home', 'She is better'])
  })

  it('needs a text', async () => {
    const { bodies, open } = await openForms()
    const { result } = open()
    act(() => result.current.change(' '))
    expect(await act(() => result.current.save())).toBe(false)
    expect(result.current.error).toBe('Please enter an update')
    act(() => result.current.change('  '))
    expect(result.current.error).toBe('Please enter an update')
    act(() => result.current.change('S'))
    expect(result.current.error).toBeNull()
    expect(bodies()).toEqual(['She is better'])
  })

  it('keeps its text if it cannot be saved, and says why', async () => {
    expectConsoleError('Prayer not found')
    const { data, open } = await openForms()
    const { result } = open()
    act(() => result.current.change('She is home'))
    await act(() => prayerActions(data).remove(anna))
    expect(await act(() => result.current.save())).toBe(false)
    expect(result.current).toMatchObject({
      draft: { typed: { body: 'She is home' } },
      error: 'Prayer not found',
    })
  })
})

describe('a text that was not saved', () => {
  it('is offered when the form is opened again, and saved under its id', async () => {
    const { open, bodies, leave } = await openForms()
    leave('She is home')
    const { result } = open()
    expect(result.current.draft).toMatchObject({ typed: { body: '' }, offered: { body: 'She is home' } })
    act(() => result.current.draft.restore())
    expect(result.current.draft.typed.body).toBe('She is home')
    await act(() => result.current.save())
    expect(bodies()).toEqual(['She is home', 'She is better'])
  })

  it('of another form is not offered', async () => {
    const { open } = await openForms()
    saveDraft(['new-update', 'anna', 'x'], { id: 'x', body: 'She is home' })
    saveDraft(['new-update', 'ruth', 'y'], { id: 'y', prayer_id: 'ruth', update_id: null, body: 'Ruth' })
    expect(open().result.current.draft.offered).toBeNull()
  })
})

describe('an update that is changed', () => {
  it('begins with its text, and has a draft of its own', async () => {
    const { bodies, open } = await openForms()
    const { result } = open({ update: updateOnAnna })
    expect(result.current.draft.typed.body).toBe('She is better')
    act(() => result.current.change('She is well'))
    expect(open().result.current.draft.offered).toBeNull()
    expect(open({ update: updateOnAnna }).result.current.draft.offered?.body).toBe('She is well')
    await act(() => result.current.save())
    expect(bodies()).toEqual(['She is well'])
  })

  it('is not sent if it is as before', async () => {
    const { open } = await openForms()
    const { result } = open({ update: updateOnAnna })
    expect(await act(() => result.current.save())).toBe(true)
    expect(server.changes).toEqual([])
  })

  it('becomes a new one under another id if it was deleted meanwhile, and leaves no draft', async () => {
    const { bodies, open } = await openForms()
    const draft = { id: 'new', prayer_id: 'anna', update_id: 'deleted', body: 'She is well' }
    saveDraft(['update', 'deleted', 'new'], draft)
    const { result } = open({ draft })
    expect(result.current.draft.typed.body).toBe('She is well')
    await act(() => result.current.save())
    expect(hasDrafts()).toBe(false)
    expect(bodies()).toEqual(['She is well', 'She is better'])
  })
})
