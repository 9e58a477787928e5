import type { Database } from '#shared/database.types.ts'

/** A prayer for a named person, as it is kept. */
export type Prayer = Database['public']['Tables']['prayers']['Row']

/** What a person can say about a prayer. */
export type PrayerFields = Pick<Prayer, 'category_id' | 'person_name' | 'note' | 'resolved'>

/** A category as far as prayers care: something to stand under. */
export type PrayerCategory = { id: string; name: string }
