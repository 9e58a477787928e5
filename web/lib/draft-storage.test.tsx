import { expect, it } from 'vitest'
import { draftsBelongTo, forgetDraft, keepDraft, readDraft } from './draft-storage.ts'

it('keeps a draft until it is forgotten', () => {
  draftsBelongTo('anna')
  keepDraft('prayer', { name: 'Ben' })
  expect(readDraft('prayer')).toEqual({ name: 'Ben' })
  forgetDraft('prayer')
  expect(readDraft('prayer')).toBeUndefined()
})

it('keeps it while the same person stays signed in', () => {
  draftsBelongTo('anna')
  keepDraft('prayer', 'Ben')
  draftsBelongTo('anna')
  expect(readDraft('prayer')).toBe('Ben')
})

it.each([null, 'clara'])('leaves nothing of it when the next is %s', (next) => {
  draftsBelongTo('anna')
  keepDraft('prayer', 'Ben')
  sessionStorage.setItem('another', 'thing')
  draftsBelongTo(next)
  expect(readDraft('prayer')).toBeUndefined()
  expect(Object.entries(sessionStorage)).toEqual([['another', 'thing']])
  draftsBelongTo('anna')
  expect(readDraft('prayer')).toBeUndefined()
})
