import { describe, expect, it } from 'vitest'
import { emptyForm, prayerFieldsOf, formErrors, formOf, hasUnsavedText } from './prayer-form.ts'
import { samplePrayer } from './sample-prayer.test-data.ts'

describe('what keeps a prayer from being saved', () => {
  it('is a name that is empty after trimming', () => {
    expect(formErrors({ ...emptyForm('family'), name: ' \n ' })).toEqual({ name: 'Please enter a name' })
  })

  it('is a category that was not chosen', () => {
    expect(formErrors({ ...emptyForm(''), name: 'Anna' })).toEqual({ categoryId: 'Please select a category' })
  })

  it('is nothing when both are there', () => {
    expect(formErrors({ ...emptyForm('family'), name: 'Anna' })).toEqual({})
  })
})

describe('what is kept of the form', () => {
  it('is the name without the blanks around it and the note as it was typed', () => {
    expect(
      prayerFieldsOf({ categoryId: 'family', name: ' Anna ', note: ' a\n b ', resolved: false }),
    ).toEqual({
      category_id: 'family',
      person_name: 'Anna',
      note: ' a\n b ',
      resolved: false,
    })
  })

  it('is no note when the note is blank', () => {
    expect(prayerFieldsOf({ ...emptyForm('family'), name: 'Anna', note: ' \n' }).note).toBeNull()
  })
})

it('the form of a kept prayer says what the prayer says', () => {
  const prayer = samplePrayer({ note: null, resolved: true })
  expect(formOf(prayer)).toEqual({ categoryId: 'family', name: 'Anna', note: '', resolved: true })
  expect(prayerFieldsOf(formOf(prayer))).toEqual({
    category_id: 'family',
    person_name: 'Anna',
    note: null,
    resolved: true,
  })
})

describe('text that would be missed', () => {
  const start = emptyForm('family')
  it.each([
    ['a name', { ...start, name: 'A' }, true],
    ['a note', { ...start, note: 'for peace' }, true],
    ['blanks only', { ...start, name: '  ' }, false],
    ['another category only', { ...start, categoryId: 'friends' }, false],
    ['nothing', start, false],
  ])('%s', (_, form, missed) => {
    expect(hasUnsavedText(form, start)).toBe(missed)
  })
})
