import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Attempt } from '#web/lib/error-text.ts'
import { attempt, type ActionResult } from '#web/lib/lists/attempt.ts'
import { useProblem, type Problem } from '#web/lib/lists/problem.ts'
import { useList, type ListInView } from '#web/lib/lists/use-list.ts'
import { addPrayer, editPrayer, removePrayer } from './prayer-actions.ts'
import type { Prayer, PrayerFields } from './prayer.ts'
import { countPrayers, prayersOf } from './prayers-list.ts'

export type PrayersInView = ListInView<Prayer> & { problem: Problem | null }

export type PrayerActions = {
  add: (id: string, fields: PrayerFields) => Promise<ActionResult>
  /** Sends the given fields only. */
  update: (id: string, fields: Partial<PrayerFields>) => Promise<ActionResult>
  remove: (id: string) => Promise<ActionResult>
  /** How many prayers a category holds; rejects if they can't be fetched. */
  count: (categoryId: string) => Promise<number>
}

/** A person's prayers as they should see them. */
export function usePrayers(userId: string | null): PrayersInView {
  const definition = useMemo(() => prayersOf(userId), [userId])
  const list = useList(definition)
  return { ...list, problem: useProblem(definition.key, list, 'fetch prayers') }
}

export function usePrayerActions(userId: string | null): PrayerActions {
  const client = useQueryClient()
  return useMemo(() => {
    const list = prayersOf(userId)
    const run = (what: Attempt, action: () => Promise<void>) => attempt(client, list.key, what, action)
    return {
      add: (id, fields) => run('add prayer', () => addPrayer(client, list, id, fields)),
      update: (id, fields) => run('update prayer', () => editPrayer(client, list, id, fields)),
      remove: (id) => run('delete prayer', () => removePrayer(client, list, id)),
      count: (categoryId) => countPrayers(client, list, categoryId),
    }
  }, [client, userId])
}
