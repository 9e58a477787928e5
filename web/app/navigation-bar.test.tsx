import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { prayerActions } from '#web/data/prayer-actions.ts'
import { anna, connectionLost, FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import { requestedPrayer } from '#web/lib/navigation/requested-prayer.ts'
import { keyPressed, lettersOff } from '#web/lib/navigation/shortcuts.ts'
import { sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { session, startSession } from '#web/lib/session/session.ts'
import { writeStoredSession } from '#web/lib/session/stored-session.ts'
import { renderWithData } from '#web/test-rendering.tsx'
import { keepInstallOffer } from './installation.ts'
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

describe('keys', () => {
  afterEach(() => {
    keyPressed.set(false)
    lettersOff.set(null)
    requestedPrayer.set(null)
    history.replaceState(null, '', '/')
  })
  const press = (key: string) => void fireEvent.keyDown(document.body, { key })
  const list = () => screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })
  const toggleLetters = () => void fireEvent.click(screen.getByRole('checkbox'))
  const closeList = () => void fireEvent.click(screen.getByRole('button', { name: 'Close' }))

  it('open places and the dialog for a new prayer, but not during a session', () => {
    const { rerender } = render(<Shortcuts />)
    for (const [key, path] of [
      ['p', '/pray'],
      ['/', '/search'],
      ['n', '/dashboard'],
    ] as const) {
      expect(requestedPrayer.get()).toBeNull()
      press(key)
      expect(location.pathname, key).toBe(path)
    }
    expect(requestedPrayer.get()).not.toBeNull()
    rerender(
      <div data-quiet>
        <Shortcuts />
      </div>,
    )
    press('p')
    expect(location.pathname).toBe('/dashboard')
  })

  it('are listed with “?”, and can be switched off until the menu switches them on', () => {
    const page = (
      <>
        <Shortcuts />
        <ShortcutsItem />
      </>
    )
    const { unmount } = render(page)
    press('?')
    expect(list()?.textContent).toContain('New prayer')
    toggleLetters()
    expect(list()?.textContent).toContain('open it from the account menu')
    closeList()
    unmount()
    render(page)
    for (const key of ['?', 'n', 'p']) press(key)
    expect([list(), location.pathname]).toEqual([null, '/'])
    fireEvent.click(screen.getByRole('menuitem', { name: 'Keyboard shortcuts' }))
    toggleLetters()
    closeList()
    press('p')
    expect(location.pathname).toBe('/pray')
  })
})

describe('the account menu', () => {
  afterEach(() => {
    cleanup()
    localStorage.clear()
    dispatchEvent(new Event('pageshow'))
  })

  async function show() {
    await startSession()
    const stored = sessionWith('token', 3600)
    writeStoredSession(JSON.stringify(stored))
    const { data } = await openSynced(new FakeServer())
    renderWithData(<AccountMenu user={stored.user} />, data)
    openMenu()
  }
  /** jsdom cannot open it: its items are there as soon as it begins to. */
  function openMenu() {
    const menu = document.querySelector('[popover]') ?? document.body
    fireEvent(menu, Object.assign(new Event('beforetoggle'), { newState: 'open' }))
  }
  const item = (name: string) => screen.queryByRole('menuitem', { name, hidden: true })
  const choose = (name: string) => act(async () => item(name)?.click())

  it('says that it is signing out until the server responds', async () => {
    let respond = () => {}
    vi.stubGlobal('fetch', async () => {
      await new Promise<void>((resolve) => (respond = resolve))
      return new Response(null, { status: 204 })
    })
    await show()
    await choose('Sign out')
    expect(item('Signing out...')?.getAttribute('aria-disabled')).toBe('true')
    await act(async () => respond())
    await expect.poll(session.get).toMatchObject({ status: 'guest', ended: { reason: 'signed-out' } })
  })

  it('offers to install the app where the browser allows it, once', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
    keepInstallOffer()
    await show()
    expect(item('Install the app')).toBeNull()
    const prompt = vi.fn<() => Promise<void>>().mockResolvedValue()
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
    act(() => void dispatchEvent(offer))
    // Otherwise the browser would show its own offer.
    expect(offer.defaultPrevented).toBe(true)
    await choose('Install the app')
    expect(prompt).toHaveBeenCalledOnce()
    expect(item('Install the app')).toBeNull()
  })
})
