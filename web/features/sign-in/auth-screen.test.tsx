import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { config } from '#web/lib/config.ts'
import { notice } from '#web/lib/navigation/navigation-state.ts'
import { sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { startSession } from '#web/lib/session/session.ts'
import { endStoredSession, readStoredSession, writeStoredSession } from '#web/lib/session/stored-session.ts'
import { enter, press, submitFormOf } from '#web/test-rendering.tsx'
import { AuthScreen, authMode } from './auth-screen.tsx'

const fetchStub = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetchStub)
})

function open(search: string, initialising: string | null = null, onIdle = () => {}) {
  history.replaceState(null, '', `/${search}`)
  render(
    <Suspense>
      <AuthScreen linkFailure={null} initialising={initialising} onIdle={onIdle} />
    </Suspense>,
  )
  return screen.findByLabelText<HTMLInputElement>('Email')
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)

function fill(texts: Readonly<Record<string, string>>) {
  for (const [label, value] of Object.entries(texts)) enter(label, value)
}

const submit = () => submitFormOf('Email')

/** Lets the server respond only when the returned function is called. */
function holdResponse(): (status: number, body: object) => Promise<void> {
  let respond: (response: Response) => void = () => {}
  fetchStub.mockReturnValue(new Promise((resolve) => (respond = resolve)))
  return (status, body) => act(async () => respond(Response.json(body, { status })))
}

it.each([
  ['', 'login'],
  ['?mode=signup', 'signup'],
  ['mode=reset', 'reset'],
  ['?mode=other', 'login'],
])('%j opens the mode %s', (search, mode) => {
  expect(authMode(search)).toBe(mode)
})

describe.each([
  ['', 'Welcome back', 'Login to your Intercede account', "Don't have an account? Sign up"],
  ['?mode=signup', 'Create account', 'Sign up for a new Intercede account', 'Already have an account? Login'],
  [
    '?mode=reset',
    'Reset your password',
    "Enter your email address and we'll send you a link to reset your password",
    'Send Reset Link',
  ],
])('at %j', (search, title, explanation, text) => {
  it('says what the screen is for', async () => {
    await open(search)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
    expect(document.body.textContent).toContain(explanation)
    expect(document.body.textContent).toContain(text)
    // The reset form needs only the email address.
    const isReset = search === '?mode=reset'
    expect(screen.queryByLabelText('Password') === null).toBe(isReset)
    expect(screen.queryByText('Or continue with') === null).toBe(isReset)
  })

  it('the email address has the focus with a mouse, but not on a touch screen', async () => {
    expect(await open(search)).not.toBe(document.activeElement)
    cleanup()
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: fine)' }))
    expect(await open(search)).toBe(document.activeElement)
  })
})

it('has the next screen loaded once the browser is idle, without waiting for what is typed', async () => {
  const idle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
  vi.stubGlobal('cancelIdleCallback', () => {})
  const onIdle = vi.fn<() => void>()
  await open('', null, onIdle)
  expect(onIdle).not.toHaveBeenCalled()
  idle.forEach((run) => run())
  expect(onIdle).toHaveBeenCalledTimes(1)
})

it.each([
  ['', 'current-password'],
  ['?mode=signup', 'new-password'],
])('has fields that password managers recognise at %j', async (search, kind) => {
  await open(search)
  const attributes = ({ type, autocomplete, required }: HTMLInputElement) => [type, autocomplete, required]
  expect(attributes(field('Email'))).toEqual(['email', 'email', true])
  expect(attributes(field('Password'))).toEqual(['password', kind, true])
})

it('links to sign-up and to the reset form, and back, and keeps the email address', async () => {
  await open('', 'Failed to initialize auth')
  expect(alerts()).toEqual(['Failed to initialize auth'])
  fill({ Email: 'ruth@example.org' })
  for (const [role, name, title] of [
    ['link', 'Sign up', 'Create account'],
    ['link', 'Login', 'Welcome back'],
    ['link', 'Forgot your password?', 'Reset your password'],
    ['button', 'Back to Login', 'Welcome back'],
  ] as const) {
    fireEvent.click(screen.getByRole(role, { name }))
    expect((await screen.findByRole('heading', { name: title })).tagName).toBe('H1')
    expect(field('Email').value).toBe('ruth@example.org')
    expect(alerts()).toEqual([])
    expect(screen.queryByText('Forgot your password?') !== null).toBe(title === 'Welcome back')
  }
})

