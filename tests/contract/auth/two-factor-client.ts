import { Secret, TOTP } from 'otpauth'
import { isRecord } from '#shared/is-record.ts'
import type { TestServer } from '#tests/support/server.ts'
import { type ApiResponse, call, sessionOf, textMember, type WireSession } from './auth-client.ts'

/** An authenticator app that was added to an account. */
export interface App {
  factorId: string
  secret: string
}

/** In seconds. */
export const TIME_STEP = 30

/** The code that an app shows, or showed that many steps ago. */
export function codeOf(server: TestServer, { secret }: App, stepsAgo = 0): string {
  const timestamp = server.clock.now().getTime() - stepsAgo * TIME_STEP * 1000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** The code that the app shows next: one that was not used yet. */
export function nextCodeOf(server: TestServer, app: App): string {
  server.clock.advance(TIME_STEP)
  return codeOf(server, app)
}

/** Any code that an app does not show. */
export function wrongCodeOf(server: TestServer, app: App): string {
  const shown = new Set([-1, 0, 1].map((steps) => codeOf(server, app, steps)))
  return ['000000', '000001', '000002', '000003'].find((code) => !shown.has(code)) ?? ''
}

export async function enroll(server: TestServer, token: string, given: object = {}): Promise<ApiResponse> {
  const body = { factor_type: 'totp', friendly_name: 'My phone', ...given }
  return call(server, 'POST', '/factors', { token, body })
}

/** The app in the response of `enroll`. */
export function appOf({ body }: ApiResponse): App {
  const totp = isRecord(body) ? body['totp'] : null
  return { factorId: textMember(body, 'id'), secret: textMember(totp, 'secret') }
}

/** A challenge and its answer, as auth-js' `challengeAndVerify`. */
export async function giveCode(
  server: TestServer,
  token: string,
  { factorId }: Pick<App, 'factorId'>,
  code: string,
): Promise<ApiResponse> {
  const challenge = await call(server, 'POST', `/factors/${factorId}/challenge`, { token, body: {} })
  if (challenge.status !== 200) return challenge
  const body = { challenge_id: textMember(challenge.body, 'id'), code }
  return call(server, 'POST', `/factors/${factorId}/verify`, { token, body })
}

/** Adds an app. The session is then one with `aal2`. */
export async function addApp(
  server: TestServer,
  { access_token: token }: WireSession,
  name = 'My phone',
): Promise<App & { session: WireSession }> {
  const app = appOf(await enroll(server, token, { friendly_name: name }))
  return { ...app, session: sessionOf(await giveCode(server, token, app, codeOf(server, app))) }
}

/** Ten new recovery codes. */
export async function newRecoveryCodes(server: TestServer, token: string): Promise<string[]> {
  const { body } = await call(server, 'POST', '/factors/recovery-codes', { token, body: {} })
  const codes = isRecord(body) ? body['recovery_codes'] : null
  if (!Array.isArray(codes)) throw new Error(`no recovery codes in ${JSON.stringify(body)}`)
  return codes.map(String)
}

export async function giveRecoveryCode(
  server: TestServer,
  token: string,
  code: string,
): Promise<ApiResponse> {
  return call(server, 'POST', '/factors/recovery-codes/verify', { token, body: { code } })
}
