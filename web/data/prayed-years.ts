import { useEffect, useState } from 'react'
import { integer, minValue, number, parse, pipe, record, regex, string } from 'valibot'
import { rest } from './rest-client.ts'
import { useConnection } from './sync-status.ts'

const prayedYearsSchema = record(pipe(string(), regex(/^\d{4}$/)), pipe(number(), integer(), minValue(1)))

/** For how many people the user has prayed, by years such as `2026`. */
export type PrayedYears = Readonly<Record<string, number>>

/**
 * Asks the server for how many people the user has prayed in each year: this device does not have the days. Null until the
 * server has answered, and without a network.
 */
export function usePrayedYears(): PrayedYears | null {
  const [years, setYears] = useState<PrayedYears | null>(null)
  const isConnected = useConnection() === 'connected'
  const isWanted = years === null && isConnected
  useEffect(() => {
    if (!isWanted) return undefined
    const controller = new AbortController()
    fetchPrayedYears(controller.signal).then(setYears, () => {
      // The number is left out.
    })
    return () => controller.abort()
  }, [isWanted])
  return years
}

async function fetchPrayedYears(signal: AbortSignal): Promise<PrayedYears> {
  const { data } = await rest.rpc('prayed_years').abortSignal(signal).throwOnError()
  return parse(prayedYearsSchema, data)
}
