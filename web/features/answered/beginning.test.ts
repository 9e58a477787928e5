import { expect, it } from 'vitest'
import { beginningOf } from './beginning.ts'

it('is the whole of a short text', () => {
  for (const text of ['', 'Peace before the operation', 'one\ntwo\n', 'x'.repeat(480), 'line\n'.repeat(7)])
    expect(beginningOf(text)).toBe(text)
})

it('ends after a word', () => {
  expect(beginningOf('every day counts '.repeat(100))).toMatch(/^(every day counts )+every day counts…$/)
})

it('has at most eight lines', () => {
  expect(beginningOf('line\n'.repeat(20))).toBe(`${'line\n'.repeat(7)}line…`)
})

it('does not depend on spaces', () => {
  expect(beginningOf('x'.repeat(1000))).toBe(`${'x'.repeat(480)}…`)
})

it('does not cut a character in half', () => {
  const text = beginningOf(`x${'🙏'.repeat(500)}`)
  expect(text).toBe(`x${'🙏'.repeat(239)}…`)
})
