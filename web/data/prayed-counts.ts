import { useEffect, useEffectEvent, useState } from 'react'
import { array, check, number, parse, pipe, record, string } from 'valibot'
import type { Day } from '#web/lib/days/days.ts'

import { useEncryptionState } from './encryption-status.ts'
import { type Prayer, usePrayers } from './prayers.ts'
import { rest } from './rest-client.ts'
import { useConnection } from './sync-status.ts'

const countSchema = pipe(
  number(),
  check((count) => Number.isInteger(count) && count >= 1),
)
const monthsSchema = record(textLike(/^\d{4}-\d\d$/), countSchema)
const prayersSchema = record(textLike(/^\d{4}$/), array(string()))
const yearsSchema = record(textLike(/^\d{4}$/), countSchema)

function textLike(pattern: RegExp) {
  return pipe(
    string(),
    check((text) => pattern.test(text)),
  )
}

/** On how many days of each month a prayer was prayed, by months such as `2026-02`. */
export type PrayedMonths = Readonly<Record<string, number>>

/** For how many people the user has prayed, by years such as `2026`. */
type PrayedYears = Readonly<Record<string, number>>

/**
 * On how many days of each month a prayer was prayed: this device knows only the total. Null until the server has answered,
 * and without a network.
 */
export function usePrayedMonths(prayer: Prayer, today: Day): PrayedMonths | null {
  const { id: prayer_id, times_prayed: times } = prayer
  const counted = useServerCounts(times > 0, async (signal) => {
    const { data } = await rest.rpc('prayed_months', { prayer_id }).abortSignal(signal).throwOnError()
    return parse(monthsSchema, data)
  })
  return counted && withLatest(counted, prayer, today)
}

/**
 * For how many people the user has prayed in each year: this device does not have the days. Null until the server has answered,
 * and without a network.
 */
export function usePrayedYears(): PrayedYears | null {
  const state = useEncryptionState()
  const { rows: prayers } = usePrayers()
  return useServerCounts(prayers !== null, async (signal) => {
    if (state !== 'off') {
      // The server cannot tell whether two prayers are for the same person.
      const { data } = await rest.rpc('prayed_prayers').abortSignal(signal).throwOnError()
      const names = new Map(prayers?.map(({ id, person_name }) => [id, person_name]))
      const years = Object.entries(parse(prayersSchema, data))
      return Object.fromEntries(
        years.map(([year, ids]) => [year, new Set(ids.map((id) => names.get(id) ?? id)).size]),
      )
    }
    const { data } = await rest.rpc('prayed_years').abortSignal(signal).throwOnError()
    return parse(yearsSchema, data)
  })
}

/** Fetches counts once, while the server can be reached. Null until it has answered: what the device has is shown instead. */
function useServerCounts<Counts>(
  isWanted: boolean,
  fetchCounts: (signal: AbortSignal) => Promise<Counts>,
): Counts | null {
  const [counts, setCounts] = useState<Counts | null>(null)
  const isConnected = useConnection() === 'connected'
  const isMissing = isWanted && counts === null && isConnected
  const fetchNow = useEffectEvent(fetchCounts)
  useEffect(() => {
    if (!isMissing) return undefined
    const controller = new AbortController()
    fetchNow(controller.signal).then(setCounts, () => undefined)
    return () => controller.abort()
  }, [isMissing])
  return counts
}

/**
 * The months with what has been prayed here, or taken back, since the server has counted: the prayer has the present total,
 * and changes are those of the latest month.
 */
export function withLatest(
  counted: PrayedMonths,
  { times_prayed: times, last_prayed_on: last }: Pick<Prayer, 'times_prayed' | 'last_prayed_on'>,
  today: Day,
): PrayedMonths {
  const difference = times - Object.values(counted).reduce((sum, count) => sum + count, 0)
  if (difference === 0) return counted
  const month = (difference > 0 && last !== null ? last : today).slice(0, 7)
  const { [month]: before = 0, ...others } = counted
  const count = before + difference
  return count > 0 ? { ...others, [month]: count } : others
}
