import { useEffect, useState } from 'react'
import { integer, minValue, number, parse, pipe, record, regex, string } from 'valibot'
import type { Day } from '#web/lib/days/days.ts'
import type { Prayer } from './prayers.ts'
import { rest } from './rest-client.ts'
import { useConnection } from './sync-status.ts'

const prayedMonthsSchema = record(
  pipe(string(), regex(/^\d{4}-\d\d$/)),
  pipe(number(), integer(), minValue(1)),
)

/** On how many days of each month a prayer was prayed, by months such as `2026-02`. */
export type PrayedMonths = Readonly<Record<string, number>>

/**
 * Asks the server on how many days of each month a prayer was prayed: this device knows only how many there are. Null until
 * the server has answered, and without a network.
 */
export function usePrayedMonths(prayer: Prayer, today: Day): PrayedMonths | null {
  const { id, times_prayed: times } = prayer
  const [counted, setCounted] = useState<PrayedMonths | null>(null)
  const isConnected = useConnection() === 'connected'
  const isWanted = times > 0 && counted === null && isConnected
  useEffect(() => {
    if (!isWanted) return undefined
    const controller = new AbortController()
    fetchPrayedMonths(id, controller.signal).then(setCounted, () => {
      // The totals that the device has are shown instead.
    })
    return () => controller.abort()
  }, [id, isWanted])
  return counted && withLatest(counted, prayer, today)
}

async function fetchPrayedMonths(prayer_id: string, signal: AbortSignal): Promise<PrayedMonths> {
  const { data } = await rest.rpc('prayed_months', { prayer_id }).abortSignal(signal).throwOnError()
  return parse(prayedMonthsSchema, data)
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
