import { data as rest } from '#web/lib/data.ts'
import { Refusal } from '#web/lib/error-text.ts'
import { rowsAfter } from '#web/lib/lists/rows-after.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import type { Prayer, PrayerFields } from './prayer.ts'

const SAVED_ALREADY = '23505'

/** A page of a person's prayers, newest first, after the given one. */
export async function fetchPrayersPage(userId: string, after: Prayer | null): Promise<readonly Prayer[]> {
  const all = rest
    .from('prayers')
    .select('*')
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(PAGE_SIZE)
    .throwOnError()
  const { data } = await (after ? all.or(olderThan(after)) : all)
  return data
}

function olderThan(prayer: Prayer): string {
  return rowsAfter([
    { column: 'created_at', value: prayer.created_at, descending: true },
    { column: 'id', value: prayer.id, descending: true },
  ])
}

/** Adds a prayer under an id of our own. If it was saved before and only the answer was lost, it now says this. */
export async function insertPrayer(prayer: Prayer): Promise<Prayer> {
  const { data, error } = await rest.from('prayers').insert(prayer).select().single()
  if (error?.code === SAVED_ALREADY) return updatePrayer(prayer.id, textOf(prayer))
  if (error) throw error
  return data
}

function textOf({ category_id, person_name, note }: Prayer): Partial<PrayerFields> {
  return { category_id, person_name, note }
}

export async function updatePrayer(id: string, fields: Partial<PrayerFields>): Promise<Prayer> {
  const { data } = await rest
    .from('prayers')
    .update(fields)
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError()
  if (!data) throw new Refusal('Prayer not found')
  return data
}

/** Deletes a prayer. One that is gone already is as good as deleted. */
export async function deletePrayer(id: string): Promise<void> {
  await rest.from('prayers').delete().eq('id', id).throwOnError()
}
