import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FakeServer, openData } from '#web/data/user-data.test-data.ts'
import { sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { startSession } from '#web/lib/session/session.ts'
import { writeStoredSession } from '#web/lib/session/stored-session.ts'
import { renderWithData } from '#web/test-rendering.tsx'
import { SettingsScreen } from './settings-screen.tsx'

beforeEach(async () => {
  history.replaceState(null, '', '/settings')
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }))
  await startSession()
  writeStoredSession(JSON.stringify(sessionWith('token', 3600)))
})

afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
  localStorage.clear()
  dispatchEvent(new Event('pageshow'))
})

async function show(screenWidth: 'narrow' | 'wide') {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(width >= 48rem)' && screenWidth === 'wide',
  }))
  renderWithData(<SettingsScreen />, openData(new FakeServer()))
  await act(async () => {})
}

const titleOf = () => screen.getByRole('heading', { level: 1 }).textContent

it('is a list of pages on a narrow screen', async () => {
  await show('narrow')
  expect(titleOf()).toBe('Settings')
  expect(document.title).toMatch(/^Settings · /)
  const links = within(screen.getByRole('list')).getAllByRole<HTMLAnchorElement>('link')
  expect(links.map(({ pathname }) => pathname)).toEqual([
    '/settings/profile',
    '/settings/appearance',
    '/settings/reminders',
    '/settings/devices',
    '/settings/on-this-device',
    '/settings/prayer-key',
    '/settings/your-data',
  ])
})

it('is the first page beside the list on a wide screen', async () => {
  await show('wide')
  expect(location.pathname).toBe('/settings/profile')
  expect(titleOf()).toBe('Profile')
  expect(document.title).toMatch(/^Profile · /)
  const list = within(screen.getByRole('navigation', { name: 'Settings' }))
  const current = list.getAllByRole('link').filter((link) => link.ariaCurrent)
  expect(current.map(({ textContent }) => textContent)).toEqual(['Profile'])
})
