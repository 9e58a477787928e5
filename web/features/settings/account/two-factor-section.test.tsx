import type { Factor } from '@supabase/auth-js'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { isRecord } from '#shared/is-record.ts'
import { makePrayerKey } from '#web/data/encryption.ts'
import { FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import { sampleApp, sessionWithApp } from '#web/lib/session/sample-session.test-data.ts'
import { session, startSession, useSession } from '#web/lib/session/session.ts'
import { writeStoredSession, writeStoredUser } from '#web/lib/session/stored-session.ts'
import { enter, press, renderWithData, submitFormOf } from '#web/test-rendering.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

const CODES = Array.from({ length: 10 }, (_, index) => `k7xq-2mfa-9d3t-000${index}`)
const PASSWORD_IDENTITY = {
  id: '1',
  user_id: 'ruth',
  identity_id: '1',
  provider: 'email',
  identity_data: {},
}
const CODE_LABEL = 'Code that the app shows'

/** The apps of the account, as the server has them. */
let apps: Factor<'totp', 'verified'>[]
/** The level of the session that the server gives next. */
let level: 'aal1' | 'aal2'
/** The calls that change something, with what was sent. */
let calls: [call: string, body: unknown][]
/** Responds instead of the server; null leaves it to the server. */
let intercept: (call: string, body: Record<string, unknown>) => Response | null

beforeEach(async () => {
  apps = []
  level = 'aal1'
  calls = []
  intercept = () => null
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const call = `${method} ${url.replace(/.*\/auth\/v1/, '')}`
    const sent: unknown = typeof body === 'string' ? JSON.parse(body) : null
    if (method !== 'GET') calls.push([call, sent])
    return intercept(call, isRecord(sent) ? sent : {}) ?? respond(call, isRecord(sent) ? sent : {})
  })
  await startSession()
})

afterEach(() => {
  cleanup()
  localStorage.clear()
  dispatchEvent(new Event('pageshow'))
})

const currentSession = () => sessionWithApp(level, apps)

function respond(call: string, body: Record<string, unknown>): Response {
  // Not by all blanks: the name of an app has one.
  const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(call) ?? []
  if (call === 'GET /user') return Response.json(currentSession().user)
  if (call === 'GET /factors/recovery-codes') return Response.json({ unused: 8 })
  if (call === 'POST /factors/recovery-codes') return Response.json({ recovery_codes: CODES })
  if (call === 'POST /factors') {
    const totp = { qr_code: '<svg/>', secret: 'ABCDEFGHIJ', uri: 'otpauth://totp/Intercede' }
    return Response.json({ id: String(body['friendly_name']), type: 'totp', totp })
  }
  const id = decodeURIComponent(path.split('/')[2] ?? '')
  if (path.endsWith('/challenge')) return Response.json({ id: 'challenge', type: 'totp', expires_at: 0 })
  if (path.endsWith('/verify')) {
    apps = [...apps, sampleApp(id)]
    level = 'aal2'
  }
  if (method === 'DELETE') {
    apps = apps.filter((app) => app.id !== id)
    return Response.json({ id })
  }
  return Response.json(currentSession())
}

const rejection = (code: string, status = 422) =>
  Response.json({ code, error_code: code, message: code, msg: code }, { status })

/** What the app shows of it. */
function Shown() {
  const state = useSession()
  return state.status === 'signed-in' ? <TwoFactorSection user={state.user} /> : <p>{state.status}</p>
}

async function show(...names: string[]) {
  apps = names.map((name) => sampleApp(name))
  level = names.length > 0 ? 'aal2' : 'aal1'
  act(() => writeStoredSession(JSON.stringify(currentSession())))
  const { data, sync } = await openSynced(new FakeServer())
  renderWithData(<Shown />, data)
  await act(async () => {})
  return sync
}

const givePassword = () =>
  act(() => writeStoredUser({ ...currentSession().user, identities: [PASSWORD_IDENTITY] }))
const announced = () => screen.getAllByRole('status').map((status) => status.textContent)
const removals = () => calls.filter(([call]) => call.startsWith('DELETE'))
const shownError = () => screen.getByRole('alert').textContent
const focused = () => document.activeElement
const hasButton = (name: string) => screen.queryByRole('button', { name }) !== null

async function beginToAdd(button: string, name?: string) {
  await press(button)
  if (name !== undefined) enter('Name of the app', name)
  await submitFormOf('Name of the app')
}

