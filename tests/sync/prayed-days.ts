import type { Json } from '#shared/database.types.ts'
import type { RejectedChange } from '#web/sync/change.ts'
import type { Fields, Row } from '#web/sync/schema.ts'

export interface PrayedDay {
  prayer_id: string
  day: string
}

interface Call {
  /** Id of the change. */
  id: string
  prayerIds: readonly string[]
  day: Json | undefined
  isAccepted: boolean
}

/** Remembers which prayers were prayed on which days, to find out at the end whether each day was counted once. */
export interface PrayedDays {
  add: (args: Fields, id: string, accepted: Promise<void>) => void
  /** The user has decided about a rejected change. If it is tried again, that is another change. */
  decide: (rejected: RejectedChange) => void
  /**
   * What is wrong with the days on the server, and the counts of the prayers there.
   *
   * @param rejected changes that wait for the user's decision
   */
  mistakes: (
    prayers: readonly Row[],
    found: readonly PrayedDay[],
    rejected: readonly RejectedChange[],
  ) => readonly string[]
}

export function createPrayedDays(): PrayedDays {
  let calls: readonly Call[] = []
  return {
    decide: ({ id }) => {
      calls = calls.filter((call) => call.id !== id)
    },
    add: ({ prayer_ids: ids, prayed_on: day }, id, accepted) => {
      const prayerIds = Array.isArray(ids) ? ids.map(String) : []
      const call = { id, prayerIds, day, isAccepted: false }
      calls = [...calls, call]
      accepted.then(
        () => (call.isAccepted = true),
        () => {},
      )
    },
    mistakes: (prayers, found, rejected) =>
      prayers.flatMap(({ id, times_prayed: times, last_prayed_on: last }) => {
        const days = found.filter(({ prayer_id }) => prayer_id === id).map(({ day }) => day)
        const isCounted = times === days.length && (last ?? undefined) === days.at(-1)
        const missing = calls.filter(
          (call) =>
            call.isAccepted &&
            call.prayerIds.includes(id) &&
            !days.some((day) => day === call.day) &&
            !rejected.some((change) => change.id === call.id),
        )
        return [
          ...(isCounted
            ? []
            : [`prayer ${id} counts ${JSON.stringify(times)} of the days ${days.join(', ')}`]),
          ...missing.map(({ day }) => `prayer ${id} lacks the prayed day ${JSON.stringify(day)}`),
        ]
      }),
  }
}
