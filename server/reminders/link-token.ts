import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { deriveKey, type TokenKeys } from '../jwt/token-keys.ts'

/** What a link in a message is for: it can turn this reminder off and on, and skip the others of this day, and nothing else. */
const Subject = v.object({
  reminderId: v.pipe(v.string(), v.uuid()),
  /** The day of the message. */
  day: v.pipe(v.string(), v.isoDate()),
})
export type LinkSubject = v.InferOutput<typeof Subject>

/** A token for the links of a message. It does not expire: people turn off what reaches them by the oldest email they find. */
export function createLinkToken(keys: TokenKeys, { reminderId, day }: LinkSubject): string {
  const subject = `${reminderId}.${day}`
  return `${subject}.${signatureOf(keys, subject)}`
}

/** Null if this server did not make the token. */
export function readLinkToken(keys: TokenKeys, token: string): LinkSubject | null {
  const [reminderId = '', day = '', signature = '', ...rest] = token.split('.')
  const expected = Buffer.from(signatureOf(keys, `${reminderId}.${day}`))
  const given = Buffer.from(signature)
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return v.parse(Subject, { reminderId, day })
}

function signatureOf(keys: TokenKeys, subject: string): string {
  return createHmac('sha256', deriveKey(keys, 'intercede reminder links')).update(subject).digest('base64url')
}
