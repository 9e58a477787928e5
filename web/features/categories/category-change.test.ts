import { expect, it } from 'vitest'
import { applyCategoryChange } from './category-change.ts'
import { sampleCategory } from './sample-category.test-data.ts'

const family = sampleCategory({ id: 'family', order: 1 })
const friends = sampleCategory({ id: 'friends', name: 'Friends', order: 2 })
const categories = [family, friends]

it('a new category takes its place by order', () => {
  const church = sampleCategory({ id: 'church', order: 3 })
  expect(applyCategoryChange(categories, { kind: 'saved', category: church })).toEqual([
    family,
    friends,
    church,
  ])
})

it('a saved category replaces the one before, however often it is told', () => {
  const renamed = { ...family, name: 'Home' }
  const once = applyCategoryChange(categories, { kind: 'saved', category: renamed })
  expect(once).toEqual([renamed, friends])
  expect(applyCategoryChange(once, { kind: 'saved', category: renamed })).toEqual(once)
})

it('an edit touches only its fields and only its row', () => {
  const [first, second] = applyCategoryChange(categories, {
    kind: 'edited',
    id: 'family',
    fields: { is_visible: false },
  })
  expect(first).toEqual({ ...family, is_visible: false })
  expect(second).toBe(friends)
})

it('a deletion removes the row', () => {
  expect(applyCategoryChange(categories, { kind: 'deleted', id: 'family' })).toEqual([friends])
})

it('a reorder renumbers by the given ids', () => {
  expect(applyCategoryChange(categories, { kind: 'reordered', ids: ['friends', 'family'] })).toEqual([
    { ...friends, order: 1 },
    { ...family, order: 2 },
  ])
})
