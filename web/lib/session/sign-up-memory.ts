import { number, object, string } from 'valibot'
import { createStoredValue } from '#web/lib/storage/store.ts'
import { claimsIn } from './stored-session.ts'

/** How long a sign-up is remembered, in milliseconds: longer than the link in its email works. */
const MAX_AGE = 24 * 60 * 60 * 1000

/** An unconfirmed account whose password was entered in this browser. */
const signUpSchema = object({
  /** Of the address, which must not stay behind in the browser itself. */
  hash: string(),
  /** In milliseconds since 1970. */
  at: number(),
})

// In local storage, as the link in the email may open in another tab.
const signUp = createStoredValue('intercede-sign-up', signUpSchema, () => localStorage)

/** Call it when a user of this browser has entered the password of an account whose address is not confirmed yet. */
export async function rememberSignUp(email: string): Promise<void> {
  const hash = await hashOf(email)
  if (hash !== null) signUp.set({ hash, at: Date.now() })
}

/**
 * Whether an address was recently signed up in this browser. If not, someone else may have chosen the password of its
 * account. Returns true once per sign-up.
 */
export async function takeSignUp(email: string): Promise<boolean> {
  const remembered = signUp.get()
  const age = Date.now() - (remembered?.at ?? 0)
  if (remembered === null || remembered.hash !== (await hashOf(email))) return false
  signUp.set(null)
  return age >= 0 && age < MAX_AGE
}

/** Null on a server that is reached by plain http: browsers compute no hashes there. */
async function hashOf(email: string): Promise<string | null> {
  const { subtle }: Partial<Crypto> = crypto
  if (subtle === undefined) return null
  const hash = await subtle.digest('SHA-256', new TextEncoder().encode(email.trim().toLowerCase()))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The email address in an access token, which nothing has verified; empty if there is none. */
export function emailIn(accessToken: string): string {
  const { email } = claimsIn(accessToken)
  return typeof email === 'string' ? email : ''
}
