// Where a browser registers for push messages.
import type { PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { addApp } from '#tests/contract/auth/two-factor-client.ts'
import { call, newUser, sessionOf, signIn } from '#tests/contract/auth/auth-client.ts'
import { waitForLocks } from '#tests/support/database.ts'
import { startTestServer } from '#tests/support/server.ts'
import { addFactor } from '#tests/support/users.ts'
import { addUser, send, subscribe, useReminderWorld } from './reminder-world.ts'

const world = useReminderWorld()
const { server } = world

const endSession = (database: PoolClient, userId: string) =>
  database.query('update auth.refresh_tokens set revoked = true where user_id = $1', [userId])

const read = async (token: string) => (await send(server, 'GET', '/subscription', { token })).body

describe('a subscription', () => {
  it('is that of the session, is stored once, and can be replaced and removed', async () => {
    const user = await addUser(server)
    const token = user.access_token
    expect(await read(token)).toEqual({ endpoint: null, devices: 0 })
    const { endpoint, keys } = await subscribe(world, user)
    expect(await read(token)).toEqual({ endpoint, devices: 1 })
    const { rows: before } = await server.database.pool.query('select id from private.push_subscriptions')
    await send(server, 'PUT', '/subscription', { token, body: { endpoint, expirationTime: null, keys } })
    expect((await server.database.pool.query('select id from private.push_subscriptions')).rows).toEqual(
      before,
    )
    const replaced = await subscribe(world, user)
    expect(await read(token)).toEqual({ endpoint: replaced.endpoint, devices: 1 })
    for (let time = 0; time < 2; time += 1) {
      expect((await send(server, 'DELETE', '/subscription', { token })).status).toBe(204)
      expect(await read(token)).toEqual({ endpoint: null, devices: 0 })
    }
  })

  it('of one device is not shown to another, which learns the number', async () => {
    const user = await addUser(server)
    await subscribe(world, user)
    const phone = sessionOf(await signIn(server, user.user.email))
    expect(await read(phone.access_token)).toEqual({ endpoint: null, devices: 1 })
    await send(server, 'DELETE', '/subscription', { token: phone.access_token })
    expect(await read(phone.access_token)).toEqual({ endpoint: null, devices: 1 })
    expect(await read((await addUser(server)).access_token)).toEqual({ endpoint: null, devices: 0 })
  })

  it('ends with its session', async () => {
    const user = await addUser(server)
    await subscribe(world, user)
    await call(server, 'POST', '/logout?scope=local', { token: user.access_token })
    const { rows } = await server.database.pool.query('select from private.push_subscriptions')
    expect(rows).toEqual([])
  })

  it('ends when two-factor sign-in is turned on: it may not be the owner’s', async () => {
    const user = await addUser(server)
    await subscribe(world, user)
    const { session } = await addApp(server, user)
    expect(await read(session.access_token)).toEqual({ endpoint: null, devices: 0 })
  })

  it('belongs to the user who signed in last, if two use one browser', async () => {
    const [anna, ben] = [await addUser(server), await addUser(server)]
    const subscription = await subscribe(world, anna)
    const { status } = await send(server, 'PUT', '/subscription', {
      token: ben.access_token,
      body: subscription,
    })
    expect(status).toBe(204)
    expect(await read(anna.access_token)).toEqual({ endpoint: null, devices: 0 })
    expect(await read(ben.access_token)).toEqual({ endpoint: subscription.endpoint, devices: 1 })
  })

  it.each(['PUT', 'DELETE'])(
    'does not change any more if the session has ended or needs a second factor since: %s',
    async (method) => {
      const { pool } = server.database
      for (const [code, change] of [
        ['session_not_found', endSession],
        ['insufficient_aal', addFactor],
      ] as const) {
        const user = await addUser(server)
        await subscribe(world, user)
        const stored = async () => await pool.query('select * from private.push_subscriptions')
        const { rows } = await stored()
        const holder = await pool.connect()
        try {
          await holder.query('begin')
          await holder.query('select from auth.users where id = $1 for update', [user.user.id])
          const body = method === 'PUT' ? { body: world.push.subscribe() } : {}
          const response = send(server, method, '/subscription', { token: user.access_token, ...body })
          await waitForLocks(pool, 1)
          await change(holder, user.user.id)
          await holder.query('commit')
          expect(await response).toMatchObject({ status: 403, body: { code } })
        } finally {
          holder.release()
        }
        expect(await stored()).toMatchObject({ rows })
      }
    },
  )

  it('is one of twenty at most; the oldest ends', async () => {
    const user = await addUser(server)
    await subscribe(world, user)
    for (let number = 0; number < 20; number += 1) {
      server.clock.advance(60)
      await subscribe(world, sessionOf(await signIn(server, user.user.email)))
    }
    expect(await read(user.access_token)).toEqual({ endpoint: null, devices: 20 })
  })
})

describe('a subscription is rejected', () => {
  const valid = () => world.push.subscribe()
  const put = async (body: unknown) => {
    const { access_token: token } = await addUser(server)
    const response = await send(server, 'PUT', '/subscription', { token, body })
    expect(await read(token)).toEqual({ endpoint: null, devices: 0 })
    return response
  }

  it.each([
    ['without anything', () => undefined],
    ['without keys', () => ({ endpoint: valid().endpoint })],
    ['with a short key', () => ({ ...valid(), keys: { ...valid().keys, p256dh: 'BAAA' } })],
    ['with a compressed key', () => ({ ...valid(), keys: { ...valid().keys, p256dh: 'C'.repeat(87) } })],
    ['with a short secret', () => ({ ...valid(), keys: { ...valid().keys, auth: 'AAAA' } })],
    [
      'with an address that is too long',
      () => ({ ...valid(), endpoint: `${valid().endpoint}${'x'.repeat(1000)}` }),
    ],
    ['with an address that could not be stored', () => ({ ...valid(), endpoint: `${valid().endpoint}\0` })],
    ['without an address', () => ({ ...valid(), endpoint: 'push' })],
  ])('%s', async (_, body) => {
    expect(await put(body())).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  it.each([
    ['of no known service', 'https://push.example.org/x'],
    ['that is this server', 'http://127.0.0.1:3000/auth/v1/user'],
    ['in the network of the server', 'https://10.0.0.1/x'],
    ['that only looks like a known service', 'https://fcm.googleapis.com.example.org/x'],
    ['of a known service without encryption', 'http://fcm.googleapis.com/x'],
    ['of a known service at another port', 'https://fcm.googleapis.com:8443/x'],
    ['of a known service with a password', 'https://user:password@fcm.googleapis.com/x'],
    ['with another scheme', 'file:///etc/passwd'],
    ['that names a known service within another scheme', 'blob:https://fcm.googleapis.com/x'],
  ])('with an address %s', async (_, endpoint) => {
    expect(await put({ ...valid(), endpoint })).toMatchObject({
      status: 422,
      body: {
        code: 'push_service_not_allowed',
        message: 'Notifications of this browser are not supported by this server.',
      },
    })
  })

  it.each(['GET', 'PUT', 'DELETE'])(
    'without a sign-in, its second factor, or the key: %s',
    async (method) => {
      const body = method === 'PUT' ? { body: valid() } : {}
      expect(await send(server, method, '/subscription', body)).toMatchObject({ status: 401 })
      const user = await newUser(server)
      await addApp(server, sessionOf(await signIn(server, user.user.email)))
      const { access_token: token } = sessionOf(await signIn(server, user.user.email))
      expect(await send(server, method, '/subscription', { token, ...body })).toMatchObject({
        status: 403,
        body: { code: 'insufficient_aal' },
      })
      const headers = { apikey: '' }
      expect(await send(server, method, '/subscription', { token, headers, ...body })).toMatchObject({
        status: 401,
      })
      expect((await server.database.pool.query('select from private.push_subscriptions')).rows).toEqual([])
    },
  )
})

it('the browsers’ own services are accepted', async () => {
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/abc:123',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
    'https://web.push.apple.com/abc',
  ]) {
    const { access_token: token } = await addUser(server)
    const { status } = await send(server, 'PUT', '/subscription', {
      token,
      body: { ...world.push.subscribe(), endpoint },
    })
    expect(status, endpoint).toBe(204)
  }
})

it('the settings say whether reminders can be sent by email', async () => {
  const settings = async (at: Parameters<typeof call>[0]): Promise<unknown> =>
    Object((await call(at, 'GET', '/settings')).body).reminders
  expect(await settings(server)).toEqual({ push_key: server.services.keys.vapid.publicKey, email: true })
  const other = await startTestServer()
  expect(await settings(other)).toMatchObject({ email: false })
  await other.close()
})
