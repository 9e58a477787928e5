import { secretOf } from './prayer-key.ts'

/** What a prayer key yields for one account and key id. Cannot be turned back into the prayer key. */
export interface Keys {
  userId: string
  keyId: string
  text: CryptoKey
  nonce: CryptoKey
  state: CryptoKey
  /** For ids that are computed from texts, where nothing can be waited for: so its bytes are known. */
  id: Uint8Array
}

/** What a text belongs to: it opens nowhere else. */
export interface Place {
  /** The name of a category, the person of a prayer, or a text of a prayer: its note, its answer, or one of its updates. */
  kind: 'category' | 'person' | 'text'
  /** The id of the category or prayer. */
  id: string
}

/** Texts are padded to a multiple of so many bytes, so that their length tells little. */
const STEP = 32
const NONCE_LENGTH = 12
const TAG_LENGTH = 16
const END = 0x80
const SEALED = /^enc1\.([0-9A-HJKMNP-TV-Z]{16})\.([\w-]+)$/
/** Also in a later version of the format. */
const CLAIMS_SEALED = /^enc[0-9]+\.[0-9A-HJKMNP-TV-Z]{16}\./

const encoder = new TextEncoder()

/** Derives the keys of an account from a prayer key (24 characters). Needs a secure context. */
export async function deriveKeys(prayerKey: string, userId: string, keyId: string): Promise<Keys> {
  const { subtle } = crypto
  const secret = encoder.encode(secretOf(prayerKey))
  const master = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const salt = encoder.encode(`${userId}|${keyId}`)
  const derive = (purpose: string) => {
    const info = encoder.encode(`intercede/1/${purpose}`)
    return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, master, 256)
  }
  const hmacKey = async (purpose: string) =>
    subtle.importKey('raw', await derive(purpose), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return {
    userId,
    keyId,
    text: await subtle.importKey('raw', await derive('text'), 'AES-GCM', false, ['encrypt', 'decrypt']),
    nonce: await hmacKey('nonce'),
    state: await hmacKey('state'),
    id: new Uint8Array(await derive('id')),
  }
}

/** Whether a text is sealed or claims to be: such a text is never taken for one that somebody has typed. */
export function claimsSealed(text: string): boolean {
  return CLAIMS_SEALED.test(text)
}

/** The id of the key with which a text was sealed; null if the text does not have the form of a sealed one. */
export function keyIdOf(text: string): string | null {
  return SEALED.exec(text)?.[1] ?? null
}

/** Seals a text. The same text of the same place is always the same, so that repeated requests are recognised. */
export async function sealText(
  { userId, keyId, text: key, nonce: nonceKey }: Keys,
  place: Place,
  text: string,
) {
  const additionalData = additionalDataOf(userId, place)
  const padded = pad(encoder.encode(text))
  const message = concatenate(additionalData, new Uint8Array(1), padded)
  const nonce = new Uint8Array(await crypto.subtle.sign('HMAC', nonceKey, message)).slice(0, NONCE_LENGTH)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, padded)
  return `enc1.${keyId}.${toBase64Url(concatenate(nonce, new Uint8Array(sealed)))}`
}

/** Opens a sealed text. Resolves to null if it was not sealed with this key, not for this place, or was changed. */
export async function openText({ userId, keyId, text: key }: Keys, place: Place, sealed: string) {
  const [, sealedWith, encoded = ''] = SEALED.exec(sealed) ?? []
  const bytes = sealedWith === keyId ? fromBase64Url(encoded) : null
  const length = (bytes?.length ?? 0) - NONCE_LENGTH - TAG_LENGTH
  if (bytes === null || length < STEP || length % STEP !== 0) return null
  const iv = bytes.subarray(0, NONCE_LENGTH)
  const additionalData = additionalDataOf(userId, place)
  try {
    const parameters = { name: 'AES-GCM', iv, additionalData }
    const padded = await crypto.subtle.decrypt(parameters, key, bytes.subarray(NONCE_LENGTH))
    return unpad(new Uint8Array(padded))
  } catch {
    return null
  }
}

/** Proves that a state of the account's encryption was set by somebody who has the prayer key. */
export async function proofOf({ userId, keyId, state: key }: Keys, state: string, counter: number) {
  const message = encoder.encode(`${userId}|${keyId}|${state}|${String(counter)}`)
  return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, message)))
}

function additionalDataOf(userId: string, { kind, id }: Place) {
  return encoder.encode(`${userId}|${id}|${kind}`)
}

function pad(bytes: Uint8Array) {
  const padded = new Uint8Array((Math.floor(bytes.length / STEP) + 1) * STEP)
  padded.set(bytes)
  padded[bytes.length] = END
  return padded
}

function unpad(padded: Uint8Array): string | null {
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== END || padded.length - end > STEP) return null
  // Keeps a byte order mark, which is part of the text.
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(padded.subarray(0, end))
}

function concatenate(...parts: readonly Uint8Array[]) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let position = 0
  for (const part of parts) {
    all.set(part, position)
    position += part.length
  }
  return all
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Null unless it is the only way to write these bytes. */
function fromBase64Url(text: string) {
  if (text.length % 4 === 1) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return toBase64Url(bytes) === text ? bytes : null
}
