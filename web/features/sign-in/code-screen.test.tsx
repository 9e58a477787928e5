import type { Factor } from '@supabase/auth-js'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { rejectedRefresh, sampleApp, sessionWithApp } from '#web/lib/session/sample-session.test-data.ts'
import { session, startSession } from '#web/lib/session/session.ts'
import { readEndedSession, readStoredSession, writeStoredSession } from '#web/lib/session/stored-session.ts'
import { enter, press, submitFormOf } from '#web/test-rendering.tsx'
import { CodeScreen } from './code-screen.tsx'

const PHONE = sampleApp('phone', { last_challenged_at: '2026-11-03T14:05:00Z' })
const TABLET = sampleApp('tablet')

/** The response to each call, by method and path; by default, the server accepts it. */
let responses: Map<string, () => Response>
let calls: [call: string, body: unknown][]

beforeEach(async () => {
  responses = new Map()
  calls = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const call = `${method} ${url.replace(/.*\/auth\/v1/, '')}`
    if (method !== 'GET') calls.push([call, typeof body === 'string' ? JSON.parse(body) : null])
    const response = responses.get(call)?.()
    if (response) return response
    if (call.endsWith('/challenge')) return Response.json({ id: 'challenge', type: 'totp', expires_at: 0 })
    if (call === 'GET /user') return Response.json(readStoredSession()?.user)
    return Response.json(sessionWithApp('aal2', [PHONE]))
  })
  await startSession()
})

afterEach(() => {
  localStorage.clear()
  dispatchEvent(new Event('pageshow'))
})

async function open(apps: Factor<'totp', 'verified'>[] = [PHONE]) {
  writeStoredSession(JSON.stringify(sessionWithApp('aal1', apps)))
  render(<CodeScreen />)
  await act(async () => {})
}

async function give(label: string, code: string) {
  enter(label, code)
  await submitFormOf(label)
}

const rejection =
  (code: string, status = 422) =>
  () =>
    Response.json({ code, error_code: code, message: code, msg: code }, { status })
const shownError = () => screen.getByRole('alert').textContent
const status = () => session.get().status

it('takes the code of the app', async () => {
  await open()
  await give('Code', '123 456')
  await expect.poll(status).toBe('signed-in')
  expect(calls[1]).toEqual(['POST /factors/phone/verify', { challenge_id: 'challenge', code: '123456' }])
  expect(readStoredSession()?.refresh_token).toBe('aal2')
})

it('is sent at the last digit of the app’s code, and again after a wrong one was corrected', async () => {
  responses.set('POST /factors/phone/verify', rejection('mfa_verification_failed'))
  expectConsoleError('Failed to check the code')
  await open()
  enter('Code', '12345')
  expect(calls).toEqual([])
  enter('Code', '123456')
  await expect.poll(shownError).toContain('This code is wrong')
  responses.clear()
  enter('Code', '12345')
  enter('Code', '123457')
  await expect.poll(status).toBe('signed-in')
  expect(calls.at(-1)?.[1]).toMatchObject({ code: '123457' })
})

it('asks for the code of the app that was used last, or of the other one', async () => {
  await open([TABLET, PHONE])
  expect(screen.getByRole('button', { name: 'phone' }).getAttribute('aria-pressed')).toBe('true')
  await press('tablet')
  await give('Code', '123456')
  expect(calls[0]?.[0]).toBe('POST /factors/tablet/challenge')
})

it('takes a recovery code instead', async () => {
  await open()
  await press('Use a recovery code')
  await give('Recovery code', 'k7xq-2mfa-9d3t-w6pz')
  await expect.poll(status).toBe('signed-in')
  expect(calls).toEqual([['POST /factors/recovery-codes/verify', { code: 'k7xq-2mfa-9d3t-w6pz' }]])
})

it.each([
  ['mfa_verification_failed', /^This code is wrong, or was used before.*clock/],
  ['mfa_factor_unreadable', /Please use a recovery code/],
  ['over_request_rate_limit', /Recovery codes still work/],
  ['unexpected', /^unexpected$/],
])('says what is wrong with a code, and keeps it: %s', async (code, message) => {
  responses.set('POST /factors/phone/verify', rejection(code))
  expectConsoleError('Failed to check the code')
  await open()
  await give('Code', '123456')
  await expect.poll(shownError).toMatch(message)
  expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('123456')
  expect(status()).toBe('needs-code')
})

it.each([
  ['mfa_verification_failed', 422, 'This recovery code is wrong, or was used before.'],
  ['validation_failed', 404, 'This server has no recovery codes.'],
])('says what is wrong with a recovery code: %s', async (code, httpStatus, message) => {
  responses.set('POST /factors/recovery-codes/verify', rejection(code, httpStatus))
  expectConsoleError('Failed to check the code')
  await open()
  await press('Use a recovery code')
  await give('Recovery code', 'k7xq')
  await expect.poll(shownError).toBe(message)
})

it('sends nothing without a code', async () => {
  await open()
  await give('Code', ' ')
  expect(shownError()).toBe('Please enter the code')
  expect(calls).toEqual([])
})

it('can be tried again when the server could not be reached', async () => {
  responses.set('POST /factors/phone/challenge', () => {
    throw new TypeError('Failed to fetch')
  })
  expectConsoleError('TypeError: Failed to fetch')
  expectConsoleError('Failed to check the code')
  await open()
  await give('Code', '123456')
  await expect.poll(shownError).toBe('Failed to check the code')
  responses.clear()
  await submitFormOf('Code')
  await expect.poll(status).toBe('signed-in')
})

it('is not shown any more when the apps were removed elsewhere', async () => {
  responses.set('GET /user', () => Response.json({ ...sessionWithApp('aal1').user, factors: undefined }))
  await open()
  await expect.poll(status).toBe('signed-in')
})

it('is not shown any more when the session was ended elsewhere', async () => {
  responses.set('GET /user', rejection('session_not_found', 403))
  responses.set('POST /token?grant_type=refresh_token', () => rejectedRefresh('session_not_found'))
  await open()
  await expect.poll(status).toBe('guest')
  expect(readEndedSession()?.reason).toBe('expired')
})

it('signs out on this device only, and deletes nothing', async () => {
  responses.set('POST /logout?scope=local', () => new Response(null, { status: 204 }))
  await open()
  await press('Back to Login')
  await expect.poll(status).toBe('guest')
  expect(readEndedSession()?.reason).toBe('no-code')
  expect(calls.map(([call]) => call)).toEqual(['POST /logout?scope=local'])
})
