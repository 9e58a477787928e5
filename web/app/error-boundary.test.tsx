import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { ErrorBoundary } from './error-boundary.tsx'

function Broken(): never {
  throw new Error('a part that did not arrive')
}

it('says so where a screen could not be shown, and offers to load it again', () => {
  expectConsoleError('a part that did not arrive')
  render(
    <ErrorBoundary place="/dashboard">
      <Broken />
    </ErrorBoundary>,
  )
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This page could not be shown')
  expect(screen.getByRole('button', { name: 'Load the page again' })).toBeTruthy()
})

it('gives the next screen a new chance', () => {
  expectConsoleError('a part that did not arrive')
  const { rerender } = render(
    <ErrorBoundary place="/dashboard">
      <Broken />
    </ErrorBoundary>,
  )
  rerender(
    <ErrorBoundary place="/terms">
      <h1>Terms of Service</h1>
    </ErrorBoundary>,
  )
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Terms of Service')
})