async function giveCode(code = '123456') {
  enter(CODE_LABEL, code)
  await submitFormOf(CODE_LABEL)
}

describe('turning it on', () => {
  it('shows the key in three forms, takes a code, and shows the recovery codes until they are kept', async () => {
    await show()
    await beginToAdd('Set up')
    const image = await screen.findByRole<HTMLImageElement>('img')
    expect(decodeURIComponent(image.src)).toBe('data:image/svg+xml,<svg/>')
    expect(screen.getByText('ABCD EFGH IJ')).toBeDefined()
    expect(screen.getByRole('link').getAttribute('href')).toBe('otpauth://totp/Intercede')
    await giveCode(' 123 456 ')
    expect((await screen.findByRole('heading', { name: 'Your recovery codes' })) === focused()).toBe(true)
    expect(
      within(screen.getByRole('list', { name: 'Your recovery codes' })).getAllByRole('listitem'),
    ).toHaveLength(10)
    expect(announced()).toContain('Two-factor sign-in is on. All other devices are signed out.')
    expect(calls).toContainEqual([
      'POST /factors/My phone/verify',
      expect.objectContaining({ code: '123456' }),
    ])
    expect(session.get().status).toBe('signed-in')
    await press('I have saved them')
    expect(focused()?.textContent).toBe('Add a second app')
    expect(await screen.findByText(/8 unused recovery codes/)).toBeDefined()
    expect(screen.getByText('My phone')).toBeDefined()
    expect(screen.queryByText(CODES[0] ?? '')).toBeNull()
  })

  it('asks for the prayer key where the account is encrypted, because all other devices are signed out', async () => {
    const sync = await show()
    expect(document.body.textContent).not.toContain('prayer key')
    await act(async () => (await sync.encryption()).begin(await makePrayerKey()))
    await beginToAdd('Set up')
    await screen.findByLabelText(CODE_LABEL)
    expect(document.body.textContent).toContain('other devices. Do you have your prayer key?')
    await giveCode()
    await screen.findByRole('heading', { name: 'Your recovery codes' })
    expect(document.body.textContent).not.toContain('prayer key')
  })

  it('asks for the password only if the server wants it, once', async () => {
    intercept = (_call, { current_password: password, friendly_name: name }) =>
      name !== undefined && password === undefined ? rejection('reauthentication_needed', 400) : null
    expectConsoleError('Failed to set up two-factor sign-in')
    await show()
    givePassword()
    await beginToAdd('Set up')
    const password = await screen.findByLabelText('Current password')
    expect(focused()).toBe(password)
    enter('Current password', 'a quiet hour')
    await submitFormOf('Current password')
    await screen.findByLabelText(CODE_LABEL)
    await giveCode()
    await screen.findByText(CODES[0] ?? '')
    expect(calls.filter(([call]) => call === 'POST /factors/recovery-codes')).toEqual([
      ['POST /factors/recovery-codes', { current_password: 'a quiet hour' }],
    ])
  })

  it.each([
    ['mfa_verification_failed', /wrong, or was used before/],
    ['mfa_challenge_expired', /took too long/],
    ['over_request_rate_limit', /Too many codes were tried/],
  ])('says what is wrong with a code: %s', async (code, message) => {
    intercept = (call) => (call.endsWith('/verify') ? rejection(code) : null)
    expectConsoleError('Failed to check the code')
    await show()
    await beginToAdd('Set up')
    await screen.findByLabelText(CODE_LABEL)
    await giveCode()
    await expect.poll(shownError).toMatch(message)
    expect(focused()).toBe(screen.getByLabelText(CODE_LABEL))
    enter(CODE_LABEL, '1')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('offers the recovery codes again if they could not be made', async () => {
    let isLost = true
    intercept = (call) => {
      if (call !== 'POST /factors/recovery-codes' || !isLost) return null
      isLost = false
      throw new TypeError('Failed to fetch')
    }
    expectConsoleError('Failed to make recovery codes')
    await show()
    await beginToAdd('Set up')
    await screen.findByLabelText(CODE_LABEL)
    await giveCode()
    await expect.poll(shownError).toMatch(/Two-factor sign-in is on, but/)
    await press('Make recovery codes')
    expect(await screen.findByText(CODES[0] ?? '')).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says on a server without recovery codes that there are none', async () => {
    intercept = (call) => (call.includes('recovery-codes') ? rejection('validation_failed', 404) : null)
    await show()
    await beginToAdd('Set up')
    await screen.findByLabelText(CODE_LABEL)
    await giveCode()
    expect(
      await screen.findByText(/This server has no recovery codes. Please add a second app/),
    ).toBeDefined()
    expect(hasButton('Make new recovery codes')).toBe(false)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('can be left before anything has changed', async () => {
    await show()
    await beginToAdd('Set up')
    await screen.findByLabelText(CODE_LABEL)
    await press('Cancel')
    expect(focused()?.textContent).toBe('Set up')
    expect(session.get()).toMatchObject({ user: { factors: [] } })
  })
})

describe('when it is on', () => {
  it('a second app of another name is added', async () => {
    await show('My phone')
    await beginToAdd('Add a second app', 'My phone')
    expect(shownError()).toBe('Your other app has this name')
    enter('Name of the app', 'Tablet')
    await submitFormOf('Name of the app')
    await screen.findByLabelText(CODE_LABEL)
    await giveCode()
    await expect.poll(announced).toContain('“Tablet” was added')
    expect(hasButton('Add a second app')).toBe(false)
    expect(hasButton('Turn off')).toBe(false)
    expect(calls.map(([call]) => call)).not.toContain('POST /factors/recovery-codes')
  })

  it('one of two apps is removed after asking', async () => {
    await show('My phone', 'Tablet')
    await press('Remove “Tablet”')
    expect(focused()?.textContent).toMatch(/^The codes of “Tablet” will .* a code from your other app/)
    await press('Remove')
    await expect.poll(announced).toContain('“Tablet” was removed')
    expect(screen.queryByText('Tablet')).toBeNull()
    expect(hasButton('Turn off')).toBe(true)
    expect(focused()?.textContent).toBe('Add a second app')
    expect(removals()).toEqual([['DELETE /factors/Tablet', null]])
  })

  it('the other app is asked for its code if the session had that of the removed one', async () => {
    intercept = (call) => {
      if (call.startsWith('DELETE')) level = 'aal1'
      return null
    }
    await show('My phone', 'Tablet')
    await press('Remove “Tablet”')
    await press('Remove')
    expect(await screen.findByText('needs-code')).toBeDefined()
  })

  it('is turned off after asking', async () => {
    intercept = (call) => {
      if (call.startsWith('DELETE')) level = 'aal1'
      return null
    }
    await show('My phone')
    await press('Turn off')
    expect(focused()?.textContent).toContain('recovery codes will stop working')
    await press('Turn off')
    await expect.poll(announced).toContain('Two-factor sign-in is off')
    expect(focused()?.textContent).toBe('Set up')
    expect(session.get().status).toBe('signed-in')
  })

  it.each(['Turn off', 'Remove “Tablet”'])('“%s” can be left, which returns the focus', async (button) => {
    await show('My phone', ...(button === 'Turn off' ? [] : ['Tablet']))
    const pressed = screen.getByRole('button', { name: button })
    await press(button)
    await press('Cancel')
    expect(focused()).toBe(pressed)
    expect(removals()).toEqual([])
  })

  it('a double click on “Turn off” does not confirm it', async () => {
    await show('My phone')
    await press('Turn off')
    await act(
      async () => void fireEvent.click(screen.getByRole('button', { name: 'Turn off' }), { detail: 2 }),
    )
    expect(removals()).toEqual([])
  })

  it('an app is removed once, however often the button is pressed', async () => {
    await show('My phone', 'Tablet')
    await press('Remove “Tablet”')
    const remove = screen.getByRole('button', { name: 'Remove' })
    await act(async () => {
      fireEvent.click(remove)
      fireEvent.click(remove)
    })
    expect(removals()).toHaveLength(1)
  })

  it('an app that is gone already, removed on another device or by a request without a response, counts as removed', async () => {
    expectConsoleError('Failed to remove the app')
    await show('My phone', 'Tablet')
    intercept = (call) => {
      if (!call.startsWith('DELETE')) return null
      if (apps.length === 1) return rejection('mfa_factor_not_found', 404)
      apps = [sampleApp('My phone')]
      throw new TypeError('Failed to fetch')
    }
    await press('Remove “Tablet”')
    await press('Remove')
    await expect.poll(shownError).toBe('Failed to remove the app')
    await press('Remove')
    await expect.poll(announced).toContain('“Tablet” was removed')
    expect(screen.queryByText('Tablet')).toBeNull()
  })

  it('new recovery codes are made, copied, and saved', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
    vi.stubGlobal('navigator', { onLine: true, clipboard: { writeText } })
    await show('My phone')
    await press('Make new recovery codes')
    expect(focused()?.textContent).toContain('will stop working')
    await press('Make recovery codes')
    await screen.findByText(CODES[0] ?? '')
    await press('Copy')
    expect(writeText).toHaveBeenCalledWith(CODES.join('\n'))
    expect(announced()).toContain('Copied')
    const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:saved')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    await press('Save as text')
    const [file] = saved.mock.calls[0] ?? []
    expect(file instanceof Blob && (await file.text())).toContain(`\n${CODES.join('\n')}\n`)
    expect(announced()).toContain('Recovery codes saved')
  })
})

describe('without a recent sign-in, turning it off', () => {
  /** Rejects every removal whose proof is another one, as the server does. */
  function wantProof(field: 'current_password' | 'nonce', right: string, wrongCode: string) {
    intercept = (call, { [field]: given }) => {
      if (!call.startsWith('DELETE')) return null
      if (given === undefined) return rejection('reauthentication_needed', 400)
      return given === right ? null : rejection(wrongCode, 400)
    }
  }
  async function turnOff() {
    await press('Turn off')
    await press('Turn off')
  }

  it('takes the password, and says beside it if it is wrong', async () => {
    wantProof('current_password', 'a quiet hour', 'current_password_invalid')
    expectConsoleError('Failed to turn off two-factor sign-in')
    expectConsoleError('Failed to turn off two-factor sign-in')
    await show('My phone')
    givePassword()
    await turnOff()
    const password = await screen.findByLabelText<HTMLInputElement>('Current password')
    expect(focused()).toBe(password)
    enter('Current password', 'a wrong hour')
    await submitFormOf('Current password')
    await expect.poll(shownError).toBe('This is not your current password')
    expect(focused()).toBe(password)
    expect(password.value).toBe('a wrong hour')
    enter('Current password', 'a quiet hour')
    await submitFormOf('Current password')
    await expect.poll(announced).toContain('Two-factor sign-in is off')
    expect(removals().map(([, body]) => body)).toEqual([
      null,
      { current_password: 'a wrong hour' },
      { current_password: 'a quiet hour' },
    ])
  })

  it('takes a code sent by email from a user without a password, and says beside it if it is wrong', async () => {
    wantProof('nonce', '123456', 'reauthentication_not_valid')
    expectConsoleError('Failed to turn off two-factor sign-in')
    expectConsoleError('Failed to turn off two-factor sign-in')
    await show('My phone')
    await turnOff()
    const code = await screen.findByLabelText<HTMLInputElement>('Code')
    expect(focused()).toBe(code)
    enter('Code', '000000')
    await submitFormOf('Code')
    await expect.poll(shownError).toBe('This code is wrong or too old')
    expect(focused()).toBe(code)
    expect(code.value).toBe('000000')
    enter('Code', '123456')
    await submitFormOf('Code')
    await expect.poll(announced).toContain('Two-factor sign-in is off')
  })

  it.each(['validation_failed', 'email_not_confirmed'])(
    'takes signing in again where there is neither a password nor a confirmed address: %s',
    async (code) => {
      intercept = (call) => {
        if (call === 'GET /reauthenticate') return rejection(code)
        return call.startsWith('DELETE') ? rejection('reauthentication_needed', 400) : null
      }
      expectConsoleError('Failed to turn off two-factor sign-in')
      expectConsoleError('Failed to send the code')
      await show('My phone')
      await turnOff()
      await expect.poll(shownError).toMatch(/Please sign out, sign in again, and then come back here\.$/)
      expect(session.get()).toMatchObject({ user: { factors: [{ id: 'My phone' }] } })
    },
  )

  it('takes signing in again where the server accepts nothing else', async () => {
    intercept = (call) => (call.startsWith('DELETE') ? rejection('reauthentication_needed', 400) : null)
    expectConsoleError('Failed to turn off two-factor sign-in')
    expectConsoleError('Failed to turn off two-factor sign-in')
    await show('My phone')
    await turnOff()
    await screen.findByLabelText('Code')
    enter('Code', '123456')
    await submitFormOf('Code')
    await expect.poll(shownError).toMatch(/sign in again/)
  })
})
