import type { User } from '@supabase/auth-js'
import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isRecord } from '#shared/is-record.ts'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { makePrayerKey } from '#web/data/encryption.ts'
import { FakePush, PUSH_KEY } from '#web/data/fake-push.test-data.ts'
import { FakeServer, openSynced } from '#web/data/user-data.test-data.ts'
import type { Reminder } from '#web/data/reminders.ts'
import { accessTokenFor, sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { startSession } from '#web/lib/session/session.ts'
import { writeStoredSession } from '#web/lib/session/stored-session.ts'
import { enter, press, renderWithData, submitFormOf } from '#web/test-rendering.tsx'
import { RemindersSections } from './reminders-sections.tsx'

const MORNING: Reminder = {
  id: 'morning',
  remind_at: '07:00:00',
  weekdays: 127,
  time_zone: 'UTC',
  by_push: false,
  by_email: true,
  enabled: true,
  next_at: '2026-11-04T07:00:00+00:00',
  email_refused_at: null,
}
const NOON: Reminder = { ...MORNING, id: 'noon', remind_at: '12:30:00', weekdays: 31 }

const RUTH: User = {
  ...sessionWith('token', 3600).user,
  email: 'ruth@example.org',
  identities: [identity(true)],
}

function identity(email_verified: boolean) {
  const identity_data = { email: 'ruth@example.org', email_verified }
  return { id: '1', user_id: 'ruth', identity_id: '1', provider: 'email', identity_data }
}

/** What the server has. */
let rows: Reminder[]
let settings: object
let push: FakePush
/** Calls that change reminders, with what was sent. */
let changes: [string, unknown][]
/** Responds to calls of the data API instead of the server. */
let intercept: (method: string) => Response | null

beforeEach(async () => {
  vi.useFakeTimers({ now: new Date('2026-11-03T14:00:00Z'), toFake: ['Date'] })
  rows = []
  settings = { reminders: { push_key: PUSH_KEY, email: true } }
  push = new FakePush()
  push.install()
  changes = []
  intercept = () => null
  vi.stubGlobal('fetch', async (input: string | URL, { method = 'GET', body }: RequestInit = {}) => {
    const url = new URL(String(input), 'http://localhost')
    switch (url.pathname) {
      case '/auth/v1/settings':
        return Response.json(settings)
      case '/auth/v1/user':
        return Response.json(user)
      case '/reminders/v1/subscription':
        return push.respond(method, body)
      default: {
        const sent: unknown = typeof body === 'string' ? JSON.parse(body) : null
        return intercept(method) ?? respond(method, url.searchParams.get('id'), sent)
      }
    }
  })
  await startSession()
})

/** The data API, with as much as the app uses of it. */
function respond(method: string, filter: string | null, sent: unknown): Response {
  if (method === 'GET') return Response.json(rows)
  changes.push([`${method} ${filter ?? ''}`, sent])
  const isMeant = ({ id }: Reminder) => filter === `eq.${id}` || filter === 'not.is.null'
  const fields = isRecord(sent) ? sent : {}
  if (method === 'POST') rows = [...rows, { ...MORNING, id: `new ${String(rows.length)}`, ...fields }]
  if (method === 'PATCH') rows = rows.map((row) => (isMeant(row) ? { ...row, ...fields } : row))
  const meant = method === 'POST' ? rows.slice(-1) : rows.filter(isMeant)
  if (method === 'DELETE') rows = rows.filter((row) => !isMeant(row))
  return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(meant)
}

afterEach(() => {
  cleanup()
  localStorage.clear()
  dispatchEvent(new Event('pageshow'))
})

let user: User

async function show(given: User = RUTH) {
  user = given
  const stored = { ...sessionWith('token', 3600), access_token: accessTokenFor('ruth@example.org'), user }
  act(() => writeStoredSession(JSON.stringify(stored)))
  const { data, sync } = await openSynced(new FakeServer())
  renderWithData(<RemindersSections />, data)
  await act(async () => {})
  return sync
}

const main = () => document.body.textContent
const listed = () => screen.queryAllByRole('listitem').map((row) => row.textContent)
const announced = () => screen.getAllByRole('status').map((status) => status.textContent)
const shownErrors = () => screen.queryAllByRole('alert').map((alert) => alert.textContent)
const region = (name: string) => screen.getByRole('region', { name })
const tick = (name: RegExp) => act(async () => screen.getByRole('checkbox', { name }).click())
const save = () => press('Save')

describe('the reminders', () => {
  it('are listed by time, with their days and how they arrive', async () => {
    rows = [{ ...NOON, by_push: true, enabled: false }, MORNING]
    await show()
    await expect.poll(listed).toHaveLength(2)
    expect(listed()).toEqual([
      '07:00Every day · EmailEditTurn off',
      '12:30OffMondays to Fridays · Notification and emailEditTurn on',
    ])
  })

  it('say how many people are planned, or prayers if the account is encrypted', async () => {
    const sync = await show()
    expect(main()).toContain('how many people are planned')
    await act(async () => (await sync.encryption()).begin(await makePrayerKey()))
    expect(main()).toContain('how many prayers are planned')
  })

  it('are loaded again on demand if that failed', async () => {
    intercept = () => Response.json({}, { status: 500 })
    expectConsoleError('Failed to load your reminders')
    await show()
    await expect.poll(shownErrors).toEqual(['Failed to load your reminders'])
    intercept = () => null
    await press('Try again')
    expect(await screen.findByRole('button', { name: 'Add a reminder' })).toBeDefined()
    expect(shownErrors()).toEqual([])
  })

  it('are not offered by a server that sends none', async () => {
    settings = {}
    await show()
    await expect.poll(main).toContain('The server of this site sends no reminders.')
    expect(screen.queryByRole('button')).toBeNull()
    expect(push.requests).toEqual([])
  })

  it('are at most three', async () => {
    rows = [MORNING, NOON, { ...NOON, id: 'evening', remind_at: '21:00:00' }]
    await show()
    await expect.poll(listed).toHaveLength(3)
    expect(screen.queryByRole('button', { name: 'Add a reminder' })).toBeNull()
  })

  it('say why they do not arrive', async () => {
    rows = [
      { ...MORNING, by_push: true },
      { ...NOON, by_email: false, email_refused_at: '2026-11-02T07:00:00+00:00' },
      { ...NOON, id: 'evening', remind_at: '21:00:00', next_at: null },
    ]
    settings = { reminders: { push_key: PUSH_KEY, email: false } }
    await show()
    await expect.poll(listed).toHaveLength(3)
    const [morning, noon, evening] = listed()
    expect(morning).toContain('No device shows this reminder yet. Turn onThis server sends no email.')
    expect(noon).toContain('Your mail server refused our email on 2 November')
    expect(noon).toContain('Please choose how it should reach you.')
    expect(evening).toContain('The server does not know your time zone')
  })
})

describe('without a connection', () => {
  it('says that one is needed', async () => {
    push.install({ onLine: false })
    await show()
    expect(main()).toContain('Your reminders need a connection.')
  })

  it('says nothing else when loading them failed because it was lost', async () => {
    intercept = () => Response.json({}, { status: 500 })
    expectConsoleError('Failed to load your reminders')
    await show()
    await expect.poll(shownErrors).toEqual(['Failed to load your reminders'])
    push.install({ onLine: false })
    act(() => void dispatchEvent(new Event('offline')))
    expect(main()).toContain('Your reminders need a connection.')
    expect(shownErrors()).toEqual([])
  })

  it('changes nothing, and keeps what was chosen', async () => {
    rows = [MORNING]
    await show()
    await press('Edit 07:00')
    enter('Time', '08:15')
    push.install({ onLine: false })
    act(() => void dispatchEvent(new Event('offline')))
    await save()
    expect(shownErrors()).toEqual(['This needs a connection. Nothing was changed.'])
    expect(screen.getByLabelText<HTMLInputElement>('Time').value).toBe('08:15')
    await press('Cancel')
    await press('Turn off 07:00')
    expect(shownErrors()).toEqual(['This needs a connection. Nothing was changed.'])
    expect(changes).toEqual([])
  })
})

describe('a new reminder', () => {
  const add = () => press('Add a reminder')

  it('is saved with its time, days and time zone, which is announced', async () => {
    await show()
    await add()
    expect(document.activeElement).toBe(screen.getByLabelText('Time'))
    expect(screen.getByText('In the time zone UTC')).toBeDefined()
    enter('Time', '06:45')
    await press('Saturday')
    await press('Sunday')
    await tick(/^Email to ruth@example.org/)
    await submitFormOf('Time')
    await expect.poll(announced).toContain('Reminder saved: Mondays to Fridays at 06:45')
    expect(changes).toEqual([
      ['POST ', { remind_at: '06:45', weekdays: 31, time_zone: 'UTC', by_push: false, by_email: true }],
    ])
    expect(listed()).toEqual(['06:45Mondays to Fridays · EmailEditTurn off'])
    expect(document.activeElement?.textContent).toBe('Add a reminder')
    expect(push.asked).toBe(0)
  })

  it('needs a time, a day and a way', async () => {
    await show()
    await add()
    enter('Time', '')
    await press('Clear “Days of the week”')
    await save()
    expect(shownErrors()).toEqual([
      'Please enter a time',
      'Please choose at least one day',
      'Please choose how it should reach you',
    ])
    enter('Time', '07:00')
    await press('Monday')
    await tick(/^Notification/)
    expect(shownErrors()).toEqual([])
    expect(changes).toEqual([])
  })

  it('stays in the form if the server rejects it', async () => {
    intercept = (method) =>
      method === 'POST'
        ? Response.json({ code: 'PT413', message: 'You can have at most three reminders.' }, { status: 413 })
        : null
    expectConsoleError('You can have at most three reminders.')
    await show()
    await add()
    await tick(/^Email/)
    await save()
    await expect.poll(shownErrors).toEqual(['You can have at most three reminders.'])
    expect(screen.getByLabelText<HTMLInputElement>('Time').value).toBe('07:00')
  })

  it.each([
    ['This server sends no email.', RUTH, false],
    ['Reminders by email need a confirmed address.', { ...RUTH, identities: [identity(false)] }, true],
    ['Reminders by email need an address', { ...RUTH, email: '' }, true],
  ])('is not offered by email where that does not work: %s', async (text, given, email) => {
    settings = { reminders: { push_key: PUSH_KEY, email } }
    await show(given)
    await add()
    expect(main()).toContain(text)
    const ways = screen.getAllByRole<HTMLInputElement>('checkbox')
    expect(ways.map(({ name, checked }) => [name, checked])).toEqual([['push', true]])
  })

  describe('by notification', () => {
    const choosePush = async () => {
      await add()
      await tick(/^Notification/)
    }

    it('says that the browser will ask, which it does when the reminder is saved', async () => {
      push.permission = 'default'
      await show()
      await choosePush()
      expect(main()).toContain('When you save, your browser asks')
      expect(push.asked).toBe(0)
      await save()
      await expect.poll(announced).toContain('Reminder saved: Every day at 07:00')
      expect(push.asked).toBe(1)
      expect(push.registered).toBe('https://push.example.org/1')
      expect(region('Notifications on this device').textContent).toContain(
        'This device shows your reminders.',
      )
    })

    it.each(['denied', null] as const)(
      'is not saved if the user answers %s, and stays in the form',
      async (answer) => {
        push.permission = 'default'
        push.answer = answer
        expectConsoleError('This browser does not allow notifications.')
        expectConsoleError('Nothing was saved')
        await show()
        await choosePush()
        await save()
        await expect
          .poll(shownErrors)
          .toEqual([
            'This browser does not allow notifications. Private windows never do. Nothing was saved, because nothing would reach you.',
          ])
        expect(changes).toEqual([])
        await tick(/^Email/)
        await save()
        await expect
          .poll(() => announced().join())
          .toContain('Reminder saved: Every day at 07:00. This browser ')
        expect(listed()[0]).toContain('No device shows this reminder yet.')
        expect(push.registered).toBeNull()
      },
    )

    it('says so if the server does not support the push service of the browser', async () => {
      const message = 'Notifications of this browser are not supported by this server.'
      push.intercept = (method) =>
        method === 'PUT'
          ? Response.json({ code: 'push_service_not_allowed', message }, { status: 422 })
          : null
      expectConsoleError(message)
      await show()
      await choosePush()
      await tick(/^Email/)
      await save()
      await expect.poll(announced).toContain(`Reminder saved: Every day at 07:00. ${message}`)
    })

    it('explains how to install the app on an iPhone', async () => {
      await showWithoutPush({ vendor: 'Apple Computer, Inc.', maxTouchPoints: 5 })
      await choosePush()
      expect(main()).toContain('Choose “Add to Home Screen”.')
      expectConsoleError('Nothing was saved')
      await save()
      await expect
        .poll(() => shownErrors()[0])
        .toContain('An iPhone or iPad shows the notifications of installed')
    })

    it('says that a browser without push messages cannot show it', async () => {
      await showWithoutPush({ vendor: 'Google Inc.' })
      await choosePush()
      expect(main()).toContain('This browser does not show notifications here.')
    })
  })
})

describe('a reminder', () => {
  it('is changed, and keeps what is not in the form', async () => {
    rows = [MORNING, NOON]
    await show()
    await press('Edit 12:30')
    enter('Time', '05:00')
    await save()
    await expect.poll(announced).toContain('Reminder saved: Mondays to Fridays at 05:00')
    expect(changes).toEqual([
      [
        'PATCH eq.noon',
        { remind_at: '05:00', weekdays: 31, time_zone: 'UTC', by_push: false, by_email: true },
      ],
    ])
    expect(listed().map((text) => text.slice(0, 5))).toEqual(['05:00', '07:00'])
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit 05:00')
  })

  it('is turned off, and on again', async () => {
    rows = [MORNING]
    await show()
    await press('Turn off 07:00')
    await expect.poll(announced).toContain('Every day at 07:00 is off')
    await press('Turn on 07:00')
    await expect.poll(announced).toContain('Every day at 07:00 is on')
    expect(changes).toEqual([
      ['PATCH eq.morning', { enabled: false }],
      ['PATCH eq.morning', { enabled: true }],
    ])
  })

  it('is deleted, and the focus moves on', async () => {
    rows = [MORNING]
    await show()
    await press('Edit 07:00')
    await press('Delete')
    await expect.poll(announced).toContain('Reminder deleted: Every day at 07:00')
    expect([rows, listed()]).toEqual([[], []])
    expect(document.activeElement?.textContent).toBe('Add a reminder')
  })

  it('that was deleted on another device cannot be changed', async () => {
    rows = [MORNING]
    await show()
    rows = []
    expectConsoleError('This reminder was deleted on another device.')
    await press('Turn off 07:00')
    await expect.poll(shownErrors).toEqual(['This reminder was deleted on another device.'])
  })

  it('does not turn on notifications again where they were turned off', async () => {
    rows = [{ ...MORNING, by_push: true }]
    await show()
    await press('Edit 07:00')
    enter('Time', '08:00')
    await save()
    await expect.poll(announced).toContain('Reminder saved: Every day at 08:00')
    expect(push.registered).toBeNull()
  })
})

describe('“Notifications on this device”', () => {
  const section = () => region('Notifications on this device')

  it('is missing while no notification was chosen', async () => {
    rows = [MORNING]
    await show()
    await expect.poll(listed).toHaveLength(1)
    expect(screen.queryByRole('region', { name: 'Notifications on this device' })).toBeNull()
  })

  it('turns them on, after one sentence, and off', async () => {
    rows = [{ ...MORNING, by_push: true }]
    push.permission = 'default'
    await show()
    await expect.poll(() => section().textContent).toContain('Your browser asks whether')
    await press('Turn on notifications')
    await expect.poll(announced).toContain('Notifications are on')
    expect(listed()[0]).not.toContain('No device shows this reminder yet.')
    await press('Turn off on this device')
    await expect.poll(announced).toContain('Notifications are off on this device')
    expect(push.registered).toBeNull()
  })

  it.each([
    [{}, 'press the icon before the address'],
    [{ vendor: 'Apple Computer, Inc.' }, 'open the settings of Safari'],
    [{ vendor: 'Apple Computer, Inc.', maxTouchPoints: 5 }, 'then “Notifications” and “Intercede”'],
  ])('says how to allow what is blocked: %o', async (browser, text) => {
    rows = [{ ...MORNING, by_push: true }]
    push.permission = 'denied'
    push.install(browser)
    await show()
    await expect
      .poll(() => section().textContent)
      .toContain('This browser blocks notifications of this site.')
    expect(section().textContent).toContain(text)
    expect(within(section()).queryByRole('button')).toBeNull()
  })

  it('says that they were lost, and turns them on again', async () => {
    rows = [{ ...MORNING, by_push: true }]
    await show()
    await press('Turn on', section())
    await expect.poll(announced).toContain('Notifications are on')
    cleanup()
    push.subscription = null
    push.works = false
    await show()
    await expect.poll(() => section().textContent).toContain('Notifications no longer reach this device')
    push.works = true
    await press('Turn on again')
    await expect.poll(() => section().textContent).toContain('This device shows your reminders.')
  })
})

describe('the time zone', () => {
  const ZONE = 'Time zone of your reminders'
  const open = () => press('Change the time zone')

  it('is that of the device for a first reminder, and can be changed for all', async () => {
    rows = [MORNING, NOON]
    await show()
    await expect.poll(main).toContain('In the time zone UTC · Change')
    await open()
    expect(document.activeElement).toBe(screen.getByLabelText(ZONE))
    enter(ZONE, 'Europe/Lisbon')
    await submitFormOf(ZONE)
    await expect.poll(announced).toContain('Time zone: Europe/Lisbon')
    expect(changes).toEqual([['PATCH not.is.null', { time_zone: 'Europe/Lisbon' }]])
    expect(main()).toContain('In the time zone Europe/Lisbon, while this device is in UTC · Change')
    expect(document.activeElement?.textContent).toBe('Change')
    await open()
    await press('Use UTC')
    await expect.poll(announced).toContain('Time zone: UTC')
    await press('Add a reminder')
    expect(screen.getAllByText(/In the time zone/)).toHaveLength(1)
  })

  it('stays if the server does not know it', async () => {
    rows = [MORNING]
    intercept = (method) =>
      method === 'PATCH'
        ? Response.json({ code: '22023', message: 'The time zone “UTC” is not known.' }, { status: 400 })
        : null
    expectConsoleError('is not known')
    await show()
    await expect.poll(listed).toHaveLength(1)
    await open()
    await submitFormOf(ZONE)
    await expect.poll(shownErrors).toEqual(['The time zone “UTC” is not known.'])
  })

  it('has the present name of a place, once, whatever the browser or the server calls it', async () => {
    rows = [{ ...MORNING, time_zone: 'Asia/Kolkata' }]
    await show()
    await expect.poll(main).toContain('In the time zone Asia/Kolkata')
    await open()
    const names = within(screen.getByLabelText(ZONE)).getAllByRole('option')
    const texts = names.map((option) => option.textContent)
    expect(texts).toEqual([...new Set(texts)].toSorted())
    expect(texts).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'Asia/Ho Chi Minh']))
    expect(texts.filter((text) => /Calcutta|Kiev|Saigon/.test(text))).toEqual([])
  })
})

/** In a browser without push messages. */
async function showWithoutPush(browser: object) {
  const { fetch } = globalThis
  vi.unstubAllGlobals()
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('navigator', { onLine: true, userAgent: '', ...browser })
  await show()
}
