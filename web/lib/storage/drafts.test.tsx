import { object, string } from 'valibot'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hideDrafts, setDraftOwner } from './draft-owner.ts'
import { deleteDraft, readDraft, readDrafts, saveDraft } from './drafts.ts'

const NAMED = object({ id: string(), name: string() })
const BEN = { id: '1', name: 'Ben' }
const read = () => readDrafts(['prayer'], NAMED)[0]?.draft

beforeEach(() => {
  setDraftOwner('anna')
  saveDraft(['prayer', '1'], BEN)
})
afterEach(() => setDraftOwner(null))

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

it('ignores a draft of another shape', () => {
  saveDraft(['prayer', '1'], 'Ben')
  expect(read()).toBeUndefined()
})

it('renames the drafts of a tab in which version 0.1.0 ran', () => {
  deleteDraft(['prayer', '1'])
  const form = { categoryId: 'family', name: 'David', note: 'Exam', resolved: false }
  const first = {
    '["prayer"]': { id: '2', form },
    '["prayer","1"]': { id: '1', form: { ...form, name: 'Benjamin' } },
    '["category"]': { id: '3', name: 'Neighbours' },
  }
  for (const [name, draft] of Object.entries(first))
    sessionStorage.setItem(`intercede-draft:anna:${name}`, JSON.stringify(draft))
  readDraft(['prayer', '1'], NAMED)
  const renamed = { category_id: 'family', person_name: 'David', note: 'Exam', resolved: false }
  const changed = { ...renamed, person_name: 'Benjamin' }
  expect(Object.fromEntries(Object.entries(sessionStorage))).toEqual({
    'intercede-draft:anna:new-prayer/family/2': JSON.stringify({ id: '2', form: renamed }),
    'intercede-draft:anna:prayer/1/1': JSON.stringify({ id: '1', form: changed }),
    'intercede-draft:anna:new-category/3': JSON.stringify({ id: '3', name: 'Neighbours' }),
  })
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
