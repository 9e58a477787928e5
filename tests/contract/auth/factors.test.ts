// Two-factor sign-in by authenticator app. supabase/auth internal/api/mfa.go.
import type { GoTrueClient } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { FREE_FAILURES } from '#server/auth/password-attempts.ts'
import { send } from '#tests/support/data-requests.ts'
import { waitForLocks } from '#tests/support/database.ts'
import { textOf } from '#tests/support/mailbox.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'
import {
  call,
  claimsOf,
  createDevice,
  endWaits,
  lengthenWaits,
  newUser,
  PASSWORD,
  refresh,
  sessionOf,
  signIn,
  textMember,
} from './auth-client.ts'
import {
  addApp,
  appOf,
  codeOf,
  enroll,
  giveCode,
  nextCodeOf,
  TIME_STEP,
  wrongCodeOf,
} from './two-factor-client.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({
  config: { dataDir: mailbox.dataDir, siteUrl: 'https://pray.example.org' },
}))

const MINUTE = 60
const UNKNOWN = '00000000-0000-4000-8000-00000000beef'

async function signedIn(email: string) {
  return sessionOf(await signIn(server, email))
}

async function levelOf(device: GoTrueClient) {
  const { data } = await device.mfa.getAuthenticatorAssuranceLevel()
  return [data?.currentLevel, data?.nextLevel]
}

/** The subjects of the emails that were sent since. */
async function subjectsAfter(count: number): Promise<string[]> {
  const emails = (await mailbox.emails()).slice(count)
  return emails.map((email) => /^Subject: (.*)$/m.exec(email)?.[1]?.trim() ?? '')
}

