import { expect, it } from 'vitest'
import { expectConsoleError, takeConsoleFailures } from './console-errors.ts'

it('accepts an announced message', () => {
  expectConsoleError('Failed to add prayer')
  expectConsoleError(/categor(y|ies)$/)
  console.error('Failed to add %s', 'prayer', { status: 500 })
  console.error('Failed to fetch categories')
  expect(takeConsoleFailures()).toEqual([])
})

it('reports an unannounced message, even if it is a warning', () => {
  expectConsoleError('Failed to add prayer')
  console.error('Failed to add prayer')
  console.error('Something else')
  console.warn('Something odd')
  expect(takeConsoleFailures()).toEqual(['Something else', 'Something odd'])
})

it('reports an announced message that was never written', () => {
  expectConsoleError('Failed to add prayer')
  expect(takeConsoleFailures()).toEqual(['(never written: Failed to add prayer)'])
})
