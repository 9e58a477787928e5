import { expect, it } from 'vitest'
import { missingFieldsMessage } from './missing-fields.ts'

const complete = { category_id: 'family', person_name: 'Anna', note: null, resolved: false }

it('names every missing field', () => {
  expect(missingFieldsMessage({ ...complete, category_id: '', person_name: '' })).toBe(
    'Missing required fields: category_id, person_name',
  )
  expect(missingFieldsMessage({ ...complete, person_name: '' })).toBe('Missing required fields: person_name')
})

it('says nothing when nothing is missing', () => {
  expect(missingFieldsMessage(complete)).toBeNull()
})
