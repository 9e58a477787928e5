import { fieldsOf } from '#shared/fields.ts'

/** Where setting a new password through a mailed link stands, in this tab. */
export type Recovery =
  | { stage: 'none' }
  /** The link failed before it came here. */
  | { stage: 'failed'; message: string }
  /** The link is good as far as can be told; nobody is signed in by it yet. */
  | { stage: 'open'; accessToken: string | null; refreshToken: string | null }
  /** The link has signed its owner in, for the new password alone. */
  | { stage: 'signed-in' }
  /** The new password is set. */
  | { stage: 'done' }

const NONE: Recovery = { stage: 'none' }

/** Reads what an earlier page of this tab stored; whatever makes no sense is nothing. */
export function readRecovery(text: string | null): Recovery {
  const stored = fieldsOf(text === null ? null : JSON.parse(text))
  const { stage } = stored
  const field = (name: string) => {
    const value = stored[name]
    return typeof value === 'string' ? value : null
  }
  switch (stage) {
    case 'failed':
      return { stage: 'failed', message: field('message') ?? '' }
    case 'open':
      return { stage: 'open', accessToken: field('accessToken'), refreshToken: field('refreshToken') }
    case 'signed-in':
    case 'done':
      return { stage }
    default:
      return NONE
  }
}
