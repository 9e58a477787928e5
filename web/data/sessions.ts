import { array, boolean, type InferOutput, nullable, object, parse, string } from 'valibot'
import { currentAuthSession, revokeSession } from '#web/lib/session/token-refresh.ts'
import { rest } from './rest-client.ts'

const sessionSchema = object({
  id: string(),
  /** ISO 8601, as is `last_used_at`: when the session was last renewed, which happens about once an hour. */
  created_at: string(),
  last_used_at: string(),
  /** As the browser describes itself. */
  user_agent: nullable(string()),
  /** Whether it is the session of this browser. */
  is_current: boolean(),
})

/** A device on which the user is signed in. */
export type DeviceSession = InferOutput<typeof sessionSchema>

/** The sessions of the user, the last used first. Like all requests here, it may reject. */
export async function fetchSessions(): Promise<DeviceSession[]> {
  const { data } = await rest.rpc('list_sessions').throwOnError()
  return parse(array(sessionSchema), data)
}

/** Signs a device out. It is no error if it is signed out already. */
export async function endSession(session_id: string): Promise<void> {
  await rest.rpc('end_session', { session_id }).throwOnError()
}

/** Signs all devices out except this one. */
export async function endOtherSessions(): Promise<void> {
  const current = await currentAuthSession()
  const error = current && (await revokeSession(current, 'others'))
  if (error) throw error
}
