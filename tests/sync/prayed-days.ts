import { isRecord } from '#shared/is-record.ts'
import type { RejectedChange, CallContent } from '#web/sync/change.ts'
import type { Row } from '#web/sync/schema.ts'

export interface PrayedDay {
  prayer_id: string
  day: string
}

type CallName = 'mark_prayed' | 'unmark_prayed'

/** That prayers were prayed on a day, or that this is taken back. */
interface Report {
  name: CallName
  prayerIds: readonly string[]
  day: string
}

interface Call {
  /** Id of the change. */
  id: string
  report: Report
  /** How many reports had arrived when it was made. */
  arrivedBefore: number
  isAccepted: boolean
}

/** Remembers which reports of prayed days were made and have arrived, to find out at the end whether the last ones count. */
export interface PrayedDays {
  add: (call: Pick<CallContent, 'name' | 'args'>, id: string, accepted: Promise<void>) => void
  /** The user has decided about a rejected change. If it is tried again, that is another change. */
  decide: (rejected: RejectedChange) => void
  /** The server has done what a call of a function asked for. */
  arrive: (name: string, args: unknown) => void
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
  const arrived: Report[] = []
  const isMissing = ({ report, arrivedBefore, isAccepted }: Call) =>
    isAccepted &&
    !arrived.slice(arrivedBefore).some((each) => JSON.stringify(each) === JSON.stringify(report))
  /** The days of a prayer, in order: of the reports about it and a day, the one that has arrived last counts. */
  const daysOf = (id: string) => {
    const last = new Map(
      arrived.filter(({ prayerIds }) => prayerIds.includes(id)).map((each) => [each.day, each]),
    )
    return [...last.values()].flatMap(({ name, day }) => (name === 'mark_prayed' ? [day] : [])).toSorted()
  }
  return {
    decide: ({ id }) => {
      calls = calls.filter((call) => call.id !== id)
    },
    add: ({ name, args }, id, accepted) => {
      const report = reportOf(name, args)
      if (!report) return
      const call = { id, report, arrivedBefore: arrived.length, isAccepted: false }
      calls = [...calls, call]
      accepted.then(
        () => (call.isAccepted = true),
        () => {},
      )
    },
    arrive: (name, args) => {
      const report = reportOf(name, args)
      if (report) arrived.push(report)
    },
    mistakes: (prayers, found, rejected) => {
      const missing = calls.filter((call) => isMissing(call) && !rejected.some(({ id }) => id === call.id))
      return [
        ...missing.map(({ report }) => `the server has never received ${JSON.stringify(report)}`),
        ...prayers.flatMap(({ id, times_prayed: times, last_prayed_on: last }) => {
          const days = found.filter(({ prayer_id }) => prayer_id === id).map(({ day }) => day)
          const expected = daysOf(id)
          const isCounted = times === days.length && (last ?? undefined) === days.at(-1)
          return [
            ...(isCounted
              ? []
              : [`prayer ${id} counts ${JSON.stringify(times)} of the days ${days.join(', ')}`]),
            ...(days.join() === expected.join()
              ? []
              : [`prayer ${id} has the days ${days.join(', ')} instead of ${expected.join(', ')}`]),
          ]
        }),
      ]
    },
  }
}

/** Null if the call is another one. */
function reportOf(name: string, args: unknown): Report | null {
  if (name !== 'mark_prayed' && name !== 'unmark_prayed') return null
  if (!isRecord(args) || !Array.isArray(args['prayer_ids'])) return null
  return { name, prayerIds: args['prayer_ids'].map(String), day: String(args['prayed_on']) }
}
