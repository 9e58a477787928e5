import { renderHook } from '@testing-library/react'
import { object, string } from 'valibot'
import { beforeEach, expect, it } from 'vitest'
import { hideDrafts, setDraftOwner } from './draft-owner.ts'
import { deleteDraft, readDrafts, saveDraft } from './drafts.ts'
import { useDraft } from './use-draft.ts'

const NAMED = object({ id: string(), name: string() })
const BEN = { id: '1', name: 'Ben' }
const read = () => readDrafts(['prayer'], NAMED)[0]?.draft

beforeEach(() => {
  setDraftOwner('anna')
  saveDraft(['prayer', '1'], BEN)
})

it('keeps a draft until it is deleted, while the same user stays signed in', () => {
  setDraftOwner('anna')
  expect(read()).toEqual(BEN)
  deleteDraft(['prayer', '1'])
  expect(read()).toBeUndefined()
})

it.each([null, 'clara'])('deletes all drafts when the next user is %s', (next) => {
  sessionStorage.setItem('another', 'thing')
  setDraftOwner(next)
  expect(read()).toBeUndefined()
  expect(Object.entries(sessionStorage)).toEqual([['another', 'thing']])
  setDraftOwner('anna')
  expect(read()).toBeUndefined()
})

it.each([
  ['anna', BEN],
  ['clara', undefined],
])('hides a draft until the next user signs in: %s finds %j', (next, found) => {
  hideDrafts()
  expect(read()).toBeUndefined()
  setDraftOwner(next)
  expect(read()).toEqual(found)
  setDraftOwner('anna')
  expect(read()).toEqual(found)
})

it.each([
  ['anna', BEN],
  ['clara', undefined],
])('keeps the text of an open dialog when the session ends: %s finds %j', (next, found) => {
  deleteDraft(['prayer', '1'])
  const { unmount } = renderHook(() => useDraft(['prayer'], '1', BEN, NAMED))
  hideDrafts()
  unmount()
  setDraftOwner(next)
  expect(renderHook(() => useDraft(['prayer'], '1', null, NAMED)).result.current.before).toEqual(found)
})

it('ignores a draft of another shape', () => {
  saveDraft(['prayer', '1'], 'Ben')
  expect(read()).toBeUndefined()
})

it('reads only the drafts of one form', () => {
  saveDraft(['prayer', '2'], { id: '2', name: 'Clara' })
  saveDraft(['new-prayer', 'family', '3'], { id: '3', name: 'David' })
  saveDraft(['prayers', '4'], { id: '4', name: 'Esther' })
  const stored = readDrafts(['prayer'], NAMED)
  expect(stored.map(({ draft }) => draft.name).toSorted()).toEqual(['Ben', 'Clara'])
  expect(readDrafts(['new-prayer'], NAMED)).toEqual([
    { name: ['new-prayer', 'family', '3'], draft: { id: '3', name: 'David' } },
  ])
})
