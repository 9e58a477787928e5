import {
  type Factor,
  isAuthError,
  isAuthSessionMissingError,
  type Session,
  type User,
} from '@supabase/auth-js'
import { array, number, object, parse, string } from 'valibot'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { UserError } from '#web/lib/error-message.ts'
import { authErrorIn, requestAs } from './auth-connection.ts'
import { clientOf, ownSession, type Proof, type Tokens } from './change-account.ts'
import { currentRecovery, raiseRecovery } from './recovery.ts'
import { readStoredSession, writeStoredSession } from './stored-session.ts'
import { renewSession, sessionIn } from './token-refresh.ts'

/** The most authenticator apps that an account can have. */
export const MAX_APPS = 2

/** The authenticator apps whose codes a user can give: if there is one, two-factor sign-in is on. */
export function appsOf({ factors = [] }: User): readonly Factor[] {
  return factors.filter(({ factor_type: type, status }) => type === 'totp' && status === 'verified')
}

/** Sorts apps, the last used first. */
export function byLastUse(a: Factor, b: Factor): number {
  const time = ({ last_challenged_at: at }: Factor) => Date.parse(at ?? '') || 0
  return time(b) - time(a)
}

export function nameOfApp({ friendly_name: name }: Factor): string {
  return name || 'Authenticator app'
}

/** An app that was begun to be added. It counts once it has given a code. */
export interface NewApp {
  id: string
  /** The address of an image. */
  qrCode: string
  /** What is in the image, for typing in: in groups of four. */
  key: string
  /** The same as a link, which opens an app on this device. */
  uri: string
}

const newApp = object({ id: string(), totp: object({ qr_code: string(), secret: string(), uri: string() }) })

/**
 * Begins to add an app, in place of one that was begun before. auth-js has this call without the proof.
 *
 * Like all requests here, it rejects with a `UserError` if there is something to say that helps, else with the `AuthError`, such as that of
 * a missing proof, or with what prevented the request. If an app was removed elsewhere, or the session has ended, this device then knows.
 */
export function addApp(name: string, proof: Proof): Promise<NewApp> {
  return explained(async () => {
    const body = { factor_type: 'totp', friendly_name: name, issuer: PRODUCT_NAME, ...proof }
    const begin = async () => parse(newApp, await request('POST', '', await ownSession(), body))
    const { id, totp } = await begin().catch(async (failure: unknown) => {
      if (!isAuthError(failure) || failure.code !== 'mfa_factor_name_conflict') throw failure
      if (!(await removeUnfinished(name))) throw failure
      return begin()
    })
    return {
      id,
      qrCode: `data:image/svg+xml,${encodeURIComponent(totp.qr_code)}`,
      key: totp.secret.match(/.{1,4}/g)?.join(' ') ?? '',
      uri: totp.uri,
    }
  })
}

/** Removes an app of this name that has never given a code. Returns whether there was one. */
async function removeUnfinished(name: string): Promise<boolean> {
  const { mfa } = await clientOf(await ownSession())
  const { data, error } = await mfa.listFactors()
  if (error) throw error
  const unfinished = data.all.find((app) => app.status === 'unverified' && nameOfApp(app) === name)
  if (!unfinished) return false
  await request('DELETE', `/${unfinished.id}`, await ownSession())
  return true
}

/**
 * Removes an app, unless that has happened on another device. Two-factor sign-in is off without the last one; otherwise this session may
 * need a code of the one that is left. auth-js has this call without the proof.
 *
 * @returns whether two-factor sign-in is still on
 */
export function removeApp(factorId: string, proof: Proof): Promise<boolean> {
  return explained(async () => {
    // Supabase wants no proof, and no body.
    const body = Object.keys(proof).length > 0 ? proof : undefined
    try {
      await request('DELETE', `/${factorId}`, await ownSession(), body)
    } catch (failure) {
      if (!isAuthError(failure) || failure.code !== 'mfa_factor_not_found') throw failure
    }
    const renewed = await renewSession()
    return renewed !== null && appsOf(renewed.user).length > 0
  })
}

/** A session in which a code is given. */
export interface CodeTarget {
  tokens: () => Promise<Tokens>
  /** Stores the tokens that replace its own. */
  keep: (session: Session) => void
}

/** The session of this browser. */
export const ownTarget: CodeTarget = {
  tokens: ownSession,
  keep: (session) => {
    // Somebody else may have signed in meanwhile, in another tab.
    if (readStoredSession()?.user.id === session.user.id) writeStoredSession(JSON.stringify(session))
  },
}

/** The session of a link, with which a new password is set. */
export const recoveryTarget: CodeTarget = {
  tokens: async () => {
    const recovery = currentRecovery()
    if (recovery.stage !== 'open') throw new UserError('User not authenticated')
    return { access_token: recovery.accessToken, refresh_token: recovery.refreshToken ?? '' }
  },
  keep: ({ access_token, refresh_token }) =>
    raiseRecovery({ accessToken: access_token, refreshToken: refresh_token }),
}

