import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { ErrorBoundary } from './error-boundary.tsx'

function Broken(): never {
  throw new Error('a chunk that did not load')
}

it('shows that the screen failed, and offers to load the page again', () => {
  expectConsoleError('a chunk that did not load')
  render(
    <ErrorBoundary place="/dashboard">
      <Broken />
    </ErrorBoundary>,
  )
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This page could not be shown')
  expect(screen.getByRole('button', { name: 'Load the page again' })).toBeTruthy()
})

it('renders the next screen after navigation', () => {
  expectConsoleError('a chunk that did not load')
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
