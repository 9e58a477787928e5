import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { prayerActions } from '#web/data/prayer-actions.ts'
import { anna, connectionLost, FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import { keyPressed, lettersOff } from '#web/lib/navigation/shortcuts.ts'
import { sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { renderWithData } from '#web/test-rendering.tsx'
import { AccountMenu, Avatar, PlacesNavigation, ShortcutsItem } from './navigation-bar.tsx'
import { Shortcuts } from './app-shortcuts.tsx'

const picture = () => document.querySelector('img')

it('shows the picture of the user, or their first letter in upper case if it does not load', () => {
  render(<Avatar name="ruth" url="https://pictures.example/ruth.png" />)
  expect(picture()?.src).toBe('https://pictures.example/ruth.png')
  expect(screen.queryByText('R')).toBeNull()
  fireEvent.error(picture() ?? document.body)
  expect(picture()).toBeNull()
  expect(screen.getByText('R')).toBeDefined()
})

it('shows the first letter if there is no picture', () => {
  render(<Avatar name="ruth" url={null} />)
  expect(picture()).toBeNull()
  expect(screen.getByText('R')).toBeDefined()
})

it('says at the avatar, and aloud, that changes are waiting to be sent', async () => {
  const server = new FakeServer()
  server.put('prayers', anna)
  const { data } = await openSynced(server)
  const user = { ...sessionWith('token', 3600).user, email: 'ruth@example.org' }
  renderWithData(<AccountMenu user={user} />, data)
  expect(screen.getByRole('button', { name: 'ruth: account menu' })).toBeDefined()
  server.intercept = connectionLost
  await act(() => prayerActions(data).change(anna, { resolved: true }))
  expect(await screen.findByRole('button', { name: 'ruth: account menu, 1 change waiting' })).toBeDefined()
  expect(screen.getByText('Changes are waiting to be sent').role).toBe('status')
})

it.each([
  ['/dashboard', ['Prayers']],
  ['/pray', ['Pray']],
  ['/manage-categories', []],
])('marks the current place: at %s, %j', (path, marked) => {
  render(<PlacesNavigation current={path} />)
  const links = screen.getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(['Prayers', 'Pray', 'Answered', 'Search'])
  expect(links.filter((link) => link.ariaCurrent).map(({ textContent }) => textContent)).toEqual(marked)
})

describe('“Keyboard shortcuts”', () => {
  afterEach(() => {
    keyPressed.set(false)
    lettersOff.set(null)
  })
  const isShown = () => screen.queryByRole('menuitem', { name: 'Keyboard shortcuts' }) !== null

  it('are in the menu of a device with a mouse', () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === '(hover: hover) and (pointer: fine)',
    }))
    render(<ShortcutsItem />)
    expect(isShown()).toBe(true)
  })

  it('are in the menu of a touch screen once a key is pressed, but not in a text field', () => {
    render(
      <>
        <Shortcuts />
        <ShortcutsItem />
        <input aria-label="Name" />
      </>,
    )
    expect(isShown()).toBe(false)
    fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'a' })
    expect(isShown()).toBe(false)
    fireEvent.keyDown(document.body, { key: 'Tab' })
    expect(isShown()).toBe(true)
  })

  it('stay in the menu while letter keys are switched off', () => {
    lettersOff.set(true)
    render(<ShortcutsItem />)
    expect(isShown()).toBe(true)
    act(() => lettersOff.set(null))
    expect(isShown()).toBe(false)
  })
})
