import { act, renderHook } from '@testing-library/react'
import { object, string } from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hideDrafts, setDraftOwner } from './draft-owner.ts'
import { readDrafts, saveDraft } from './drafts.ts'
import { useDraft } from './use-draft.ts'

const NAMED = object({ id: string(), name: string() })

beforeEach(() => setDraftOwner('anna'))
afterEach(() => setDraftOwner(null))

describe('a form', () => {
  const open = (id: string, restore: string | boolean = false) => {
    const { result, unmount } = renderHook(() =>
      useDraft({
        form: ['new-prayer', 'family'],
        schema: NAMED,
        initial: { id, name: '' },
        restore,
        isUnsaved: ({ name }) => name.trim() !== '',
        ofSaved: (typed) => ({ form: ['prayer', typed.id], typed }),
      }),
    )
    return {
      draft: () => result.current,
      type: (name: string) => act(() => result.current.change({ ...result.current.typed, name })),
      restore: () => act(() => result.current.restore()),
      discard: () => act(() => result.current.discard()),
      save: (success: boolean) => act(() => result.current.save(async () => ({ success }))),
      saveSlowly: (next?: { id: string; name: string }, success = true) => {
        let finish = () => {}
        const written = new Promise<void>((resolve) => (finish = resolve))
        const saved = result.current.save(async () => written.then(() => ({ success })), next)
        return () =>
          act(async () => {
            finish()
            await saved
          })
      },
      unmount,
    }
  }
  /** The form of a name that exists. */
  const edit = (name: string, restore: string | boolean = true) =>
    renderHook(() =>
      useDraft({
        form: ['category', '1'],
        schema: NAMED,
        initial: { id: '1', name },
        restore,
        isUnsaved: (typed) => typed.name !== name,
      }),
    ).result
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
    expect(offered()).toBeUndefined()
    const ofSaved = readDrafts(['prayer', '1'], NAMED).map(({ draft: kept }) => kept)
    expect(ofSaved).toMatchObject([{ id: '1', name: 'Esther’s mother', base: { id: '1', name: 'Esther' } }])
    const finishBoth = saveSlowly({ id: '2', name: '' })
    type('Esther’s mother, Ruth')
    await finishBoth()
    expect(draft().typed).toEqual({ id: '2', name: 'Esther’s mother, Ruth' })
    await saveSlowly({ id: '3', name: '' })()
    expect(draft().typed).toEqual({ id: '3', name: '' })
    expect(offered()).toBeUndefined()
  })

  it('does not offer again what was discarded, and keeps what was restored, while another prayer is being saved', async () => {
    open('1').type('Esther')
    const { draft, type, discard, saveSlowly } = open('2')
    type('Ruth')
    const finish = saveSlowly({ id: '3', name: '' })
    discard()
    await finish()
    expect(draft()).toMatchObject({ typed: { id: '3', name: '' }, offered: null })
    expect(offered()).toBeUndefined()
    open('4').type('Esther')
    const again = open('5')
    again.type('Ruth')
    const finishAgain = again.saveSlowly({ id: '6', name: '' })
    again.restore()
    await finishAgain()
    expect(again.draft()).toMatchObject({ typed: { name: 'Esther' }, offered: null })
    expect(offered()).toBe('Esther')
  })

  it('offers a draft, which becomes a row of its own once it is restored: it may have been copied with its tab', async () => {
    open('1').type('Esther')
    const { draft, type, restore, save } = open('2')
    expect(draft()).toMatchObject({ typed: { id: '2', name: '' }, offered: { id: '1', name: 'Esther' } })
    type('E')
    restore()
    expect(draft()).toMatchObject({ typed: { name: 'Esther' }, offered: { id: '2', name: 'E' } })
    expect(draft().typed.id).not.toMatch(/^[12]$/)
    await save(true)
    expect(offered()).toBe('E')
  })

  it('was typed over what its form had begun with, even if the row has changed since', () => {
    const first = edit('Family')
    act(() => first.current.change({ id: '1', name: 'Home' }))
    expect(edit('Relatives').current).toMatchObject({ typed: { name: 'Home' }, base: { name: 'Family' } })
    act(() => first.current.change({ id: '1', name: 'Family' }))
    // As version 0.3.0 has stored it.
    saveDraft(['category', '1', '1'], { id: '1', name: 'Home' })
    expect(edit('Relatives').current).toMatchObject({ typed: { name: 'Home' }, base: { name: 'Relatives' } })
  })

  it('of a row was typed over what was saved last', async () => {
    const { result } = renderHook(() =>
      useDraft({
        form: ['category', '1'],
        schema: NAMED,
        initial: { id: '1', name: 'Family' },
        isUnsaved: ({ name }) => name !== 'Family',
      }),
    )
    const type = (name: string) => act(() => result.current.change({ id: '1', name }))
    type('Home')
    await act(() =>
      result.current.save(async () => {
        type('Homes')
        return { success: true }
      }),
    )
    expect(readDrafts(['category', '1'], NAMED)).toMatchObject([
      { draft: { name: 'Homes', base: { name: 'Home' } } },
    ])
    // The page may be closed before it knows that what it has sent was saved.
    const [home, homes] = ['Home', 'Homes'].map((name) => ({ id: '1', name }))
    saveDraft(['category', '1', '1'], { ...homes, base: { id: '1', name: 'Family' }, sent: [home] })
    expect(edit('Home').current).toMatchObject({ typed: homes, base: home })
  })

  it('is saved under another id if earlier pages have sent something else under its own', async () => {
    const saveAgain = async (id: string, ...sent: readonly string[]) => {
      const earlier = sent.map((name) => ({ name, id }))
      saveDraft(['new-prayer', 'family', id], { id, name: 'Esther', sent: earlier })
      const write = vi.fn(async ({ id: saved }: { id: string }) => ({ success: true, saved }))
      const { draft } = open(id, true)
      return (await act(() => draft().save(write))).saved
    }
    expect(await saveAgain('same', 'Esther')).toBe('same')
    expect(await saveAgain('other', 'Ester')).not.toBe('other')
    expect(await saveAgain('both', 'Ester', 'Esther')).not.toBe('both')
    expect(offered()).toBeUndefined()
    // The engine knows what this page has sent, until another user signs in.
    const { type, save, unmount } = open('here')
    type('Ester')
    await save(false)
    unmount()
    expect(await saveAgain('here', 'Ester')).toBe('here')
    setDraftOwner(null)
    setDraftOwner('anna')
    expect(await saveAgain('here', 'Ester')).not.toBe('here')
  })

  it('is kept if an earlier one of the form is saved late', async () => {
    const { type, saveSlowly, unmount } = open('1')
    type('Esther')
    const finish = saveSlowly()
    unmount()
    open('1', true).type('Esther and Ruth')
    await finish()
    expect(offered()).toBe('Esther and Ruth')
  })

  it('is kept if saving fails after another draft was brought back', async () => {
    open('1').type('Esther')
    const { type, restore, saveSlowly } = open('2')
    type('Ruth')
    const finish = saveSlowly(undefined, false)
    restore()
    await finish()
    const kept = readDrafts(['new-prayer', 'family'], NAMED).map(({ draft }) => draft.name)
    expect(kept.toSorted()).toEqual(['Esther', 'Ruth'])
  })

  it('is offered again if the form was saved without it', async () => {
    open('1').type('Esther')
    const { type, save, saveSlowly, discard } = open('1')
    type('Ruth')
    await save(true)
    expect(offered()).toBe('Esther')
    type('Ruth and Naomi')
    const finish = saveSlowly()
    discard()
    await finish()
    expect(offered()).toBeUndefined()
  })

  it('begins with the draft that is to be restored, or empty if that has been saved meanwhile', () => {
    open('1').type('Esther')
    expect(open('1', true).draft()).toMatchObject({ typed: { name: 'Esther' }, offered: null })
    const saved = open('2', true).draft()
    expect(saved).toMatchObject({ typed: { name: '' }, offered: null })
    // Under the id of the row that was saved, another one would replace it.
    expect(saved.typed.id).not.toBe('2')
  })

  it('deletes the draft that is discarded, but not what was typed since', () => {
    open('1').type('Esther')
    const { type, discard } = open('1')
    type('Ruth')
    discard()
    expect(readDrafts(['new-prayer', 'family'], NAMED)).toMatchObject([{ draft: { name: 'Ruth' } }])
    type('')
    expect(offered()).toBeUndefined()
  })

  it('leaves the draft that it offers, and its id, until that is brought back or discarded', async () => {
    open('1').type('Esther')
    const { draft, type, restore } = open('1')
    type('Ruth')
    expect(draft().typed.id).not.toBe('1')
    expect(offered()).toBe('Esther')
    restore()
    expect(draft()).toMatchObject({ typed: { name: 'Esther' }, offered: { name: 'Ruth' } })
    restore()
    expect(draft()).toMatchObject({ typed: { name: 'Ruth' }, offered: { name: 'Esther' } })
    type('')
    expect(offered()).toBe('Esther')
  })

  it('keeps its id if others refer to it', async () => {
    const correct = (restore?: string) =>
      renderHook(() =>
        useDraft({
          form: ['rejected', 'change'],
          schema: NAMED,
          initial: { id: '1', name: 'Esther' },
          restore,
          isUnsaved: ({ name }) => name !== 'Esther',
          ofSaved: (typed) => ({ form: ['prayer', typed.id], typed }),
          keepsId: true,
        }),
      ).result
    const first = correct()
    act(() => first.current.change({ id: '1', name: 'Ester' }))
    const again = correct()
    expect(again.current).toMatchObject({ typed: { id: '1' }, offered: { id: '1', name: 'Ester' } })
    act(() => again.current.restore())
    expect(again.current.typed).toEqual({ id: '1', name: 'Ester' })
  })

  it('is found by its key, also once it has another id', () => {
    open('1').type('Esther')
    const key = readDrafts(['new-prayer', 'family'], NAMED)[0]?.name.at(-1) ?? ''
    open('2').restore()
    expect(open('1', key).draft().typed.name).toBe('Esther')
  })

  it('keeps what was typed while it was being saved, although another draft was brought back then', async () => {
    open('1').type('Esther')
    const { draft, type, restore, saveSlowly } = open('2')
    type('Ruth')
    const finish = saveSlowly()
    type('Ruth and Naomi')
    restore()
    await finish()
    expect(draft()).toMatchObject({ typed: { name: 'Esther' }, offered: null })
    expect(readDrafts(['prayer', '2'], NAMED)).toMatchObject([
      { draft: { name: 'Ruth and Naomi', base: { name: 'Ruth' } } },
    ])
  })

  it('begins with one of several drafts of its row, and offers another one', () => {
    for (const name of ['Home', 'Homes']) saveDraft(['category', '1', name], { id: '1', name })
    const begun = ['Home', 'Homes'].map((key) => edit('Family', key).current)
    expect(begun).toMatchObject([
      { typed: { name: 'Home' }, offered: { name: 'Homes' } },
      { typed: { name: 'Homes' }, offered: { name: 'Home' } },
    ])
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
