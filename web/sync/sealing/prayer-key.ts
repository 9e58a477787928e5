/** Crockford's base32: without I, L, O and U, which are easily misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Without the check character. */
const KEY_LENGTH = 23
const FORMAT = /^[0-9A-HJKMNP-TV-Z]{24}$/

/** Makes a prayer key: 115 random bits and a check character, as 24 characters. */
export function makePrayerKey(): Promise<string> {
  return withCheckCharacter(randomText(KEY_LENGTH))
}

/** Makes the id of a key, which is no secret. */
export function makeKeyId(): string {
  return randomText(16)
}

/** Reads a prayer key, or a part of it, as people type it: in either case, with blanks and hyphens, O for 0, and I or L for 1. */
export function readAsTyped(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** What is wrong with a prayer key that was typed, as far as that can be told without the account; null if nothing. */
export function typingError(typed: string): string | null {
  const { length } = readAsTyped(typed)
  if (length === 0) return 'Please enter your prayer key'
  if (length === KEY_LENGTH + 1) return null
  return `A prayer key has ${KEY_LENGTH + 1} letters and digits, in six groups of four. This has ${length}.`
}

/** Reads a prayer key as it was typed. Resolves to its 24 characters; null if it is none, as when a character is wrong. */
export async function parsePrayerKey(typed: string): Promise<string | null> {
  const text = readAsTyped(typed)
  if (!FORMAT.test(text)) return null
  return (await withCheckCharacter(text.slice(0, KEY_LENGTH))) === text ? text : null
}

/** The six groups of four in which people read and write a prayer key. */
export function groupsOf(prayerKey: string): readonly string[] {
  return prayerKey.match(/.{4}/g) ?? []
}

/** The characters from which the keys are derived. */
export function secretOf(prayerKey: string): string {
  return prayerKey.slice(0, KEY_LENGTH)
}

async function withCheckCharacter(secret: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret)))
  return secret + (ALPHABET[(hash[0] ?? 0) >> 3] ?? '')
}

function randomText(length: number): string {
  // 256 is a multiple of 32: each character is as likely as the others.
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, (byte) => ALPHABET[byte % 32]).join('')
}
