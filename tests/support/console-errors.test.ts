import { expect, it } from 'vitest'
import { expectConsoleError, takeConsoleSurprises } from './console-errors.ts'

it('is content with a message that was announced', () => {
  expectConsoleError('Failed to add prayer')
  expectConsoleError(/categor(y|ies)$/)
  console.error('Failed to add %s', 'prayer', { status: 500 })
  console.error('Failed to fetch categories')
  expect(takeConsoleSurprises()).toEqual([])
})

it('reports a message that nobody announced, a warning too', () => {
  expectConsoleError('Failed to add prayer')
  console.error('Failed to add prayer')
  console.error('Something else')
  console.warn('Something odd')
  expect(takeConsoleSurprises()).toEqual(['Something else', 'Something odd'])
})

it('reports a message that was announced and never came', () => {
  expectConsoleError('Failed to add prayer')
  expect(takeConsoleSurprises()).toEqual(['(never written: Failed to add prayer)'])
})
