import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FakeServer, openData } from '#web/data/fake-server.test-data.ts'
import { renderWithData } from '#web/test-rendering.tsx'
import { SettingsScreen } from './settings-screen.tsx'

beforeEach(() => history.replaceState(null, '', '/settings'))
afterEach(() => history.replaceState(null, '', '/'))

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
    '/settings/appearance',
    '/settings/devices',
    '/settings/on-this-device',
    '/settings/your-data',
  ])
})

it('is the first page beside the list on a wide screen', async () => {
  await show('wide')
  expect(location.pathname).toBe('/settings/appearance')
  expect(titleOf()).toBe('Appearance')
  expect(document.title).toMatch(/^Appearance · /)
  const list = within(screen.getByRole('navigation', { name: 'Settings' }))
  const current = list.getAllByRole('link').filter((link) => link.ariaCurrent)
  expect(current.map(({ textContent }) => textContent)).toEqual(['Appearance'])
})
