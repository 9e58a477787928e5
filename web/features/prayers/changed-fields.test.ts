import { expect, it } from 'vitest'
import { changedFields } from './changed-fields.ts'
import { samplePrayer } from './sample-prayer.test-data.ts'

const prayer = samplePrayer({ note: 'for peace' })

it('nothing is sent when nothing changed', () => {
  expect(changedFields(prayer, { ...prayer })).toEqual({})
})

it('only the changed fields are sent', () => {
  expect(
    changedFields(prayer, { category_id: 'family', person_name: 'Ruth', note: 'for peace', resolved: true }),
  ).toEqual({ person_name: 'Ruth', resolved: true })
})

it('a note that was emptied is sent as none', () => {
  expect(changedFields(prayer, { ...prayer, note: null })).toEqual({ note: null })
})

it('a move to another category is sent', () => {
  expect(changedFields(prayer, { ...prayer, category_id: 'friends' })).toEqual({ category_id: 'friends' })
})
