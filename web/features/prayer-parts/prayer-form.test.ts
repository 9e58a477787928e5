import { is } from 'valibot'
import { describe, expect, it } from 'vitest'
import { sampleCategory, samplePrayer } from '#web/data/sample-rows.test-data.ts'
import {
  changedFields,
  emptyForm,
  formOf,
  hasUnsavedText,
  prayerDraftSchema,
  newPrayerOf,
  prayerFieldsOf,
  selectableCategories,
} from './prayer-form.ts'
import { NO_SCHEDULE } from './schedule.ts'

describe('the fields to save', () => {
  it('have the trimmed name, and the note as it was typed, unless it is blank', () => {
    const form = { ...emptyForm('family'), person_name: ' Anna ', note: ' a\n b ', resolved: true }
    expect(prayerFieldsOf(form)).toMatchObject({ person_name: 'Anna', note: ' a\n b ', resolved: true })
    expect(prayerFieldsOf({ ...form, note: ' \n' }).note).toBeNull()
  })

  it('of a new prayer do not say whether it is resolved', () => {
    const fields = { category_id: 'family', person_name: 'Anna', note: null }
    const unused = { due_on: null, due_repeats: null, pray_days: null, resting_until: null }
    expect(newPrayerOf({ ...emptyForm('family'), person_name: 'Anna' })).toEqual({ ...fields, ...unused })
  })

  it('of an unchanged form are those of the prayer', () => {
    const fields = { category_id: 'family', person_name: 'Anna', resolved: true }
    const unused = { due_on: null, due_repeats: null, pray_days: null, resting_until: null }
    const prayer = samplePrayer({ ...fields, note: null })
    expect(formOf(prayer)).toEqual({ ...emptyForm('family'), ...fields })
    expect(prayerFieldsOf(formOf(prayer))).toEqual({ ...fields, note: null, ...unused })
    const date = { due_on: '2025-11-27', due_repeats: 'monthly' }
    const schedule = { ...date, pray_days: 9, resting_until: '2025-12-03' }
    expect(prayerFieldsOf(formOf({ ...prayer, ...schedule }))).toMatchObject(schedule)
  })

  it('have no repetition without a date', () => {
    const form = { ...emptyForm('family'), due_repeats: 'monthly' }
    expect(prayerFieldsOf(form)).toMatchObject({ due_on: null, due_repeats: null })
  })
})

describe('the changed fields of a prayer', () => {
  const before = prayerFieldsOf({
    ...emptyForm('family'),
    person_name: 'Anna',
    note: 'for peace',
    due_on: '2025-11-27',
  })

  it.each([
    ['nothing', {}],
    ['name and state', { person_name: 'Ruth', resolved: true }],
    ['an emptied note', { note: null }],
    ['another category', { category_id: 'friends' }],
    ['a date that was cleared', { due_on: null }],
    ['weekdays', { pray_days: 8 }],
  ])('%s', (_, changes) => {
    expect(changedFields(before, { ...before, ...changes })).toEqual(changes)
  })
})

describe('text that would be lost', () => {
  const initial = emptyForm('family')
  const paused = { ...initial, person_name: 'Anna', resting_until: '2025-12-03' }
  const dated = { ...paused, due_on: '2025-11-27' }

  it.each([
    ['a name', { ...initial, person_name: 'A' }, true],
    ['a note', { ...initial, note: 'for peace' }, true],
    ['blanks only', { ...initial, person_name: '  ' }, false],
    ['another category only', { ...initial, category_id: 'friends' }, false],
    ['weekdays for a name', { ...initial, person_name: 'Anna', pray_days: 1 }, true],
    ['a repetition', { ...dated, due_repeats: 'yearly' }, true, dated],
    ['a repetition without a date', { ...paused, due_repeats: 'yearly' }, false, paused],
    ['a date without a name', { ...initial, due_on: '2025-11-27' }, false],
    ['nothing', initial, false],
    ['another schedule', { ...paused, resting_until: '' }, true, paused],
    ['a schedule that is as it was', { ...paused }, false, paused],
  ])('%s', (_, form, isUnsaved, before = initial) => {
    expect(hasUnsavedText(form, before)).toBe(isUnsaved)
  })
})

describe('a stored draft', () => {
  const form = { category_id: 'family', person_name: 'Anna', note: '', resolved: false }

  it.each([
    ['of an older version has no schedule', form, true],
    ['of an older version has no repetition', { ...form, due_on: '2025-11-27', pray_days: 0 }, true],
    ['has a schedule', { ...form, ...NO_SCHEDULE, due_on: '2025-11-27', due_repeats: 'yearly' }, true],
    ['with a schedule of another form is ignored', { ...form, pray_days: 'Monday' }, false],
    ['without a name is ignored', { ...form, person_name: undefined }, false],
  ])('%s', (_, stored, isValid) => {
    expect(is(prayerDraftSchema, { id: 'anna', form: stored })).toBe(isValid)
  })
})

it('a prayer can be in a visible category, or stay in its own, which is marked if it is hidden', () => {
  const category = (id: string, isVisible: boolean) =>
    sampleCategory({ id, name: `The ${id}`, is_visible: isVisible })
  const all = [category('family', true), category('work', false), category('choir', false)]
  expect(selectableCategories(all, 'choir')).toEqual([
    { id: 'family', name: 'The family' },
    { id: 'choir', name: 'The choir (hidden)' },
  ])
  expect(selectableCategories(all, 'family')).toEqual([{ id: 'family', name: 'The family' }])
})
