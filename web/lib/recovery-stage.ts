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
  const stored: unknown = text === null ? null : JSON.parse(text)
  if (typeof stored !== 'object' || stored === null || !('stage' in stored)) return NONE
  const field = (name: string) => {
    const value: unknown = Reflect.get(stored, name)
    return typeof value === 'string' ? value : null
  }
  switch (stored.stage) {
    case 'failed':
      return { stage: 'failed', message: field('message') ?? '' }
    case 'open':
      return { stage: 'open', accessToken: field('accessToken'), refreshToken: field('refreshToken') }
    case 'signed-in':
    case 'done':
      return { stage: stored.stage }
    default:
      return NONE
  }
}
