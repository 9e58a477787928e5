import { describe, expect, it } from 'vitest'
import { sampleCategory, samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { coverText, yearBook, yearsOf } from './year-book.ts'

const answered = (id: string, answered_on: string | null) =>
  samplePrayer({ id, person_name: id, resolved: true, answered_on })
const family = sampleCategory()

const PRAYERS = [
  answered('late', '2026-11-30'),
  answered('New Year', '2026-01-01'),
  answered('early', '2026-11-01'),
  answered("New Year's Eve", '2026-12-31'),
  answered('before', '2025-12-31'),
  answered('after', '2027-01-01'),
  answered('undated', null),
  answered('broken', 'infinity'),
  samplePrayer({ id: 'reopened', person_name: 'reopened', answered_on: '2026-05-05' }),
]

describe('the book of a year', () => {
  it('has what was answered in it, month by month from its beginning', () => {
    const { months, answered: count } = yearBook('2026', PRAYERS, [family])
    expect(months.map(({ name, prayers }) => [name, prayers.map(({ id }) => id)])).toEqual([
      ['January', ['New Year']],
      ['November', ['early', 'late']],
      ['December', ["New Year's Eve"]],
    ])
    expect(count).toBe(4)
  })

  it('names the people still prayed for once, in the order in which they were added', () => {
    const open = (person_name: string, category_id: string, year: number) =>
      samplePrayer({
        id: `${person_name} ${year}`,
        person_name,
        category_id,
        created_at: `${year}-06-01T00:00:00Z`,
      })
    const prayers = [
      open('Dora', 'family', 2027),
      open('Anna', 'family', 2026),
      open('Hanna', 'hidden', 2026),
      open('Ben', 'family', 2026),
      open('Anna', 'family', 2025),
      open('Cora', 'friends', 2026),
    ]
    const categories = [
      sampleCategory({ id: 'friends', name: 'Friends' }),
      sampleCategory({ id: 'empty', name: 'Empty' }),
      sampleCategory({ id: 'hidden', name: 'Hidden', is_visible: false }),
      family,
    ]
    const named = yearBook('2026', prayers, categories).people
    expect(named.map(({ category, names }) => [category.name, names])).toEqual([
      ['Friends', ['Cora']],
      ['Family', ['Anna', 'Ben']],
    ])
  })
})

it('there is a book for each year in which a prayer was answered', () => {
  expect(yearsOf(PRAYERS)).toEqual(['2027', '2026', '2025'])
})

it.each([
  [48, 19, 'You prayed for 48 people; 19 prayers were answered.'],
  [1, 1, 'You prayed for 1 person; 1 prayer was answered.'],
  [12, 0, 'You prayed for 12 people.'],
  [null, 19, '19 prayers were answered.'],
  [null, 0, null],
])('for %j people and %i answers, the cover says %j', (people, count, text) => {
  expect(coverText(people, count)).toBe(text)
})
