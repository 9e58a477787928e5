import { randomBytes } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** supabase/auth internal/api/token_refresh.go: both generations of tokens. */
const FIRST_GENERATION = /^[a-z0-9]{12}$/
const SECOND_GENERATION = /^[A-Za-z0-9_-]{51,}$/

/** A new refresh token: 12 characters that carry 60 random bits. */
export function createRefreshToken(): string {
  return Array.from(randomBytes(12), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')
}

/** Whether the text could be a refresh token at all. */
export function looksLikeRefreshToken(text: string): boolean {
  return FIRST_GENERATION.test(text) || SECOND_GENERATION.test(text)
}