it('shows what a link has done that changes an address, once', async () => {
  notice.set('The new address ruth@example.com is confirmed.')
  await open('')
  expect(document.body.textContent).toContain('The new address ruth@example.com is confirmed.')
  expect(notice.get()).toBeNull()
})

it.each([
  ['expired', 'You have been signed out. Sign in again to continue where you were.'],
  ['signed-out', undefined],
] as const)('says that the session has ended, unless that was wanted: %s', async (reason, text) => {
  await startSession()
  writeStoredSession(JSON.stringify(sessionWith('token', 3600)))
  endStoredSession(reason)
  await open('')
  expect(screen.queryByRole('status')?.textContent).toBe(text)
  localStorage.clear()
  dispatchEvent(new Event('pageshow'))
})

it.each([
  ['', { Password: 'x' }, 'Email', 'Please enter your email address'],
  ['', { Email: 'ruth', Password: 'x' }, 'Email', 'Please enter a full email address, like ruth@example.com'],
  ['', { Email: 'ruth@example.org' }, 'Password', 'Please enter your password'],
  [
    '?mode=signup',
    { Email: 'ruth@example.org', Password: 'quiet' },
    'Password',
    'Password must be at least 6 characters long',
  ],
  ['?mode=reset', {}, 'Email', 'Please enter your email address'],
])(
  'sends nothing at %j with %j, and moves to the field, until that is valid',
  async (search, texts, label, error) => {
    await open(search)
    fill(texts)
    await submit()
    expect(alerts()).toEqual([error])
    expect(document.activeElement).toBe(field(label))
    expect(fetchStub).not.toHaveBeenCalled()
    fill({ [label]: label === 'Email' ? 'ruth@example.org' : 'a quiet hour' })
    expect(alerts()).toEqual([])
  },
)

describe.each([
  ['', 'Sign In', 'Signing in...', 'sign in'],
  ['?mode=signup', 'Create Account', 'Signing up...', 'sign up'],
])('submitting the form at %j', (search, idle, busy, operation) => {
  it('sends one request, is busy until the server responds, and keeps what was typed after an error', async () => {
    const respond = holdResponse()
    await open(search, 'Failed to initialize auth')
    const typed = { Email: 'ruth@example.org', Password: 'a quiet hour' }
    fill(typed)
    await submit()
    await submit()
    expect(button(busy).getAttribute('aria-busy')).toBe('true')
    expect(button('Sign in with X').disabled).toBe(true)
    expect(fetchStub).toHaveBeenCalledOnce()
    expect(alerts()).toEqual([])

    expectConsoleError(`Failed to ${operation}`)
    await respond(400, { error_code: 'invalid_credentials', msg: 'Invalid login credentials' })
    expect(alerts()).toEqual(['Invalid login credentials'])
    expect(button(idle).getAttribute('aria-busy')).toBeNull()
    for (const [label, text] of Object.entries(typed)) expect(field(label).value).toBe(text)
  })
})

it.each([
  ['Ruth@example.org', 'ruth@example.org', 'signed in'],
  ['ruth@example.org', 'naomi@example.org', undefined],
  ['ruth@example.org', undefined, undefined],
])(
  'signs nobody else in than who has typed the address: %s, the server answers with %s',
  async (typed, email, token) => {
    if (!token) expectConsoleError('Failed to sign in')
    const respond = holdResponse()
    await open('')
    fill({ Email: typed, Password: 'a quiet hour' })
    await submit()
    const session = sessionWith('signed in', 3600)
    await respond(200, { ...session, user: { ...session.user, email } })
    expect(readStoredSession()?.refresh_token).toBe(token)
    expect(alerts()).toEqual(token ? [] : ['Failed to sign in'])
  },
)

it('offers a reset by email, with the address that was typed, after too many attempts to sign in', async () => {
  const message = 'Request rate limit reached'
  expectConsoleError('Failed to sign in')
  const respond = holdResponse()
  await open('')
  fill({ Email: 'stranger@example.org', Password: 'a quiet hour' })
  await submit()
  await respond(429, { error_code: 'over_request_rate_limit', msg: message })
  await expect.poll(alerts).toEqual([expect.stringMatching(`^${message}.*by email$`)])

  fetchStub.mockClear()
  const respondToReset = holdResponse()
  await press('Reset your password by email')
  await respondToReset(200, {})
  expect(fetchStub.mock.calls[0]?.[1]?.body).toContain('"email":"stranger@example.org"')
  expect(document.activeElement?.textContent).toBe(
    "We've sent a password reset link to your email address. Please check your inbox and follow the instructions.",
  )
  expect(alerts()).toEqual([])
})

