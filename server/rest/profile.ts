import type { IncomingHttpHeaders } from 'node:http'
import { EXPOSED_SCHEMA, unknownSchema } from './refusals.ts'

/**
 * Was the schema named in a header? Reads say it in `Accept-Profile`, all else in `Content-Profile`.
 * Throws PGRST106 for any other schema than `public`.
 */
export function checkProfile(method: string, headers: IncomingHttpHeaders): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  const profile = headers[isRead ? 'accept-profile' : 'content-profile']
  if (typeof profile !== 'string') return false
  if (profile !== EXPOSED_SCHEMA) throw unknownSchema(profile)
  return true
}