describe('through auth-js', () => {
  it('an app is added, asked for at the next sign-in, and removed', async () => {
    const { user } = await newUser(server)
    const device = createDevice(server)
    await device.signInWithPassword({ email: user.email, password: PASSWORD })
    expect(await levelOf(device)).toEqual(['aal1', 'aal1'])

    const added = await device.mfa.enroll({
      factorType: 'totp',
      friendlyName: 'My phone',
      issuer: 'Intercede',
    })
    expect(added.error).toBeNull()
    const app = { factorId: added.data?.id ?? '', secret: added.data?.totp.secret ?? '' }
    expect(added.data).toEqual({
      id: app.factorId,
      type: 'totp',
      friendly_name: 'My phone',
      totp: {
        // In a URL, `#` would end the picture, and line breaks be dropped.
        qr_code: expect.stringMatching(/^data:image\/svg\+xml;utf-8,<svg [^#%\n]*<\/svg>$/),
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: expect.stringContaining(`otpauth://totp/Intercede:${encodeURIComponent(user.email)}?`),
      },
    })
    expect((await device.mfa.listFactors()).data).toMatchObject({ all: [{ status: 'unverified' }], totp: [] })
    expect(await levelOf(device)).toEqual(['aal1', 'aal1'])

    const { factorId } = app
    const verified = await device.mfa.challengeAndVerify({ factorId, code: codeOf(server, app) })
    expect(verified.error).toBeNull()
    expect(await levelOf(device)).toEqual(['aal2', 'aal2'])
    expect((await device.mfa.listFactors()).data).toMatchObject({
      totp: [{ id: factorId, friendly_name: 'My phone', factor_type: 'totp', status: 'verified' }],
    })

    const other = createDevice(server)
    await other.signInWithPassword({ email: user.email, password: PASSWORD })
    expect(await levelOf(other)).toEqual(['aal1', 'aal2'])
    const code = nextCodeOf(server, app)
    expect((await other.mfa.challengeAndVerify({ factorId, code })).error).toBeNull()
    expect(await levelOf(other)).toEqual(['aal2', 'aal2'])

    expect((await device.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
    await device.refreshSession()
    expect(await levelOf(device)).toEqual(['aal1', 'aal1'])
    expect((await device.mfa.listFactors()).data?.all).toEqual([])
  })

  it('an app is removed right after signing in with its code, and not after ten minutes', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const { factorId } = app
    const device = createDevice(server)
    await device.signInWithPassword({ email: session.user.email, password: PASSWORD })
    server.clock.advance(10 * MINUTE + 1)
    // A code is no proof.
    await device.mfa.challengeAndVerify({ factorId, code: codeOf(server, app) })
    const refused = await device.mfa.unenroll({ factorId })
    expect(refused.error).toMatchObject({
      status: 400,
      code: 'reauthentication_needed',
      message: 'Changing two-factor sign-in requires reauthentication',
    })
    await device.signInWithPassword({ email: session.user.email, password: PASSWORD })
    await device.mfa.challengeAndVerify({ factorId, code: nextCodeOf(server, app) })
    expect((await device.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
  })
})

describe('adding an app', () => {
  it('names the site if the client names no issuer', async () => {
    const { access_token: token, user } = await newUser(server)
    const { body } = await enroll(server, token)
    const uri = `otpauth://totp/pray.example.org:${encodeURIComponent(user.email)}?issuer=pray.example.org`
    expect(body).toMatchObject({ totp: { uri: expect.stringContaining(uri) } })
  })

  it('makes a QR code for the longest names and addresses', async () => {
    const { access_token: token } = await newUser(server, `${'+'.repeat(243)}@example.org`)
    const response = await enroll(server, token, { issuer: '祈'.repeat(50), friendly_name: '祈'.repeat(100) })
    expect(response.body).toMatchObject({ totp: { qr_code: expect.stringMatching(/^<svg .*<\/svg>$/) } })
  })

  it('replaces an app of another name that was begun before, and changes nothing else until its first code', async () => {
    const { access_token: token, user } = await newUser(server)
    const first = appOf(await enroll(server, token))
    const second = appOf(await enroll(server, token, { friendly_name: 'Second' }))
    expect((await giveCode(server, token, first, codeOf(server, first))).status).toBe(404)
    expect((await send(server, '/categories', { token })).status).toBe(200)
    expect((await signIn(server, user.email)).body).toMatchObject({
      user: { factors: [{ id: second.factorId, status: 'unverified' }] },
    })
  })

  it('can have the name of one that was begun before only after five minutes', async () => {
    const { access_token: token } = await newUser(server)
    await enroll(server, token)
    expect(await enroll(server, token)).toMatchObject({
      status: 422,
      body: { code: 'mfa_factor_name_conflict' },
    })
    server.clock.advance(5 * MINUTE + 1)
    expect((await enroll(server, token)).status).toBe(200)
  })

  it.each([
    [{ factor_type: 'phone' }, 422, 'mfa_phone_enroll_not_enabled'],
    [{ factor_type: 'webauthn' }, 422, 'mfa_webauthn_enroll_not_enabled'],
    [{ factor_type: 'sms' }, 400, 'validation_failed'],
    [{ friendly_name: 'x'.repeat(101) }, 400, 'validation_failed'],
    [{ issuer: 'x'.repeat(51) }, 400, 'validation_failed'],
  ])('rejects %j with %i %s', async (given, status, code) => {
    const { access_token: token } = await newUser(server)
    const response = await enroll(server, token, given)
    expect([response.status, response.body]).toMatchObject([status, { code }])
  })

  it('takes the proof that a new password takes', async () => {
    const { access_token: token } = await newUser(server)
    server.clock.advance(10 * MINUTE + 1)
    expect((await enroll(server, token)).body).toMatchObject({ code: 'reauthentication_needed' })
    expect((await enroll(server, token, { current_password: 'a guess' })).body).toMatchObject({
      code: 'current_password_invalid',
    })
    expect((await enroll(server, token, { current_password: PASSWORD })).status).toBe(200)
  })

  it('that gave its code in another session is no proof, and in its own only for recovery codes', async () => {
    const { session: first, ...app } = await addApp(server, await newUser(server))
    server.clock.advance(10 * MINUTE + 1)
    const proof = { friendly_name: 'Second', current_password: PASSWORD }
    const second = appOf(await enroll(server, first.access_token, proof))
    const added = sessionOf(await giveCode(server, first.access_token, second, codeOf(server, second)))
    const codes = '/factors/recovery-codes'
    expect((await call(server, 'POST', codes, { token: added.access_token, body: {} })).status).toBe(200)

    const { access_token: aal1 } = await signedIn(first.user.email)
    const other = sessionOf(await giveCode(server, aal1, second, nextCodeOf(server, second)))
    await server.database.pool.query('update auth.mfa_amr_claims set updated_at = $1 where session_id = $2', [
      new Date(server.clock.now().getTime() - 11 * MINUTE * 1000),
      textMember(claimsOf(other.access_token), 'session_id'),
    ])
    const needed = { body: { code: 'reauthentication_needed' } }
    for (const { access_token: token } of [added, other]) {
      expect(await call(server, 'DELETE', `/factors/${app.factorId}`, { token })).toMatchObject(needed)
      const body = { password: 'a louder horse' }
      expect(await call(server, 'PUT', '/user', { token, body })).toMatchObject(needed)
    }
    expect(await call(server, 'POST', codes, { token: other.access_token, body: {} })).toMatchObject(needed)
  })

  it('for the first time voids what counts without one', async () => {
    const user = await newUser(server)
    const other = await signedIn(user.user.email)
    const { pool } = server.database
    // As an operator may leave them behind who removes an app while its code is given.
    await pool.query(`update auth.sessions set aal = 'aal2' where user_id = $1`, [user.user.id])
    await pool.query(`insert into intercede.recovery_codes values ($1, '\\x00')`, [user.user.id])
    await addApp(server, user)
    expect((await call(server, 'GET', '/user', { token: other.access_token })).status).toBe(403)
    const { rowCount } = await pool.query('select from intercede.recovery_codes where user_id = $1', [
      user.user.id,
    ])
    expect(rowCount).toBe(0)
  })

  it('is not kept from its owner by wrong codes', async () => {
    const { access_token: token } = await newUser(server)
    const begun = appOf(await enroll(server, token))
    for (let guess = 0; guess <= FREE_FAILURES; guess += 1) {
      const wrong = await giveCode(server, token, begun, wrongCodeOf(server, begun))
      expect(wrong.status).toBe(422)
    }
    expect((await giveCode(server, token, begun, codeOf(server, begun))).status).toBe(200)
  })

  it('is possible twice, with different names, and then needs a code of the first one', async () => {
    const { session, ...first } = await addApp(server, await newUser(server))
    const { access_token: aal1 } = await signedIn(session.user.email)
    expect(await enroll(server, aal1, { friendly_name: 'Second' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_aal' },
    })
    const { access_token: aal2 } = session
    expect(await enroll(server, aal2)).toMatchObject({
      status: 422,
      body: { code: 'mfa_factor_name_conflict' },
    })
    const second = await addApp(server, session, 'Second')
    expect(await enroll(server, second.session.access_token, { friendly_name: 'Third' })).toMatchObject({
      status: 422,
      body: { code: 'too_many_enrolled_mfa_factors' },
    })
    const { access_token: token } = await signedIn(session.user.email)
    expect((await giveCode(server, token, second, nextCodeOf(server, second))).status).toBe(200)
    const { access_token: other } = await signedIn(session.user.email)
    expect((await giveCode(server, other, first, codeOf(server, first))).status).toBe(200)
  })

  it('ends all sessions in which no code was given, and voids the refresh tokens from before', async () => {
    const before = await newUser(server)
    const elsewhere = await signedIn(before.user.email)
    const { session, ...app } = await addApp(server, before)
    expect((await refresh(server, elsewhere.refresh_token)).body).toMatchObject({ code: 'session_not_found' })
    expect((await refresh(server, before.refresh_token)).status).toBe(400)
    expect((await refresh(server, session.refresh_token)).status).toBe(200)
    const other = await signedIn(before.user.email)
    sessionOf(await giveCode(server, other.access_token, app, nextCodeOf(server, app)))
    expect((await call(server, 'GET', '/user', { token: session.access_token })).status).toBe(200)
  })
})

describe('a session', () => {
  it('keeps its level and how it was reached when it is refreshed', async () => {
    const { session } = await addApp(server, await newUser(server))
    const renewed = sessionOf(await refresh(server, session.refresh_token))
    for (const { access_token: token } of [session, renewed]) {
      expect(claimsOf(token)).toMatchObject({
        aal: 'aal2',
        amr: expect.arrayContaining([
          expect.objectContaining({ method: 'totp' }),
          expect.objectContaining({ method: 'password' }),
        ]),
      })
    }
  })

  it('without a code is told so by the data API, whatever it asks for, and with one is served', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const { access_token: aal1 } = await signedIn(session.user.email)
    const refused = await send(server, '/categories', { token: aal1 })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(refused.json()).toEqual({
      code: 'PT401',
      details: null,
      hint: null,
      message: 'This account needs the code from your authenticator app.',
    })
    const { access_token: aal2 } = sessionOf(await giveCode(server, aal1, app, nextCodeOf(server, app)))
    expect((await send(server, '/categories', { token: aal2 })).status).toBe(200)
  })

  it('without a code ends only such sessions, whatever the scope', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    for (const scope of ['others', 'global', 'local']) {
      const { access_token: token } = await signedIn(session.user.email)
      await call(server, 'POST', `/logout?scope=${scope}`, { token })
      expect((await call(server, 'GET', '/user', { token: session.access_token })).status).toBe(200)
      const after = await call(server, 'GET', '/user', { token })
      expect(after.status).toBe(scope === 'others' ? 200 : 403)
    }
    const { access_token: token } = await signedIn(session.user.email)
    const raised = sessionOf(await giveCode(server, token, app, nextCodeOf(server, app)))
    await call(server, 'POST', '/logout?scope=global', { token: raised.access_token })
    expect((await call(server, 'GET', '/user', { token: session.access_token })).status).toBe(403)
  })

  it('is not ended by its token from before the code', async () => {
    const user = await newUser(server)
    const { session } = await addApp(server, user)
    await call(server, 'POST', '/logout?scope=local', { token: user.access_token })
    expect((await call(server, 'GET', '/user', { token: session.access_token })).status).toBe(200)
  })
})

describe('a code', () => {
  it('of the step before and after is accepted, and of none beyond', async () => {
    for (const [stepsAgo, status] of [
      [2, 422],
      [1, 200],
      [-1, 200],
      [-2, 422],
    ] as const) {
      const { session, ...app } = await addApp(server, await newUser(server))
      server.clock.advance(10 * TIME_STEP)
      const code = codeOf(server, app, stepsAgo)
      expect((await giveCode(server, session.access_token, app, code)).status).toBe(status)
    }
  })

  it('works once, and so does none from before it', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const { access_token: token } = await signedIn(session.user.email)
    const used = await giveCode(server, token, app, codeOf(server, app))
    expect([used.status, used.body]).toMatchObject([422, { code: 'mfa_verification_failed' }])
    expect((await giveCode(server, token, app, codeOf(server, app, 1))).status).toBe(422)
    expect((await giveCode(server, token, app, codeOf(server, app, -1))).status).toBe(200)
  })

  it('works for one of several requests that arrive at once', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const code = nextCodeOf(server, app)
    const responses = await Promise.all(
      Array.from({ length: 4 }, async () => giveCode(server, session.access_token, app, code)),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is not used up when its session ends meanwhile, which stays ended', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const code = nextCodeOf(server, app)
    const waiting = await signedIn(session.user.email)
    const { pool } = server.database
    const holder = await pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from auth.users where id = $1 for update', [session.user.id])
      const response = giveCode(server, waiting.access_token, app, code)
      await waitForLocks(pool, 1)
      await pool.query('update auth.refresh_tokens set revoked = true where token = $1', [
        waiting.refresh_token,
      ])
      await holder.query('commit')
      expect((await response).body).toMatchObject({ code: 'session_not_found' })
    } finally {
      holder.release()
    }
    expect((await call(server, 'GET', '/user', { token: waiting.access_token })).status).toBe(403)
    expect((await giveCode(server, session.access_token, app, code)).status).toBe(200)
  })

  it('may have blanks, and must not be empty', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const code = nextCodeOf(server, app)
    const { access_token: token } = session
    expect(await giveCode(server, token, app, '')).toMatchObject({ body: { code: 'validation_failed' } })
    expect((await giveCode(server, token, app, ` ${code.slice(0, 3)} ${code.slice(3)} `)).status).toBe(200)
  })

  it('is checked ten times if it is wrong, then after ever longer waits, on a network of the account too', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const { access_token: token } = await signedIn(session.user.email)
    await lengthenWaits(server)
    server.services.config.rateLimitFactor = 1
    await server.database.pool.query('truncate intercede.rate_limits')
    const statuses: number[] = []
    for (let guess = 0; guess < FREE_FAILURES + 3; guess += 1) {
      // What limits requests of one network is tested elsewhere.
      await server.database.pool.query('truncate intercede.rate_limits')
      statuses.push((await giveCode(server, token, app, wrongCodeOf(server, app))).status)
    }
    await endWaits(server)
    const right = nextCodeOf(server, app)
    server.services.config.rateLimitFactor = 1000
    expect(statuses).toEqual([...Array.from({ length: FREE_FAILURES }, () => 422), 429, 429, 429])
    expect((await giveCode(server, token, app, right)).status).toBe(200)
  })

  it('that was used before does not make wrong ones forgotten', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const { pool } = server.database
    await pool.query('truncate intercede.failed_sign_ins')
    await giveCode(server, session.access_token, app, wrongCodeOf(server, app))
    await giveCode(server, session.access_token, app, codeOf(server, app))
    const { rows } = await pool.query('select failures from intercede.failed_sign_ins')
    expect(rows).toEqual([{ failures: 2 }])
  })

  it('needs a challenge of its app, for five minutes', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const { access_token: token } = session
    const path = `/factors/${app.factorId}`
    for (const challenge of [UNKNOWN, 'x', '']) {
      const body = { challenge_id: challenge, code: codeOf(server, app, -1) }
      const response = await call(server, 'POST', `${path}/verify`, { token, body })
      expect([response.status, response.body]).toMatchObject([422, { code: 'mfa_factor_not_found' }])
    }
    const challenge = await call(server, 'POST', `${path}/challenge`, { token, body: {} })
    const seconds = Math.floor(server.clock.now().getTime() / 1000)
    expect(challenge.body).toEqual({ id: expect.any(String), type: 'totp', expires_at: seconds + 300 })
    server.clock.advance(301)
    const body = { challenge_id: Object(challenge.body).id, code: codeOf(server, app) }
    const response = await call(server, 'POST', `${path}/verify`, { token, body })
    expect([response.status, response.body]).toMatchObject([422, { code: 'mfa_challenge_expired' }])
  })

  it('is for the apps of the account only', async () => {
    const anna = await addApp(server, await newUser(server))
    const { access_token: token } = await newUser(server)
    for (const id of [anna.factorId, UNKNOWN]) {
      for (const [method, path] of [
        ['POST', `/factors/${id}/challenge`],
        ['POST', `/factors/${id}/verify`],
        ['DELETE', `/factors/${id}`],
      ] as const) {
        const response = await call(server, method, path, { token, body: { code: '123456' } })
        expect([response.status, response.body]).toMatchObject([404, { code: 'mfa_factor_not_found' }])
      }
    }
    const response = await call(server, 'DELETE', '/factors/x', { token })
    expect([response.status, response.body]).toMatchObject([404, { code: 'validation_failed' }])
  })
})

