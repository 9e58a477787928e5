export type SessionEvent = 'prayed' | 'skip' | 'back' | 'answered' | 'addUpdate' | 'leave'

/** What the keys of a session do, by `KeyboardEvent.key`. */
export const SESSION_KEYS: Readonly<Record<string, SessionEvent>> = {
  ' ': 'prayed',
  Enter: 'prayed',
  ArrowRight: 'prayed',
  s: 'skip',
  ArrowLeft: 'back',
  a: 'answered',
  u: 'addUpdate',
  Escape: 'leave',
}

/** The same keys, as the list of shortcuts shows them. */
export const SESSION_SHORTCUTS = [
  { keys: ['Space', 'Enter', 'Right arrow'], action: 'Prayed' },
  { keys: ['S'], action: 'Skip' },
  { keys: ['Left arrow'], action: 'Back' },
  { keys: ['A'], action: 'Answered' },
  { keys: ['U'], action: 'Add an update' },
  { keys: ['Esc'], action: 'Done' },
] as const
