import type { Active, Over } from '@dnd-kit/core'
import { expect, it } from 'vitest'
import { sampleCategory } from '#web/data/sample-rows.test-data.ts'
import { dragAnnouncements } from './drag-announcements.ts'

const announcements = dragAnnouncements([
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

it('announces the original position only when the row returns there', () => {
  const own: Over = { ...over, id: 'a' }
  announcements.onDragStart({ active })
  expect(announcements.onDragOver({ active, over: own })).toBeUndefined()
  expect(announcements.onDragOver({ active, over })).toBe('Family moved to position 2 of 2.')
  expect(announcements.onDragOver({ active, over: own })).toBe('Family moved to position 1 of 2.')
})

it('announces each step with name and position', () => {
  expect(announcements.onDragStart({ active })).toBe('Family lifted, at position 1 of 2.')
  expect(announcements.onDragOver({ active, over })).toBe('Family moved to position 2 of 2.')
  expect(announcements.onDragEnd({ active, over })).toBe('Family dropped at position 2 of 2.')
  expect(announcements.onDragCancel({ active, over })).toBe('Family is back at position 1 of 2.')
})

it('announces the original position when the row is dropped outside the list', () => {
  expect(announcements.onDragOver({ active, over: null })).toBeUndefined()
  expect(announcements.onDragEnd({ active, over: null })).toBe('Family dropped at position 1 of 2.')
})
