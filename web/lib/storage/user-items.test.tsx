import { string } from 'valibot'
import { expect, it, vi } from 'vitest'
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

it('is remembered if the storage is full', () => {
  const item = createUserItem('ruth', 'choice', string(), localStorage)
  item.set('five')
  const listener = vi.fn<() => void>()
  item.subscribe(listener)
  const setItem = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError')
  })
  item.set('all')
  expect(item.get()).toBe('all')
  expect(listener).toHaveBeenCalledTimes(1)
  setItem.mockRestore()
  item.set(null)
  expect(item.get()).toBeNull()
})
