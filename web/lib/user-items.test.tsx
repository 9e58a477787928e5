import { expect, it } from 'vitest'
import { createUserItem, deleteUserItems } from './user-items.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

it('is kept for each user until it is deleted, in either storage', () => {
  const [ruth, paul, temporary] = [
    createUserItem('ruth', 'choice', isText, localStorage),
    createUserItem('paul', 'choice', isText, localStorage),
    createUserItem('ruth', 'choice', isText, sessionStorage),
  ]
  ruth.set('all')
  paul.set('five')
  temporary.set('ten')
  expect([ruth.get(), paul.get(), temporary.get()]).toEqual(['all', 'five', 'ten'])
  deleteUserItems('ruth')
  expect([ruth.get(), paul.get(), temporary.get()]).toEqual([null, 'five', null])
  expect(JSON.stringify(localStorage)).not.toContain('ruth')
})
