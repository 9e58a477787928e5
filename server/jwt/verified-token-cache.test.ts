import { expect, it } from 'vitest'
import { VerifiedTokenCache } from './verified-token-cache.ts'

it('drops the entry longest unused when full', () => {
  const cache = new VerifiedTokenCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
})

it('forgets what it is told to forget', () => {
  const cache = new VerifiedTokenCache<number>(2)
  cache.set('a', 1)
  cache.delete('a')
  expect(cache.get('a')).toBeUndefined()
})
