import { array, boolean, custom, is, nullable, number, object, optional, string } from 'valibot'
import { isRecord } from '#shared/is-record.ts'
import { readStoredSession } from '#web/lib/session/stored-session.ts'
import { createStoredValue } from '#web/lib/storage/store.ts'

/** States in which a device that has not encrypted anything sends nothing until the user has answered. */
export const BLOCKING_STATES = ['key-needed', 'unproven', 'insecure'] as const

/** What a device remembers of the encryption of an account, whatever becomes of the keys. */
export interface RememberedEncryption {
  /** The current key and the account's counter, as the server names them; see `sync_state.key`. */
  key: string
  /** The counter of that key's last step that was seen here, with a valid proof. */
  counter: number
  /** This proof, by which a typed prayer key is recognised if the server has lost it. */
  proof: string | null
  /** Whether texts leave this device only sealed. */
  seals: boolean
  /**
   * The id of the key with which the user has begun to encrypt the account here, until this device has sealed all texts once. Whoever puts
   * plain ones there later may be somebody else.
   */
  begun?: string | undefined
  /**
   * The state in which the user was stopped: one of `BLOCKING_STATES`, or of a later version. It is remembered so that what was typed since is
   * not sent in plain after a reload or by another tab.
   */
  asked?: string | undefined
  /** The ids of the keys that were given up, as far as the user knows. */
  givenUp?: readonly string[] | undefined
  /** Checksums of the email addresses that the account has had here. */
  addresses?: readonly number[] | undefined
  /** The id of a key that the user has entered since the server was found to be restored: so it is at hand. */
  entered?: string | undefined
}

/** Where it is remembered. */
export interface RememberedStore {
  get: () => RememberedEncryption | null
  set: (remembered: RememberedEncryption | null) => void
}

/** An account that was never encrypted. */
export const NEVER_ENCRYPTED = 'none.0'

const rememberedSchema = object({
  key: string(),
  counter: number(),
  proof: nullable(string()),
  seals: boolean(),
  begun: optional(string()),
  asked: optional(string()),
  givenUp: optional(array(string())),
  entered: optional(string()),
  addresses: optional(array(number())),
})
/** Instead of one that cannot be read: nothing is sent in plain before the user has answered. */
const UNREADABLE_MEMORY: RememberedEncryption = {
  key: NEVER_ENCRYPTED,
  counter: 0,
  proof: null,
  seals: false,
  asked: 'unproven',
}

const stored = createStoredValue(
  'intercede-encryption',
  custom<Record<string, unknown>>(isRecord),
  () => localStorage,
  'remember',
)

/**
 * What this browser remembers of an account. It survives signing out, so that nobody can make the device forget it; nor by signing the
 * user in as somebody else with the same email address.
 */
export function rememberedOf(userId: string): RememberedStore {
  const get = () => {
    const all = stored.get() ?? {}
    const own = all[userId]
    if (is(rememberedSchema, own)) return own
    const [address = NaN] = checksumOfAddress(userId)
    const isOfSameAddress = (each: unknown) =>
      is(rememberedSchema, each) && each.seals && each.addresses?.includes(address)
    return own !== undefined || Object.values(all).some(isOfSameAddress) ? UNREADABLE_MEMORY : null
  }
  return {
    get,
    set: (remembered) => {
      const { [userId]: _before, ...others } = stored.get() ?? {}
      if (remembered === null) return stored.set(Object.keys(others).length > 0 ? others : null)
      const addresses = [...new Set([...(get()?.addresses ?? []), ...checksumOfAddress(userId)])]
      stored.set({ ...others, [userId]: { ...remembered, addresses } })
    },
  }
}

/** Tells an address from nearly all others, but not which one it is: what is remembered stays when the user signs out. */
function checksumOfAddress(userId: string): readonly number[] {
  const user = readStoredSession()?.user
  if (user?.id !== userId || !user.email) return []
  const letters = Array.from(user.email.toLowerCase(), (letter) => letter.codePointAt(0) ?? 0)
  return [letters.reduce((sum, letter) => (sum * 31 + letter) % 65_521, 1)]
}

/** Forgets what the user was asked, once everything that was typed since is deleted. */
export function forgetAsked(userId: string): void {
  const store = rememberedOf(userId)
  const remembered = store.get()
  if (remembered === UNREADABLE_MEMORY) return
  // Where the user has never answered, nothing is left to remember.
  if (remembered?.asked)
    store.set(remembered.key === NEVER_ENCRYPTED ? null : { ...remembered, asked: undefined })
}

/** The parts of the server's name for a key. */
export function keyParts(key: string): { keyId: string | null; counter: number } {
  const [keyId = 'none', counter] = key.split('.')
  return { keyId: keyId === 'none' ? null : keyId, counter: Number(counter) }
}

/** A request that the server carries out only if the account has this key. */
export function namingKey(init: RequestInit | undefined, key: string): RequestInit {
  const headers = new Headers(init?.headers)
  if ((init?.method ?? 'GET') !== 'GET') headers.append('prefer', `key=${key}`)
  return { ...init, headers }
}

export function urlOf(input: RequestInfo | URL): string {
  return input instanceof Request ? input.url : String(input)
}