describe('removing an app', () => {
  it('takes a code, unless the app has given none itself', async () => {
    const user = await newUser(server)
    const begun = appOf(await enroll(server, user.access_token))
    const path = `/factors/${begun.factorId}`
    expect((await call(server, 'DELETE', path, { token: user.access_token })).body).toEqual({
      id: begun.factorId,
    })
    const { factorId, session } = await addApp(server, user)
    const { access_token: token } = await signedIn(user.user.email)
    const second = appOf(await enroll(server, session.access_token, { friendly_name: 'Second' }))
    for (const id of [factorId, second.factorId]) {
      const refused = await call(server, 'DELETE', `/factors/${id}`, { token })
      expect([refused.status, refused.body]).toMatchObject([422, { code: 'insufficient_aal' }])
    }
    expect(
      (await call(server, 'DELETE', `/factors/${factorId}`, { token: session.access_token })).status,
    ).toBe(200)
  })

  it('takes the proof that adding one takes, unless the app has given no code', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const { access_token: token } = session
    const begun = appOf(await enroll(server, token, { friendly_name: 'Second' }))
    server.clock.advance(10 * MINUTE + 1)
    expect((await call(server, 'DELETE', `/factors/${begun.factorId}`, { token })).status).toBe(200)
    const remove = (body?: object) => call(server, 'DELETE', `/factors/${app.factorId}`, { token, body })
    for (const [body, status, code] of [
      [undefined, 400, 'reauthentication_needed'],
      [{}, 400, 'reauthentication_needed'],
      [{ current_password: 'a guess' }, 400, 'current_password_invalid'],
      [{ nonce: '000000' }, 422, 'reauthentication_not_valid'],
    ] as const) {
      const refused = await remove(body)
      expect([refused.status, refused.body]).toMatchObject([status, { code }])
    }
    expect((await remove({ current_password: PASSWORD })).body).toEqual({ id: app.factorId })
  })

  it('takes an emailed code as well', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const { access_token: token } = session
    server.clock.advance(10 * MINUTE + 1)
    await call(server, 'GET', '/reauthenticate', { token })
    const [nonce] = /\b\d{6}\b/.exec(textOf((await mailbox.emails()).at(-1) ?? '')) ?? []
    const removed = await call(server, 'DELETE', `/factors/${app.factorId}`, { token, body: { nonce } })
    expect(removed.body).toEqual({ id: app.factorId })
  })

  it('lowers the sessions that gave its code; with the last one, all', async () => {
    const first = await addApp(server, await newUser(server))
    const { user } = first.session
    const second = await addApp(server, first.session, 'Second')
    const elsewhere = await signedIn(user.email)
    const withFirst = sessionOf(
      await giveCode(server, elsewhere.access_token, first, nextCodeOf(server, first)),
    )
    await call(server, 'DELETE', `/factors/${second.factorId}`, { token: withFirst.access_token })
    const lowered = sessionOf(await refresh(server, second.session.refresh_token))
    expect(claimsOf(lowered.access_token)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] })
    expect((await send(server, '/categories', { token: lowered.access_token })).status).toBe(401)
    const kept = sessionOf(await refresh(server, withFirst.refresh_token))
    expect(claimsOf(kept.access_token)).toMatchObject({ aal: 'aal2' })
    await call(server, 'DELETE', `/factors/${first.factorId}`, { token: kept.access_token })
    const off = sessionOf(await refresh(server, kept.refresh_token))
    expect(claimsOf(off.access_token)).toMatchObject({ aal: 'aal1' })
    expect((await send(server, '/categories', { token: off.access_token })).status).toBe(200)
  })
})

