import { act, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { makePrayerKey } from '#web/data/encryption.ts'
import { anna, connectionLost, FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import { prayerActions } from '#web/data/prayer-actions.ts'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { readStoredSession } from '#web/lib/session/stored-session.ts'
import { press, renderWithData } from '#web/test-rendering.tsx'
import { DevicesSection } from './devices-section.tsx'

const PHONE = {
  id: 'phone',
  created_at: '2026-10-20T08:00:00+00:00',
  last_used_at: '2026-11-02T09:00:00+00:00',
  user_agent: 'Mozilla/5.0 (Android 14; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0',
  is_current: false,
}
const HERE = {
  id: 'here',
  created_at: '2026-11-03T08:00:00+00:00',
  last_used_at: '2026-11-01T08:00:00+00:00',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
  is_current: true,
}
const LIST = 'POST /rest/v1/rpc/list_sessions'
const END = 'POST /rest/v1/rpc/end_session'
const SIGN_OUT = 'POST /auth/v1/logout?scope='

/** The response to each call; by default, the server does as asked. */
const responses = new Map<string, () => Response>()
const calls: string[] = []

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-03T14:00:00Z'), toFake: ['Date'] })
  storeSession(sessionWith('token', 3600))
  responses.clear()
  calls.length = 0
  vi.stubGlobal('fetch', async (input: string | URL, { method = 'GET', body }: RequestInit = {}) => {
    const url = new URL(String(input), 'http://localhost')
    const call = `${method} ${url.pathname}${url.search}`
    calls.push(typeof body === 'string' && call === END ? `${call} ${body}` : call)
    return (
      responses.get(call)?.() ??
      (call === LIST ? Response.json([PHONE, HERE]) : new Response(null, { status: 204 }))
    )
  })
})

async function show() {
  const server = new FakeServer()
  server.put('prayers', anna)
  const { data, sync } = await openSynced(server)
  renderWithData(<DevicesSection />, data)
  await act(async () => {})
  return { server, data, sync }
}

const rows = async () => (await screen.findAllByRole('listitem')).map((row) => row.textContent)
const announced = () => screen.getByRole('status').textContent
const shownError = () => screen.getByRole('alert').textContent

