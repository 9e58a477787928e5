import { expect, it, vi } from 'vitest'
import { latePart } from './late-part.ts'

it('is fetched once, however often it is asked for', async () => {
  const load = vi.fn(async () => 'part')
  const part = latePart(load)
  expect(part.arrived).toBeNull()
  expect(await Promise.all([part.fetch(), part.fetch()])).toEqual(['part', 'part'])
  expect(await part.fetch()).toBe('part')
  expect(part.arrived).toBe('part')
  expect(load).toHaveBeenCalledTimes(1)
})

it('says every time that it did not arrive', async () => {
  const part = latePart(() => Promise.reject(new Error('no network')))
  await expect(part.fetch()).rejects.toThrow('no network')
  await expect(part.fetch()).rejects.toThrow('no network')
  expect(part.arrived).toBeNull()
})