it('a recovery link does not turn it off: the new password takes a code', async () => {
  const { session, ...app } = await addApp(server, await newUser(server))
  await call(server, 'POST', '/recover', { body: { email: session.user.email } })
  const link = /https?:\/\/\S+\/verify\S+/.exec(textOf((await mailbox.emails()).at(-1) ?? ''))?.[0] ?? ''
  const { pathname, search } = new URL(link)
  const opened = await fetch(`${server.url}${pathname}${search}`, { redirect: 'manual' })
  const fragment = new URLSearchParams(new URL(opened.headers.get('location') ?? '').hash.slice(1))
  const token = fragment.get('access_token') ?? ''
  const body = { password: 'a new password' }
  expect((await call(server, 'PUT', '/user', { token, body })).body).toMatchObject({
    code: 'insufficient_aal',
  })
  const raised = sessionOf(await giveCode(server, token, app, nextCodeOf(server, app)))
  expect((await call(server, 'PUT', '/user', { token: raised.access_token, body })).status).toBe(200)
  const again = sessionOf(await signIn(server, session.user.email, 'a new password'))
  expect((await send(server, '/categories', { token: again.access_token })).json()).toMatchObject({
    code: 'PT401',
  })
})

it('each app that is added or removed is announced by email', async () => {
  const user = await newUser(server)
  const before = (await mailbox.emails()).length
  const first = await addApp(server, user)
  const second = await addApp(server, first.session, 'Second')
  const { access_token: token } = second.session
  await call(server, 'DELETE', `/factors/${first.factorId}`, { token })
  await call(server, 'DELETE', `/factors/${second.factorId}`, { token })
  expect(await subjectsAfter(before)).toEqual([
    'Two-factor sign-in is on for Intercede',
    'Another authenticator app for Intercede',
    'An authenticator app for Intercede was removed',
    'Two-factor sign-in is off for Intercede',
  ])
  const [email = ''] = (await mailbox.emails()).slice(before)
  expect(textOf(email)).toContain('https://pray.example.org/settings')
})

