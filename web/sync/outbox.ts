import type { Change } from './change.ts'
import type { OutboxEntry } from './storage.ts'

/** A change that waits for the server. */
export interface Waiting {
  change: Change
  /**
   * `storing` until it is known whether it could be stored. A `volatile` change exists in this page only: it is not
   * accepted before the server has saved it.
   */
  state: 'storing' | 'stored' | 'volatile'
  /** Position in the outbox; null unless stored. */
  seq: number | null
  /** For a volatile change: reports how it ended. */
  settle: (error: Error | null) => void
}

/** A change that was stored before this page was opened, or by another tab. */
export function fromStorage({ seq, change }: OutboxEntry): Waiting {
  return { change, state: 'stored', seq, settle: () => {} }
}

/**
 * The changes that are stored, and those of this page that are not, each before the changes of this page that were made
 * later: these may need what it adds.
 */
export function withUnstored(stored: readonly Waiting[], known: readonly Waiting[]): readonly Waiting[] {
  const isStored = (id: string) => stored.some(({ change }) => change.id === id)
  const merged = [...stored]
  for (const [index, waiting] of known.entries()) {
    if (waiting.seq !== null || isStored(waiting.change.id)) continue
    const later = new Set(known.slice(index).map(({ change }) => change.id))
    const position = merged.findIndex(({ change }) => later.has(change.id))
    merged.splice(position < 0 ? merged.length : position, 0, waiting)
  }
  return merged
}

/** The positions in the outbox of those changes that are stored. */
export function seqsOf(waiting: readonly Waiting[]): readonly number[] {
  return waiting.flatMap(({ seq }) => (seq === null ? [] : [seq]))
}

/** What takes the place of a change that exists in this page only. It has ended when all of them have. */
export function successorsOf(waiting: Waiting, replacements: readonly Change[]): readonly Waiting[] {
  const last = replacements.length - 1
  if (last < 0) waiting.settle(null)
  return replacements.map((change, index) => ({
    ...waiting,
    change,
    settle: (error) => {
      if (error || index === last) waiting.settle(error)
    },
  }))
}