it('says that a reset email was sent, and offers to request another one', async () => {
  const respond = holdResponse()
  await open('?mode=reset')
  fill({ Email: 'stranger@example.org' })
  await submit()
  expect(button('Sending...').getAttribute('aria-busy')).toBe('true')
  await respond(200, {})
  expect(document.activeElement?.textContent).toBe('Check Your Email')
  expect(document.body.textContent).toContain(
    "We've sent a password reset link to your email address. Please check your inbox and follow the instructions.",
  )
  await press('Back to Login')
  fireEvent.click(screen.getByRole('link', { name: 'Forgot your password?' }))
  expect((await screen.findByRole('button', { name: 'Send Reset Link' })).isConnected).toBe(true)
})

it('mentions at sign-up that a password is one of the most common, and sends it all the same', async () => {
  const description = () =>
    document.getElementById(field('Password').getAttribute('aria-describedby') ?? '')?.textContent
  await open('?mode=signup')
  expect(description()).toBe('At least 6 characters')
  fill({ Email: 'ruth@example.org', Password: 'password1' })
  await expect.poll(description).toMatch(/^This is one of the most common passwords/)
  fill({ Password: 'password1 of mine' })
  await expect.poll(description).toBe('At least 6 characters')
  fill({ Password: 'password1' })
  holdResponse()
  await submit()
  expect(fetchStub).toHaveBeenCalledOnce()
})

it('says that new accounts are by invitation where sign-up is closed', async () => {
  config.isSignUpClosed = true
  history.replaceState(null, '', '/?mode=signup')
  render(<AuthScreen linkFailure={null} initialising={null} onIdle={() => {}} />)
  config.isSignUpClosed = false
  expect(document.body.textContent).toContain('New accounts are by invitation.')
  expect(screen.queryByLabelText('Email')).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: 'Login' }))
  expect(await screen.findByLabelText('Email')).toBeDefined()
})

describe('sign-in with X, at a server that does not offer it,', () => {
  const NOT_OFFERED = 'This server has no sign-in with X. Please use your email and password.'
  const { xEnabled: unchanged } = config
  afterEach(() => {
    config.xEnabled = unchanged
  })

  it.each([
    ['without a request, if the page says so', false, 0],
    ['after a request, if only a request can tell', null, 1],
  ])('is explained %s', async (_how, xEnabled, requests) => {
    config.xEnabled = xEnabled
    fetchStub.mockImplementation(async () =>
      Response.json(
        { error_code: 'validation_failed', msg: 'Unsupported provider: provider is not enabled' },
        { status: 400 },
      ),
    )
    await open('')
    await press('Sign in with X')
    expect((await screen.findByRole('alert')).textContent).toBe(NOT_OFFERED)
    expect(button('Sign in with X').disabled).toBe(false)
    expect(fetchStub).toHaveBeenCalledTimes(requests)
  })
})

it('says that sign-in with X has failed when the server is down, and can be tried again', async () => {
  fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
  expectConsoleError('Failed to sign in with Twitter')
  await open('')
  await press('Sign in with X')
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to sign in with Twitter')
  expect(button('Sign in with X').disabled).toBe(false)
})

it('offers to sign in with an address that has an account', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: fine)' }))
  await open('?mode=signup')
  fill({ Email: 'ruth@example.org', Password: 'another password' })
  fetchStub.mockResolvedValue(
    Response.json({ error_code: 'user_already_exists', msg: 'User already registered' }, { status: 422 }),
  )
  expectConsoleError('Failed to sign up')
  await submit()
  expect(alerts().join()).toContain('User already registered')
  const link = await screen.findByRole('link', { name: 'Sign in with this address' })
  await act(async () => link.click())
  await screen.findByRole('heading', { name: 'Welcome back' })
  expect(field('Email').value).toBe('ruth@example.org')
  expect(document.activeElement).toBe(field('Password'))
})