describe('the secret of an app', () => {
  const NEW_KEY = new TextEncoder().encode('another secret of the tests that is long enough for HS256')

  it('is stored encrypted, and appears in no response after the first', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const { rows } = await server.database.pool.query<{ secret: string }>(
      'select secret from auth.mfa_factors where id = $1',
      [app.factorId],
    )
    expect(rows[0]?.secret).not.toContain(app.secret)
    const { body } = await call(server, 'GET', '/user', { token: session.access_token })
    expect(body).toMatchObject({ factors: [{ id: app.factorId, phone: '', factor_type: 'totp' }] })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it('cannot be read any more when the key of the server has changed: the error says so', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    const { keys } = server.services
    const { secret } = keys
    keys.secret = NEW_KEY
    const { access_token: token } = sessionOf(await signIn(server, session.user.email))
    const response = await giveCode(server, token, app, nextCodeOf(server, app))
    keys.secret = secret
    expect([response.status, response.body]).toMatchObject([422, { code: 'mfa_factor_unreadable' }])
  })

  it('that was moved from a Supabase project is used as it is stored', async () => {
    const { session, ...app } = await addApp(server, await newUser(server))
    await server.database.pool.query('update auth.mfa_factors set secret = $2 where id = $1', [
      app.factorId,
      app.secret,
    ])
    const { access_token: token } = session
    expect((await giveCode(server, token, app, nextCodeOf(server, app))).status).toBe(200)
  })
})
