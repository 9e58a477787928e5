import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { press } from '#web/test-rendering.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

function Broken(): never {
  throw new Error('a chunk that did not load')
}

it('shows that the screen failed and offers to load the page again, until the user goes elsewhere', async () => {
  expectConsoleError('a chunk that did not load')
  const { rerender } = render(
    <ErrorBoundary place="/dashboard">
      <Broken />
    </ErrorBoundary>,
  )
  const heading = () => screen.getByRole('heading', { level: 1 }).textContent
  expect(heading()).toBe('This page could not be shown')
  const reload = vi.fn<() => void>()
  vi.stubGlobal('location', { href: 'http://localhost/dashboard', reload })
  vi.stubGlobal('fetch', async () => new Response())
  await press('Load the page again')
  await expect.poll(() => reload.mock.calls).toHaveLength(1)
  rerender(
    <ErrorBoundary place="/terms">
      <h1>Terms of Service</h1>
    </ErrorBoundary>,
  )
  expect(heading()).toBe('Terms of Service')
})
