import type { Session, User } from '@supabase/auth-js'
import {
  array,
  custom,
  type InferOutput,
  is,
  nonEmpty,
  number,
  object,
  optional,
  picklist,
  pipe,
  string,
  unknown,
} from 'valibot'
import { isRecord } from '#shared/is-record.ts'
import { readStored } from '#web/lib/storage/store.ts'
import { SESSION_STORAGE_KEY } from './session-key.ts'

const text = pipe(string(), nonEmpty())

/** The fields of a session that the app reads. */
const sessionFields = object({
  access_token: text,
  refresh_token: text,
  expires_at: number(),
  user: object({
    id: text,
    user_metadata: object({}),
    identities: optional(array(unknown())),
    factors: optional(array(object({ id: text, status: text }))),
  }),
})
/** A session, as far as the app depends on it. */
export const sessionSchema = custom<Session>((value) => is(sessionFields, value))

/** The last session of this browser, after its end. */
const endedSessionSchema = object({
  userId: text,
  reason: picklist([
    // The user signed out, on this device, in any tab.
    'signed-out',
    // The account was deleted: on this device, or the server has confirmed it.
    'account-deleted',
    // The server has ended the session: on another device, or because it was too old.
    'expired',
    // The server does not know the session. It may have been restored from a backup, and have lost more than that.
    'lost',
    // The user has signed out instead of giving the code of two-factor sign-in.
    'no-code',
  ]),
})
export type EndedSession = InferOutput<typeof endedSessionSchema>
/** Why the session on this device ended. */
export type EndReason = EndedSession['reason']

const END_STORAGE_KEY = 'intercede-session-end'
/** Says only that somebody has signed in here before. It stays when they sign out. */
const KNOWN_STORAGE_KEY = 'intercede-known-browser'
const listeners = new Set<() => void>()

/** The session of this browser, which all its tabs share. Null for guests, and if something else is stored. */
export function readStoredSession(): Session | null {
  return readStored(localStorage, SESSION_STORAGE_KEY, sessionSchema) ?? null
}

/** Whether a session has ended by the user's own wish. Otherwise, what the user has not saved yet must be kept. */
export function isWanted(reason: EndReason): boolean {
  return reason === 'signed-out' || reason === 'account-deleted'
}

/** Whether two-factor sign-in is on, and no code was given in this session: the server then refuses nearly everything. */
export function needsCode({ user, access_token: token }: Pick<Session, 'user' | 'access_token'>): boolean {
  return (
    (user.factors?.some(({ status }) => status === 'verified') ?? false) && claimsIn(token)['aal'] !== 'aal2'
  )
}

/** The claims of an access token, which nothing has verified; none if it cannot be read. */
export function claimsIn(accessToken: string): Readonly<Record<string, unknown>> {
  try {
    const [, payload = ''] = accessToken.split('.')
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return isRecord(claims) ? claims : {}
  } catch {
    return {}
  }
}

/** How the last session ended. Null if no session has ended since the last sign-in. */
export function readEndedSession(): EndedSession | null {
  return readStored(localStorage, END_STORAGE_KEY, endedSessionSchema) ?? null
}

/** Whether somebody has signed in with this browser, and out again, whose account was not deleted since. */
export function isKnownBrowser(): boolean {
  return localStorage.getItem(KNOWN_STORAGE_KEY) !== null
}

/** Forgets how the session of a user ended, unless another session has begun or ended since. */
export function forgetEndedSession({ userId, reason }: EndedSession): void {
  const current = readEndedSession()
  if (current?.userId === userId && current.reason === reason) localStorage.removeItem(END_STORAGE_KEY)
}

/** Stores a session: of a sign-in, or with new tokens. It replaces any other one. */
export function writeStoredSession(json: string): void {
  localStorage.setItem(SESSION_STORAGE_KEY, json)
  localStorage.removeItem(END_STORAGE_KEY)
  notify()
}

/** Replaces the user in the stored session, unless it is somebody else's by now. */
export function writeStoredUser(user: User): void {
  const stored = readStoredSession()
  if (stored?.user.id === user.id) writeStoredSession(JSON.stringify({ ...stored, user }))
}

/** Removes the session from this browser, in all tabs, without a request. Does nothing if there is none. */
export function endStoredSession(reason: EndReason): void {
  const session = readStoredSession()
  if (session) {
    const ended: EndedSession = { userId: session.user.id, reason }
    // First: other tabs are notified of each item on its own.
    localStorage.setItem(END_STORAGE_KEY, JSON.stringify(ended))
    if (reason === 'account-deleted') localStorage.removeItem(KNOWN_STORAGE_KEY)
    else localStorage.setItem(KNOWN_STORAGE_KEY, 'true')
  }
  localStorage.removeItem(SESSION_STORAGE_KEY)
  notify()
}

/**
 * Calls `listener` when the stored session may have changed: in this tab, in another one, or while this page was
 * suspended and missed the events of other tabs. Returns a function that stops this.
 */
export function subscribeToStoredSession(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  addEventListener('pageshow', listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
    removeEventListener('pageshow', listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}
