import { isUserNeeded } from './sealing/encryption-status.ts'
import type { Commit } from './storage.ts'
import type { SyncEngine } from './sync-engine.ts'

/** How long to wait after the first, second … failed round in a row, in milliseconds. The last one repeats. */
const BACK_OFF_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const
/** How often a visible page synchronises when nothing else causes it, in milliseconds; also the longest back-off. */
const INTERVAL_MS = 5 * 60_000
/** After this time, in milliseconds, changes that another tab has made are sent here: it may have been closed. */
const OTHER_TAB_MS = 10_000
/** A window that is used again this soon after a round, in milliseconds, needs no other one. */
const FRESH_MS = 5_000

/** Decides when rounds run. */
export interface Triggers {
  /** Runs a round now. Resolves to whether it succeeded; never rejects. */
  run: () => Promise<boolean>
  /** A change was made in this page: it is sent at once, and retried, even while the page is hidden. */
  onPending: () => void
  /** Another tab has written to the storage; null if it has not said what. */
  onCommitElsewhere: (committed: Commit | null) => void
  /** What was stored is gone: the page shows what the server has. */
  onDeleted: () => void
  stop: () => void
}

/**
 * Runs rounds at the right times: now, when the connection or the user returns, every few minutes, and again after a
 * failure. Hidden pages leave this to others, except for changes that were made in them.
 */
export function startTriggers(sync: Pick<SyncEngine, 'syncNow' | 'status' | 'follow' | 'refresh'>): Triggers {
  const stopped = new AbortController()
  const { signal } = stopped
  let timer: ReturnType<typeof setTimeout> | undefined
  let round: Promise<void> | null = null
  let failures = 0
  let succeededAt = -Infinity
  let hasOwnChanges = false

  const isVisible = () => document.visibilityState === 'visible'
  const isAllowed = () => !signal.aborted && (isVisible() || hasOwnChanges)
  const delay = () => {
    const { retryAfter, waiting, encryption } = sync.status()
    if (failures === 0) return waiting > 0 ? OTHER_TAB_MS : INTERVAL_MS
    // What the user has to do first starts a round.
    const attempt = isUserNeeded(encryption) ? BACK_OFF_MS.length : failures
    const backOff = BACK_OFF_MS[attempt - 1] ?? BACK_OFF_MS[BACK_OFF_MS.length - 1] ?? INTERVAL_MS
    return Math.min(Math.max(backOff, retryAfter * 1000), INTERVAL_MS)
  }
  const schedule = () => {
    clearTimeout(timer)
    if (isAllowed()) timer = setTimeout(runIfAllowed, delay())
  }
  const finish = async (result: Promise<boolean>) => {
    const succeeded = await result
    round = null
    failures = succeeded ? 0 : failures + 1
    if (succeeded) {
      succeededAt = Date.now()
      hasOwnChanges = false
    }
    schedule()
  }
  const run = () => {
    clearTimeout(timer)
    // While a round is running, this requests another one, and returns the same promise.
    const result = sync.syncNow()
    round ??= finish(result)
    return result
  }
  const runIfAllowed = () => {
    if (isAllowed()) void run()
  }
  /** @param committed what another tab has written; null to read the storage */
  const follow = async (committed: Commit | null) => {
    await (committed ? sync.follow(committed) : sync.refresh())
    if (round === null && failures === 0) schedule()
  }
  const onReturn = () => {
    if (!isVisible()) return
    void follow(null)
    // The clock may have been set back.
    const isFresh = failures === 0 && Math.abs(Date.now() - succeededAt) < FRESH_MS
    if (round === null && !isFresh) void run()
  }
  addEventListener('online', runIfAllowed, { signal })
  addEventListener('focus', onReturn, { signal })
  addEventListener('pageshow', onReturn, { signal })
  document.addEventListener('visibilitychange', onReturn, { signal })
  runIfAllowed()
  return {
    run,
    onPending: () => {
      hasOwnChanges = true
      void run()
    },
    onCommitElsewhere: (committed) => {
      // A hidden page reads the storage when it is shown again.
      if (isVisible()) void follow(committed)
    },
    onDeleted: () => {
      void follow(null)
      runIfAllowed()
    },
    stop: () => {
      stopped.abort()
      clearTimeout(timer)
    },
  }
}
