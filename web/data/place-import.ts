import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ImportCounts, ImportedRows } from './account-data.ts'
import type { Category } from './categories.ts'
import type { PrayerUpdate } from './prayer-updates.ts'
import type { Prayer } from './prayers.ts'

/** What an account has already. */
interface OwnRows {
  categories: readonly Category[]
  prayers: readonly Prayer[]
  updates: readonly PrayerUpdate[]
  /** By the ids of the prayers. */
  prayedDays: Readonly<Record<string, readonly string[]>>
}

/**
 * Gives the rows of a file the ids that they get in the account, without those that it has already, as the database does it
 * (supabase/schemas/12_import_prayers.sql), which cannot compare sealed texts.
 */
export function placeImport(
  { categories, prayers }: ImportedRows,
  own: OwnRows,
  userId: string,
): { rows: ImportedRows; counts: ImportCounts } {
  const importedId = (id: string) => {
    const digits = bytesToHex(sha256(utf8ToBytes(`${userId}:${id}`)).slice(0, 16))
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
  const knownId = (ids: ReadonlySet<string>, id: string) => [id, importedId(id)].find((each) => ids.has(each))

  const categoryIds = new Set(own.categories.map(({ id }) => id))
  const byName = new Map(own.categories.toReversed().map(({ id, name }) => [name, id]))
  const placedCategories = categories.map((category) => {
    const known = knownId(categoryIds, category.id) ?? byName.get(category.name.trim())
    return { category, id: known ?? importedId(category.id), isNew: known === undefined }
  })
  const categoryIdOf = new Map(placedCategories.map(({ category, id }) => [category.id, id]))

  const prayerIds = new Set(own.prayers.map(({ id }) => id))
  const knownPrayers = new Map(
    prayers.flatMap(({ id }) => {
      const known = knownId(prayerIds, id)
      return known === undefined ? [] : [[id, known] as const]
    }),
  )
  // The others by person, note and time, each of the account's own once.
  const taken = new Set(knownPrayers.values())
  const alike = new Map<string, string[]>()
  for (const prayer of own.prayers.toSorted(byId)) {
    if (taken.has(prayer.id)) continue
    const key = likenessOf(prayer)
    alike.set(key, [...(alike.get(key) ?? []), prayer.id])
  }
  for (const prayer of prayers.toSorted(byId)) {
    const known = knownPrayers.has(prayer.id) ? undefined : alike.get(likenessOf(prayer))?.shift()
    if (known !== undefined) knownPrayers.set(prayer.id, known)
  }

  const updateIds = new Set(own.updates.map(({ id }) => id))
  const knownUpdates = new Set(own.updates.map((update) => updateKey(update.prayer_id, update)))
  let [updatesAdded, daysAdded] = [0, 0]
  const placedPrayers = prayers.map(({ updates, prayed_days, ...prayer }) => {
    const id = knownPrayers.get(prayer.id) ?? importedId(prayer.id)
    const newUpdates = updates
      .filter((update) => !knownId(updateIds, update.id) && !knownUpdates.has(updateKey(id, update)))
      .map((update) => Object.assign({}, update, { id: importedId(update.id) }))
    const days = new Set(own.prayedDays[id])
    const newDays = [...new Set(prayed_days)].filter((day) => !days.has(day))
    updatesAdded += newUpdates.length
    daysAdded += newDays.length
    const category_id = categoryIdOf.get(prayer.category_id)
    if (category_id === undefined)
      throw new Error('A prayer to import stands in a category that is not in the data.')
    return { ...prayer, id, category_id, updates: newUpdates, prayed_days: newDays }
  })
  const newCategories = placedCategories.filter(({ isNew }) => isNew)
  const counts: ImportCounts = {
    categories_added: newCategories.length,
    categories_known: categories.length - newCategories.length,
    prayers_added: prayers.length - knownPrayers.size,
    prayers_known: knownPrayers.size,
    updates_added: updatesAdded,
    prayed_days_added: daysAdded,
  }
  const rows = {
    categories: newCategories.map(({ category, id }) => Object.assign({}, category, { id })),
    prayers: placedPrayers.filter(
      ({ id, updates, prayed_days }) => !prayerIds.has(id) || updates.length + prayed_days.length > 0,
    ),
  }
  return { rows, counts }
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}

function likenessOf({
  person_name,
  note,
  created_at,
}: Pick<Prayer, 'person_name' | 'note' | 'created_at'>): string {
  return JSON.stringify([person_name.trim(), note, Date.parse(created_at)])
}

function updateKey(
  prayerId: string,
  { body, created_at }: Pick<PrayerUpdate, 'body' | 'created_at'>,
): string {
  return JSON.stringify([prayerId, body, Date.parse(created_at)])
}
