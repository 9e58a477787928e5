import { act, renderHook } from '@testing-library/react'
import { object, string } from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hideDrafts, setDraftOwner } from './draft-owner.ts'
import { readDrafts } from './drafts.ts'
import { useDraft } from './use-draft.ts'

const NAMED = object({ id: string(), name: string() })

beforeEach(() => setDraftOwner('anna'))
afterEach(() => setDraftOwner(null))

describe('a form', () => {
  const open = (id: string, restore = false) => {
    const { result, unmount } = renderHook(() =>
      useDraft({
        form: ['new-prayer', 'family'],
        schema: NAMED,
        initial: { id, name: '' },
        restore,
        isUnsaved: ({ name }) => name.trim() !== '',
      }),
    )
    return {
      draft: () => result.current,
      type: (name: string) => act(() => result.current.change({ ...result.current.typed, name })),
      restore: () => act(() => result.current.restore()),
      discard: () => act(() => result.current.discard()),
      save: (success: boolean) => act(() => result.current.save(async () => ({ success }))),
      saveSlowly: (next?: { id: string; name: string }) => {
        let finish = () => {}
        const written = new Promise<void>((resolve) => (finish = resolve))
        const saved = result.current.save(async () => written.then(() => ({ success: true })), next)
        return () =>
          act(async () => {
            finish()
            await saved
          })
      },
      unmount,
    }
  }
  /** What is offered after a crash: the page got no event, and no component was unmounted. */
  const offered = () => open('another').draft().offered?.name

  it('has stored every word as soon as it is typed, since a browser that crashes gives no notice', () => {
    const { type } = open('1')
    type('Es')
    expect(offered()).toBe('Es')
    type('Esther')
    expect(offered()).toBe('Esther')
  })

  it('offers its text to the same user only', () => {
    open('1').type('Esther')
    setDraftOwner('clara')
    expect(offered()).toBeUndefined()
    setDraftOwner('anna')
    expect(offered()).toBeUndefined()
    expect(JSON.stringify(sessionStorage)).not.toContain('Esther')
  })

  it.each([
    ['anna', 'Esther'],
    ['clara', undefined],
  ])(
    'that is open when the server ends the session keeps its text for its user: %s finds %s',
    (next, found) => {
      const { type, unmount } = open('1')
      type('Esther')
      hideDrafts()
      unmount()
      expect(offered()).toBeUndefined()
      setDraftOwner(next)
      expect(offered()).toBe(found)
    },
  )

  it('that is open when the user signs out stores nothing afterwards', () => {
    const { type, unmount } = open('1')
    type('Esther')
    setDraftOwner(null)
    unmount()
    expect(JSON.stringify(sessionStorage)).not.toContain('Esther')
  })

  it.each([
    ['deleted', 'succeeds', true, undefined],
    ['kept', 'fails', false, 'Esther'],
  ])('has its draft %s when saving %s, even if it is closed before that', async (_, _how, success, found) => {
    const { type, save, unmount } = open('1')
    type('Esther')
    const saved = save(success)
    unmount()
    expect(await saved).toEqual({ success })
    expect(offered()).toBe(found)
  })

  it('leaves no draft of a text that is taken back', () => {
    const { type } = open('1')
    type('Esther')
    type(' ')
    expect(offered()).toBeUndefined()
  })

  it('keeps what is typed while it is being saved', async () => {
    const { draft, type, saveSlowly } = open('1')
    type('Esther')
    const finish = saveSlowly()
    type('Esther’s mother')
    await finish()
    expect(offered()).toBe('Esther’s mother')
    const finishBoth = saveSlowly({ id: '2', name: '' })
    type('Esther’s mother, Ruth')
    await finishBoth()
    expect(draft().typed).toEqual({ id: '2', name: 'Esther’s mother, Ruth' })
    await saveSlowly({ id: '3', name: '' })()
    expect(draft().typed).toEqual({ id: '3', name: '' })
    expect(offered()).toBeUndefined()
  })

  it('offers a draft, and saves it under its id once it is restored', async () => {
    open('1').type('Esther')
    const { draft, type, restore, save } = open('2')
    expect(draft()).toMatchObject({ typed: { id: '2', name: '' }, offered: { id: '1', name: 'Esther' } })
    type('E')
    restore()
    expect(draft()).toMatchObject({ typed: { id: '1', name: 'Esther' }, offered: null })
    await save(true)
    expect(offered()).toBeUndefined()
  })

  it('begins with the draft that is to be restored, or empty if that has been saved meanwhile', () => {
    open('1').type('Esther')
    expect(open('1', true).draft()).toMatchObject({ typed: { name: 'Esther' }, offered: null })
    expect(open('2', true).draft()).toMatchObject({ typed: { name: '' }, offered: null })
  })

  it.each(['1', '2'])(
    'deletes the draft that is discarded, but not what was typed since, under the id %s',
    (id) => {
      open('1').type('Esther')
      const { type, discard } = open(id)
      type('Ruth')
      discard()
      expect(readDrafts(['new-prayer', 'family'], NAMED).map(({ draft }) => draft)).toEqual([
        { id, name: 'Ruth' },
      ])
      type('')
      expect(offered()).toBeUndefined()
    },
  )

  it('keeps offering a draft of the same id when what was typed instead is taken back', () => {
    open('1').type('Esther')
    const { type } = open('1')
    type('Ruth')
    type('')
    expect(offered()).toBe('Esther')
  })

  it('can be filled in and saved while the storage is full', async () => {
    const { draft, type, save } = open('1')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    type('Esther')
    expect(draft().typed.name).toBe('Esther')
    expect(await save(true)).toEqual({ success: true })
  })

  it('makes the browser ask before the page is left with unsaved text', () => {
    const { type, unmount } = open('1')
    const leavesWithoutAsking = () => dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(leavesWithoutAsking()).toBe(true)
    type('Esther')
    expect(leavesWithoutAsking()).toBe(false)
    unmount()
    expect(leavesWithoutAsking()).toBe(true)
  })
})
