import { beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { FakePush, PUSH_KEY } from './fake-push.test-data.ts'
import {
  checkNotifications,
  turnOffNotifications,
  turnOnNotifications,
  unsubscribe,
  watchNotifications,
} from './notifications.ts'
import { deleteUserData } from './user-data.tsx'

const SUBSCRIPTION = '/reminders/v1/subscription'

let push: FakePush

beforeEach(() => {
  push = new FakePush()
  push.install()
  storeSession(sessionWith('token', 3600))
  vi.stubGlobal('fetch', async (input: string | URL, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname } = new URL(String(input), 'http://localhost')
    return pathname === SUBSCRIPTION
      ? push.respond(method, body)
      : Response.json({ reminders: { push_key: PUSH_KEY, email: true } })
  })
})

const ON = { here: 'on', devices: 1 }
const endpoint = () => push.subscription?.endpoint

/** Turns notifications on, and forgets the requests for it. */
async function turnOn(): Promise<void> {
  expect(await turnOnNotifications(PUSH_KEY)).toEqual(ON)
  push.requests.length = 0
}

it('are registered at the server when they are turned on, and removed when they are turned off', async () => {
  push.otherDevices = 1
  expect(await turnOnNotifications(PUSH_KEY)).toEqual({ here: 'on', devices: 2 })
  expect(push.registered).toBe('https://push.example.org/1')
  expect(await turnOffNotifications()).toEqual({ here: 'off', devices: 1 })
  expect([push.registered, push.subscription]).toEqual([null, null])
})

it('say why the server refuses them', async () => {
  push.intercept = (method) =>
    method === 'PUT'
      ? Response.json({ code: 'push_service_not_allowed', message: 'Not supported.' }, { status: 422 })
      : null
  await expect(turnOnNotifications(PUSH_KEY)).rejects.toMatchObject({
    code: 'push_service_not_allowed',
    message: 'Not supported.',
    status: 422,
  })
})

describe('a check', () => {
  it('turns nothing on that the user has not turned on, such as what another user has left', async () => {
    push.replaceSubscription()
    expect(await checkNotifications(PUSH_KEY)).toEqual({ here: 'off', devices: 0 })
    expect(push.requests).toEqual(['GET'])
  })

  it('changes nothing if the server has the subscription of this device', async () => {
    await turnOn()
    expect(await checkNotifications(PUSH_KEY)).toEqual(ON)
    expect(push.requests).toEqual(['GET'])
  })

  it.each([
    ['the browser has replaced the subscription', () => push.replaceSubscription()],
    ['the browser has lost the subscription', () => (push.subscription = null)],
    ['the push service has told the server that it is gone', () => (push.registered = null)],
    ['the server has another one', () => (push.registered = 'https://push.example.org/elsewhere')],
  ])('subscribes anew if %s', async (_case, change) => {
    await turnOn()
    change()
    expect(await checkNotifications(PUSH_KEY)).toEqual(ON)
    expect(endpoint()).not.toBe('https://push.example.org/1')
    expect(push.registered).toBe(endpoint())
  })

  it('subscribes anew if the server has another key', async () => {
    await turnOn()
    expect(await checkNotifications('BBBB')).toEqual(ON)
    expect(endpoint()).toBe('https://push.example.org/2')
    expect(await checkNotifications('BBBB')).toEqual(ON)
    expect(endpoint()).toBe('https://push.example.org/2')
  })

  it.each(['default', 'denied'] as const)(
    'tells the server if the permission is %s again, and does not ask for it',
    async (permission) => {
      await turnOn()
      push.permission = permission
      push.subscription = null
      expect(await checkNotifications(PUSH_KEY)).toEqual({ here: 'lost', devices: 0 })
      expect(push.registered).toBeNull()
      expect([push.asked, push.subscription]).toEqual([0, null])
    },
  )

  it('subscribes later if the push service cannot be reached', async () => {
    await turnOn()
    push.subscription = null
    push.works = false
    expect(await checkNotifications(PUSH_KEY)).toEqual({ here: 'lost', devices: 0 })
    push.works = true
    expect(await checkNotifications(PUSH_KEY)).toEqual(ON)
  })

  it('leaves everything as it is without the server', async () => {
    await turnOn()
    push.intercept = () => new Response('', { status: 503 })
    await expect(checkNotifications(PUSH_KEY)).rejects.toMatchObject({ status: 503 })
    expect(endpoint()).toBe('https://push.example.org/1')
  })
})

describe('at every start', () => {
  it('they are checked, and again when the browser replaces the subscription meanwhile', async () => {
    await turnOn()
    push.registered = null
    await watchNotifications()
    expect(push.registered).toBe('https://push.example.org/2')
    push.replaceSubscription()
    push.receive('take-over')
    expect(push.registered).toBe('https://push.example.org/2')
    push.receive('subscription-changed')
    await expect.poll(() => push.registered).toBe('https://push.example.org/4')
  })

  it('nothing is requested if they are off', async () => {
    await watchNotifications()
    expect(push.requests).toEqual([])
  })
})

describe('signing out', () => {
  it('ends the subscription of the browser', async () => {
    await turnOn()
    localStorage.clear()
    dispatchEvent(new Event('pageshow'))
    await deleteUserData('ruth')
    await expect.poll(() => push.subscription).toBeNull()
  })

  it('does nothing where there is none', async () => {
    await unsubscribe()
    vi.stubGlobal('navigator', {})
    await unsubscribe()
    expect(push.requests).toEqual([])
  })
})