describe('the list', () => {
  it('has this device first, and says when each was signed in, and the others were used', async () => {
    await show()
    expect(await rows()).toEqual([
      'Firefox on LinuxThis deviceSigned in today at 08:00Sign out',
      'Firefox on AndroidSigned in Tuesday, 20 October at 08:00 · Last used yesterdaySign out',
    ])
  })

  it('tells devices of the same name apart for screen readers', async () => {
    responses.set(LIST, () =>
      Response.json([PHONE, { ...PHONE, id: 'old', created_at: '2026-10-20T19:30:00+00:00' }]),
    )
    await show()
    await rows()
    const button = (description: string) =>
      screen.getByRole('button', { name: 'Sign out Firefox on Android', description })
    expect(button('Signed in Tuesday, 20 October at 08:00 · Last used yesterday')).toBeDefined()
    expect(button('Signed in Tuesday, 20 October at 19:30 · Last used yesterday')).toBeDefined()
  })

  it('is loaded again on demand if that failed', async () => {
    responses.set(LIST, () => Response.json({}, { status: 500 }))
    expectConsoleError('Failed to load your devices')
    await show()
    await expect.poll(shownError).toBe('Failed to load your devices')
    responses.clear()
    await press('Try again')
    expect(await rows()).toHaveLength(2)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('needs a connection', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    await show()
    expect(screen.getByText('The list needs a connection.')).toBeDefined()
    expect(calls).toEqual([])
  })

  it('says nothing else when loading it failed because the connection was lost', async () => {
    responses.set(LIST, () => Response.json({}, { status: 500 }))
    expectConsoleError('Failed to load your devices')
    await show()
    await expect.poll(shownError).toBe('Failed to load your devices')
    vi.stubGlobal('navigator', { onLine: false })
    act(() => void dispatchEvent(new Event('offline')))
    expect(screen.getByText('The list needs a connection.')).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('another device', () => {
  it('is signed out, which is announced, and leaves the list', async () => {
    await show()
    await rows()
    screen.getByRole('button', { name: 'Sign out Firefox on Android' }).focus()
    await press('Sign out Firefox on Android')
    await expect.poll(rows).toHaveLength(1)
    expect(calls).toContain(`${END} {"session_id":"phone"}`)
    expect(announced()).toBe('Firefox on Android is signed out')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Sign out this device')
    expect(readStoredSession()).not.toBeNull()
  })

  it('stays if the server fails', async () => {
    responses.set(END, () => Response.json({ code: 'XX000', message: '' }, { status: 500 }))
    expectConsoleError('Failed to sign out that device')
    await show()
    await rows()
    await press('Sign out Firefox on Android')
    await expect.poll(shownError).toBe('Failed to sign out that device')
    expect(await rows()).toHaveLength(2)
  })
})

describe('“Sign out everywhere else”', () => {
  it('leaves only this device', async () => {
    await show()
    await rows()
    await press('Sign out everywhere else')
    await expect.poll(rows).toHaveLength(1)
    expect(calls).toContain(`${SIGN_OUT}others`)
    expect(announced()).toBe('All other devices are signed out')
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  })

  it('says when it failed', async () => {
    responses.set(`${SIGN_OUT}others`, () => Response.json({}, { status: 502 }))
    expectConsoleError('Failed to sign out the other devices')
    await show()
    await rows()
    await press('Sign out everywhere else')
    await expect.poll(shownError).toBe('Failed to sign out the other devices')
    expect(await rows()).toHaveLength(2)
  })

  it('is not offered when there is no other device', async () => {
    responses.set(LIST, () => Response.json([HERE]))
    await show()
    await rows()
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  })
})

describe('in an encrypted account', () => {
  it.each([
    ['this device', 'Sign out this device', `${SIGN_OUT}local`],
    ['another device', 'Sign out Firefox on Android', `${END} {"session_id":"phone"}`],
    ['all others', 'Sign out everywhere else', `${SIGN_OUT}others`],
  ])('signs out %s only after asking for the prayer key', async (_what, button, call) => {
    const { sync } = await show()
    await act(async () => (await sync.encryption()).begin(await makePrayerKey()))
    await rows()
    await press(button)
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('Do you have your prayer key?')
    expect(calls).not.toContain(call)
    await press('Sign out', dialog)
    await expect.poll(() => calls).toContain(call)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('asks for both keys while a new one takes the place of another', async () => {
    const { server, sync } = await show()
    const account = await sync.encryption()
    await act(async () => account.begin(await makePrayerKey()))
    await act(() => sync.syncNow())
    server.intercept = ({ path }) => (path === 'rpc/replace_texts' ? connectionLost() : null)
    await act(async () => account.begin(await makePrayerKey()))
    await act(() => sync.syncNow())
    await rows()
    await press('Sign out this device')
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'Do you have it, and the one before?',
    )
  })

  it('asks for it also while the user has to do something first', async () => {
    const { server, sync } = await show()
    await act(async () => (await sync.encryption()).begin(await makePrayerKey()))
    server.keys = []
    await act(() => sync.syncNow())
    expect(sync.status().encryption.state).toBe('restored')
    await rows()
    await press('Sign out this device')
    expect((await screen.findByRole('alertdialog')).textContent).toContain('Do you have your prayer key?')
  })
})

describe('this device', () => {
  const signOutHere = () => press('Sign out this device')

  it('is signed out, and no other', async () => {
    await show()
    await rows()
    await signOutHere()
    await expect.poll(readStoredSession).toBeNull()
    expect(calls).toContain(`${SIGN_OUT}local`)
  })

  it('asks first if changes have not been sent', async () => {
    const { server, data } = await show()
    await rows()
    server.intercept = () => connectionLost()
    await act(() => prayerActions(data).change(anna, { resolved: true }))
    await signOutHere()
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('1 change has not been saved')
    await press('Cancel', dialog)
    expect(readStoredSession()).not.toBeNull()
    await signOutHere()
    await press('Sign out', await screen.findByRole('alertdialog'))
    await expect.poll(readStoredSession).toBeNull()
  })
})
