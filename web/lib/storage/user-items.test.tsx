import { string } from 'valibot'
import { expect, it } from 'vitest'
import { createUserItem, deleteUserItems } from './user-items.ts'

it('is kept for each user until it is deleted, in either storage', () => {
  const [ruth, paul, temporary] = [
    createUserItem('ruth', 'choice', string(), localStorage),
    createUserItem('paul', 'choice', string(), localStorage),
    createUserItem('ruth', 'choice', string(), sessionStorage),
  ]
  ruth.set('all')
  paul.set('five')
  temporary.set('ten')
  expect([ruth.get(), paul.get(), temporary.get()]).toEqual(['all', 'five', 'ten'])
  deleteUserItems('ruth')
  expect([ruth.get(), paul.get(), temporary.get()]).toEqual([null, 'five', null])
  expect(JSON.stringify(localStorage)).not.toContain('ruth')
})
