import type { Active, Over } from '@dnd-kit/core'
import { expect, it } from 'vitest'
import { dragAnnouncements } from './drag-announcements.ts'
import { sampleCategory } from './sample-category.test-data.ts'

const said = dragAnnouncements([
  sampleCategory({ id: 'a', name: 'Family' }),
  sampleCategory({ id: 'b', name: 'Friends' }),
])
const rect = { width: 0, height: 0, top: 0, left: 0, right: 0, bottom: 0 }
const active: Active = {
  id: 'a',
  data: { current: {} },
  rect: { current: { initial: null, translated: null } },
}
const over: Over = { id: 'b', rect, disabled: false, data: { current: {} } }

it('says nothing of the place where the row was lifted, until it comes back there', () => {
  const own: Over = { ...over, id: 'a' }
  said.onDragStart({ active })
  expect(said.onDragOver({ active, over: own })).toBeUndefined()
  expect(said.onDragOver({ active, over })).toBe('Family moved to position 2 of 2.')
  expect(said.onDragOver({ active, over: own })).toBe('Family moved to position 1 of 2.')
})

it('says every step with the name and the place', () => {
  expect(said.onDragStart({ active })).toBe('Family lifted, at position 1 of 2.')
  expect(said.onDragOver({ active, over })).toBe('Family moved to position 2 of 2.')
  expect(said.onDragEnd({ active, over })).toBe('Family dropped at position 2 of 2.')
  expect(said.onDragCancel({ active, over })).toBe('Family is back at position 1 of 2.')
})

it('says the old place when it is dropped beside the list', () => {
  expect(said.onDragOver({ active, over: null })).toBeUndefined()
  expect(said.onDragEnd({ active, over: null })).toBe('Family dropped at position 1 of 2.')
})
