import { beforeEach, expect, it, vi } from 'vitest'
import { accessTokenFor } from './sample-session.test-data.ts'
import { emailIn, rememberSignUp, takeSignUp } from './sign-up-memory.ts'

const RUTH = 'ruth@example.org'
const DAY_MS = 24 * 60 * 60 * 1000

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'] })
})

it('recognises a remembered address, however it is written, once', async () => {
  await rememberSignUp(' Ruth@Example.org')
  expect(await takeSignUp(RUTH)).toBe(true)
  expect(await takeSignUp(RUTH)).toBe(false)
  expect(localStorage).toHaveLength(0)
})

it('keeps it while the links of other addresses are opened', async () => {
  await rememberSignUp(RUTH)
  expect(await takeSignUp('naomi@example.org')).toBe(false)
  expect(await takeSignUp('')).toBe(false)
  expect(await takeSignUp(RUTH)).toBe(true)
})

it('stores no address', async () => {
  await rememberSignUp(RUTH)
  const stored = Object.values(localStorage).join()
  expect(stored).toMatch(/[0-9a-f]{64}/)
  expect(stored).not.toContain('ruth')
})

it('forgets it after a day', async () => {
  await rememberSignUp(RUTH)
  vi.setSystemTime(Date.now() + DAY_MS)
  expect(await takeSignUp(RUTH)).toBe(false)
})

it('remembers nothing where the browser computes no hashes', async () => {
  vi.stubGlobal('crypto', {})
  await rememberSignUp(RUTH)
  expect(await takeSignUp(RUTH)).toBe(false)
})

it.each([
  [accessTokenFor(RUTH), RUTH],
  ['a.b.c', ''],
  ['a', ''],
])('the address in the token %s is %j', (token, email) => {
  expect(emailIn(token)).toBe(email)
})
