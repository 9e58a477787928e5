import {
  array,
  check,
  type InferOutput,
  nullable,
  object,
  picklist,
  pipe,
  readonly,
  record as recordOf,
  string,
} from 'valibot'
import type { Day } from '#web/lib/days/days.ts'

/** What became of a prayer in a session. */
const outcomeSchema = picklist(['prayed', 'skipped', 'answered'])
export type Outcome = InferOutput<typeof outcomeSchema>

/** A prayer session, as it is kept in this browser until it has ended. */
export const prayerSessionSchema = pipe(
  object({
    /** When it began: on another day, there is another page to begin with. */
    day: string(),
    /** The selected prayers, in their order. */
    ids: pipe(array(string()), readonly()),
    /** The prayer that is shown; null at the end. */
    current: nullable(string()),
    outcomes: pipe(recordOf(string(), outcomeSchema), readonly()),
  }),
  check(({ ids, current }) => current === null || ids.includes(current)),
)
export type PrayerSession = InferOutput<typeof prayerSessionSchema>

/** @param ids at least one */
export function startPrayerSession(ids: readonly string[], day: Day): PrayerSession {
  return { day, ids, current: ids[0] ?? null, outcomes: {} }
}

/** Continues an unfinished session: begins with the first of its remaining prayers that can be shown. */
export function resume(session: PrayerSession, isShown: (id: string) => boolean): PrayerSession {
  const { ids, current } = session
  const rest = current === null ? [] : ids.slice(ids.indexOf(current))
  return { ...session, current: rest.find(isShown) ?? null }
}

/** Records what became of the current prayer, and shows the next one; after the last one, the session is at its end. */
export function record(session: PrayerSession, outcome: Outcome, shown: readonly string[]): PrayerSession {
  const { current, outcomes } = session
  if (current === null) return session
  // Who was prayed for stays counted.
  const isCounted = outcomes[current] === 'prayed'
  return {
    ...advance(session, shown),
    outcomes: isCounted ? outcomes : { ...outcomes, [current]: outcome },
  }
}

/** Shows the next prayer without recording anything. */
export function advance(session: PrayerSession, shown: readonly string[]): PrayerSession {
  const { current } = session
  return { ...session, current: current === null ? null : (shown[shown.indexOf(current) + 1] ?? null) }
}

/** Shows the previous prayer; on the first one, nothing changes. */
export function goBack(session: PrayerSession, shown: readonly string[]): PrayerSession {
  const { current } = session
  const previous = current === null ? undefined : shown[shown.indexOf(current) - 1]
  return previous === undefined ? session : { ...session, current: previous }
}

/** How many prayers were prayed. */
export function countPrayed({ outcomes }: PrayerSession): number {
  return Object.values(outcomes).filter((outcome) => outcome === 'prayed').length
}
