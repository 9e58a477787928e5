import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { ErrorBoundary } from './error-boundary.tsx'

function Broken(): never {
  throw new Error('a chunk that did not load')
}

it('shows that the screen failed and offers to load the page again, until the user goes elsewhere', () => {
  expectConsoleError('a chunk that did not load')
  const { rerender } = render(
    <ErrorBoundary place="/dashboard">
      <Broken />
    </ErrorBoundary>,
  )
  const heading = () => screen.getByRole('heading', { level: 1 }).textContent
  expect(heading()).toBe('This page could not be shown')
  expect(screen.getByRole('button', { name: 'Load the page again' })).toBeTruthy()
  rerender(
    <ErrorBoundary place="/terms">
      <h1>Terms of Service</h1>
    </ErrorBoundary>,
  )
  expect(heading()).toBe('Terms of Service')
})
