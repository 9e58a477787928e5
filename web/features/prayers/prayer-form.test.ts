import { describe, expect, it } from 'vitest'
import {
  changedFields,
  emptyForm,
  formErrors,
  formOf,
  hasUnsavedText,
  newPrayerOf,
  prayerFieldsOf,
} from './prayer-form.ts'
import { samplePrayer } from './sample-prayer.test-data.ts'

describe('the form cannot be saved', () => {
  it('with a name that is empty after trimming', () => {
    const errors = { person_name: 'Please enter a name' }
    expect(formErrors({ ...emptyForm('family'), person_name: ' \n ' })).toEqual(errors)
  })

  it('without a category', () => {
    const errors = { category_id: 'Please select a category' }
    expect(formErrors({ ...emptyForm(''), person_name: 'Anna' })).toEqual(errors)
  })

  it('but it can with both', () => {
    expect(formErrors({ ...emptyForm('family'), person_name: 'Anna' })).toEqual({})
  })
})

describe('the fields to save', () => {
  it('have the trimmed name, and the note as it was typed', () => {
    const form = { category_id: 'family', person_name: ' Anna ', note: ' a\n b ', resolved: true }
    expect(prayerFieldsOf(form)).toEqual({ ...form, person_name: 'Anna' })
  })

  it('have no note if it is blank', () => {
    expect(prayerFieldsOf({ ...emptyForm('family'), person_name: 'Anna', note: ' \n' }).note).toBeNull()
  })

  it('of a new prayer do not say whether it is resolved', () => {
    const fields = { category_id: 'family', person_name: 'Anna', note: null }
    expect(newPrayerOf({ ...emptyForm('family'), person_name: 'Anna' })).toEqual(fields)
  })

  it('of an unchanged form are those of the prayer', () => {
    const prayer = samplePrayer({ note: null, resolved: true })
    const fields = { category_id: 'family', person_name: 'Anna', resolved: true }
    expect(formOf(prayer)).toEqual({ ...fields, note: '' })
    expect(prayerFieldsOf(formOf(prayer))).toEqual({ ...fields, note: null })
  })
})

describe('the changed fields of a prayer', () => {
  const before = { category_id: 'family', person_name: 'Anna', note: 'for peace', resolved: false }

  it.each([
    ['nothing', {}],
    ['name and state', { person_name: 'Ruth', resolved: true }],
    ['an emptied note', { note: null }],
    ['another category', { category_id: 'friends' }],
  ])('%s', (_, changes) => {
    expect(changedFields(before, { ...before, ...changes })).toEqual(changes)
  })
})

describe('text that would be lost', () => {
  const initial = emptyForm('family')

  it.each([
    ['a name', { ...initial, person_name: 'A' }, true],
    ['a note', { ...initial, note: 'for peace' }, true],
    ['blanks only', { ...initial, person_name: '  ' }, false],
    ['another category only', { ...initial, category_id: 'friends' }, false],
    ['nothing', initial, false],
  ])('%s', (_, form, isUnsaved) => {
    expect(hasUnsavedText(form, initial)).toBe(isUnsaved)
  })
})