/** Gives the code of an app. The first one turns two-factor sign-in on, which signs out all other devices. */
export function giveAppCode(target: CodeTarget, factorId: string, code: string): Promise<void> {
  return explained(async () => {
    const client = await clientOf(await target.tokens())
    const sentAt = Date.now()
    // Apps show codes with a blank in the middle.
    const { data, error } = await client.mfa.challengeAndVerify({
      factorId,
      code: code.replaceAll(/\s/g, ''),
    })
    if (error) throw error
    keep(target, data, sentAt)
  }, APP_CODE_MESSAGES)
}

/** Whether `giveAppCode` has failed because it was not a code of that app. */
export function isWrongCode(failure: unknown): boolean {
  const cause = failure instanceof UserError ? failure.cause : failure
  return isAuthError(cause) && cause.code === 'mfa_verification_failed'
}

/** Gives a recovery code in place of an app's. */
export function giveRecoveryCode(target: CodeTarget, code: string): Promise<void> {
  return explained(async () => {
    const sentAt = Date.now()
    const path = '/recovery-codes/verify'
    const body = await ifOffered(async () => request('POST', path, await target.tokens(), { code }))
    if (body === null) throw new UserError('This server has no recovery codes.')
    keep(target, body, sentAt)
  }, RECOVERY_CODE_MESSAGES)
}

function keep(target: CodeTarget, body: unknown, sentAt: number): void {
  const session = sessionIn(body, sentAt)
  if (!session) throw new Error('The response is not a session.')
  target.keep(session)
}

const unusedCodes = object({ unused: number() })

/** How many recovery codes are unused; null if the server has none for anybody. */
export function countRecoveryCodes(): Promise<number | null> {
  return explained(() =>
    ifOffered(async () => {
      const body = await request('GET', '/recovery-codes', await ownSession())
      return parse(unusedCodes, body).unused
    }),
  )
}

const newCodes = object({ recovery_codes: array(string()) })

/** Makes new recovery codes, which replace the former ones; null if the server has none. */
export function createRecoveryCodes(proof: Proof): Promise<readonly string[] | null> {
  return explained(() =>
    ifOffered(async () => {
      const body = await request('POST', '/recovery-codes', await ownSession(), proof)
      return parse(newCodes, body).recovery_codes
    }),
  )
}

/** Null if the server does not know what was asked for: Supabase has no recovery codes. */
async function ifOffered<Result>(run: () => Promise<Result>): Promise<Result | null> {
  try {
    return await run()
  } catch (failure) {
    if (isAuthError(failure) && failure.status === 404) return null
    throw failure
  }
}

/** For what auth-js does not know. */
async function request(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { access_token: token }: Tokens,
  body?: object,
): Promise<unknown> {
  const response = await requestAs(token, `factors${path}`, {
    method,
    body: body ? JSON.stringify(body) : null,
  })
  const received: unknown = response.ok ? await response.json().catch(() => null) : null
  if (received !== null) return received
  throw await authErrorIn(response)
}

/** What to say instead of the server's message, by the code of the error. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['mfa_challenge_expired', 'That took too long. Please try again.'],
  ['mfa_factor_not_found', 'The app was removed, or two-factor sign-in turned off, on another device.'],
  [
    'mfa_factor_unreadable',
    'The codes of this app no longer work, because of a change on the server. Please use a recovery code, then add the app again.',
  ],
  ['over_request_rate_limit', 'Too many attempts, perhaps by somebody else. Please try again later.'],
  ['insufficient_aal', 'This needs a code from your app first.'],
  ['too_many_enrolled_mfa_factors', 'You have two apps already.'],
  ['mfa_factor_name_conflict', 'Another app has this name. Please choose a different one.'],
])

const APP_CODE_MESSAGES: typeof MESSAGES = new Map([
  ...MESSAGES,
  [
    'mfa_verification_failed',
    'This code is wrong, or was used before. Your app shows a new one every 30 seconds. If no code works, the clock of the app’s device may be wrong.',
  ],
  [
    'over_request_rate_limit',
    'Too many codes were tried, perhaps by somebody else. Please try again later. Recovery codes still work.',
  ],
])

const RECOVERY_CODE_MESSAGES: typeof MESSAGES = new Map([
  ...MESSAGES,
  ['mfa_verification_failed', 'This recovery code is wrong, or was used before.'],
])

/** Errors by which this device learns that it does not know the account's apps or the session's level, or that the session has ended. */
const OUTDATED = new Set([
  'mfa_factor_not_found',
  'insufficient_aal',
  'too_many_enrolled_mfa_factors',
  'session_not_found',
  'user_not_found',
  'bad_jwt',
])

async function explained<Result>(run: () => Promise<Result>, messages = MESSAGES): Promise<Result> {
  try {
    return await run()
  } catch (failure) {
    const code = isAuthError(failure) ? String(failure.code) : ''
    if (OUTDATED.has(code) || isAuthSessionMissingError(failure)) await renewSession().catch(() => undefined)
    const message = messages.get(code)
    if (message !== undefined) throw new UserError(message, { cause: failure })
    throw failure
  }
}
