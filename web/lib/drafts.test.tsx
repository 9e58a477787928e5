import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { isRecord } from '#shared/is-record.ts'
import { deleteDraft, hideDrafts, readDraft, saveDraft, setDraftOwner } from './drafts.ts'
import { useDraft } from './use-draft.ts'

const isNamed = (value: unknown): value is { name: string } =>
  isRecord(value) && typeof value['name'] === 'string'
const BEN = { name: 'Ben' }

it('keeps a draft until it is deleted', () => {
  setDraftOwner('anna')
  saveDraft('prayer', BEN)
  expect(readDraft('prayer', isNamed)).toEqual(BEN)
  deleteDraft('prayer')
  expect(readDraft('prayer', isNamed)).toBeUndefined()
})

it('keeps a draft while the same user stays signed in', () => {
  setDraftOwner('anna')
  saveDraft('prayer', BEN)
  setDraftOwner('anna')
  expect(readDraft('prayer', isNamed)).toEqual(BEN)
})

it.each([null, 'clara'])('deletes all drafts when the next user is %s', (next) => {
  setDraftOwner('anna')
  saveDraft('prayer', BEN)
  sessionStorage.setItem('another', 'thing')
  setDraftOwner(next)
  expect(readDraft('prayer', isNamed)).toBeUndefined()
  expect(Object.entries(sessionStorage)).toEqual([['another', 'thing']])
  setDraftOwner('anna')
  expect(readDraft('prayer', isNamed)).toBeUndefined()
})

it.each([
  ['anna', BEN],
  ['clara', undefined],
])('hides a draft until the next user signs in: %s finds %j', (next, found) => {
  setDraftOwner('anna')
  saveDraft('prayer', BEN)
  hideDrafts()
  expect(readDraft('prayer', isNamed)).toBeUndefined()
  setDraftOwner(next)
  expect(readDraft('prayer', isNamed)).toEqual(found)
  setDraftOwner('anna')
  expect(readDraft('prayer', isNamed)).toEqual(found)
})

it.each([
  ['anna', BEN],
  ['clara', undefined],
])('keeps the text of an open dialog when the session ends: %s finds %j', (next, found) => {
  setDraftOwner('anna')
  const { unmount } = renderHook(() => useDraft(['prayer'], BEN, isNamed))
  hideDrafts()
  unmount()
  setDraftOwner(next)
  expect(renderHook(() => useDraft(['prayer'], null, isNamed)).result.current.before).toEqual(found)
})

it('ignores a draft of another shape', () => {
  setDraftOwner('anna')
  saveDraft('prayer', 'Ben')
  expect(readDraft('prayer', isNamed)).toBeUndefined()
})
