// The links in messages, which need no sign-in.
import { beforeEach, describe, expect, it } from 'vitest'
import { createLinkToken } from '#server/reminders/link-token.ts'
import type { WireSession } from '#tests/contract/auth/auth-client.ts'
import { addFactor } from '#tests/support/users.ts'
import { addReminder, addUser, send, subscribe, useReminderWorld } from './reminder-world.ts'

const world = useReminderWorld()
const { server, deliver } = world

let user: WireSession
let reminder: string
let other: string
/** The links of a message that was sent. */
let links: { turnOff: string; notToday: string }
let token: string

beforeEach(async () => {
  user = await addUser(server)
  await subscribe(world, user)
  reminder = await addReminder(server, user, { by_push: true })
  other = await addReminder(server, user, { by_push: true, due: '2026-03-02T12:00:00Z' })
  await deliver()
  links = JSON.parse(world.push.messages[0]?.payload ?? '')
  token = new URL(links.turnOff).searchParams.get('token') ?? ''
})

/** As the service worker and mail programs send it: with nothing but the link. */
const post = async (url: string) => {
  const { pathname, search } = new URL(url)
  const response = await fetch(`${server.url}${pathname}${search}`, { method: 'POST' })
  return { status: response.status, body: await response.json() }
}
const state = async () => {
  const { rows } = await server.database.pool.query<{
    id: string
    enabled: boolean
    skipped_on: string | null
  }>('select id, enabled, skipped_on::text from public.reminders where user_id = $1 order by remind_at', [
    user.user.id,
  ])
  return rows
}

describe('“Turn off”', () => {
  it('turns off this reminder only, and can be pressed twice; the page turns it on again', async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(await post(links.turnOff)).toEqual({ status: 200, body: { enabled: false, remind_at: '07:00' } })
      expect(await state()).toMatchObject([
        { id: reminder, enabled: false },
        { id: other, enabled: true },
      ])
    }
    for (let time = 0; time < 2; time += 1) {
      expect(await post(links.turnOff.replace('/off?', '/on?'))).toEqual({
        status: 200,
        body: { enabled: true, remind_at: '07:00' },
      })
    }
    expect(await state()).toMatchObject([{ enabled: true }, { enabled: true }])
  })

  it('is opened by mail programs and scanners without an effect: the address leads to the page', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await send(server, method, `/off?token=${token}`)
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe(`http://localhost:3000/turn-off-reminder#${token}`)
    }
    expect(await state()).toMatchObject([{ enabled: true }, { enabled: true }])
    const forged = await send(server, 'GET', '/off?token=x%0d%0aset-cookie:%20a%23b')
    expect(forged.headers.get('location')).toBe(
      'http://localhost:3000/turn-off-reminder#x%0D%0Aset-cookie%3A%20a%23b',
    )
  })

  it('works for an account with two-factor sign-in, and after signing out', async () => {
    await addFactor(server.database.pool, user.user.id)
    await server.database.pool.query('delete from auth.sessions')
    expect((await post(links.turnOff)).status).toBe(200)
  })

  it('works for the page and the worker of a site at another address', async () => {
    const response = await send(server, 'POST', `/off?token=${token}`, {
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('“Not today”', () => {
  it('skips all reminders of the user on the day of the message, and none on the next', async () => {
    expect(await post(links.notToday)).toEqual({ status: 200, body: { enabled: true, remind_at: '07:00' } })
    expect(await state()).toMatchObject([{ skipped_on: '2026-03-02' }, { skipped_on: '2026-03-02' }])
    server.clock.set('2026-03-02T12:00:00Z')
    await deliver()
    expect(world.push.messages).toHaveLength(1)
    server.clock.set('2026-03-03T07:00:00Z')
    await deliver()
    expect(world.push.messages).toHaveLength(2)
  })

  it('of an earlier day changes nothing about a later one', async () => {
    server.clock.set('2026-03-03T07:00:00Z')
    await deliver()
    const later: { notToday: string } = JSON.parse(world.push.messages[1]?.payload ?? '')
    await post(later.notToday)
    await post(links.notToday)
    expect(await state()).toMatchObject([{ skipped_on: '2026-03-03' }, { skipped_on: '2026-03-03' }])
  })

  it('does not concern other users', async () => {
    const ben = await addUser(server)
    await addReminder(server, ben)
    await post(links.notToday)
    const { rows } = await server.database.pool.query('select from public.reminders where skipped_on is null')
    expect(rows).toHaveLength(1)
  })
})

describe('a link', () => {
  const NOT_FOUND = { status: 404, body: expect.objectContaining({ error_code: 'reminder_not_found' }) }

  it('that this server did not make does nothing', async () => {
    const { keys } = server.services
    const [id = '', day = '', signature = ''] = token.split('.')
    const forged = [
      '',
      'x',
      `${id}.${day}`,
      `${id}.${day}.`,
      `${other}.${day}.${signature}`,
      `${id}.2026-03-03.${signature}`,
      `${token}.${signature}`,
      `${token}A`,
      createLinkToken(
        { ...keys, secret: new TextEncoder().encode('another secret of thirty-two bytes') },
        { reminderId: id, day },
      ),
      user.access_token,
    ]
    for (const path of ['off', 'on', 'not-today']) {
      for (const given of forged) {
        const url = `${server.url}/reminders/v1/${path}?token=${encodeURIComponent(given)}`
        expect(await post(url), given).toEqual(NOT_FOUND)
      }
    }
    expect(await state()).toMatchObject([
      { enabled: true, skipped_on: null },
      { enabled: true, skipped_on: null },
    ])
  })

  it('of a reminder that was deleted says so', async () => {
    await server.database.pool.query('delete from public.reminders')
    for (const url of [links.turnOff, links.notToday]) expect(await post(url)).toEqual(NOT_FOUND)
  })

  it('opens nothing else', async () => {
    for (const path of ['/auth/v1/user', '/rest/v1/reminders', '/reminders/v1/subscription']) {
      const headers = { apikey: server.services.keys.anonKey, authorization: `Bearer ${token}` }
      const { status } = await fetch(`${server.url}${path}?token=${token}`, { headers })
      expect(status, path).toBeGreaterThanOrEqual(400)
    }
  })
})
