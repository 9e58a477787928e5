import { parse } from 'valibot'
import type { Category } from './categories.ts'
import type { PrayerUpdate } from './prayer-updates.ts'
import { type Prayer, prayerSchema } from './prayers.ts'

/** A category with default values for the fields that the test does not set. */
export function sampleCategory(given: Partial<Category> = {}): Category {
  return {
    rev: 1,
    id: 'family',
    user_id: 'me',
    name: 'Family',
    order: 1,
    is_visible: true,
    pray_days: null,
    created_at: '2026-01-01T00:00:00+00:00',
    updated_at: '2026-01-01T00:00:00+00:00',
    ...given,
  }
}

/** A prayer with default values for the fields that the test does not set. */
export function samplePrayer(given: Partial<Prayer> = {}): Prayer {
  return parse(prayerSchema, {
    rev: 1,
    id: 'prayer-1',
    user_id: 'me',
    category_id: 'family',
    person_name: 'Anna',
    note: null,
    resolved: false,
    created_at: '2026-01-01T00:00:00+00:00',
    ...given,
  })
}

/** Prayers with the ids and names "<name> 1", "<name> 2", … */
export function samplePrayers(count: number, name: string, given: Partial<Prayer> = {}): Prayer[] {
  const names = Array.from({ length: count }, (_, index) => `${name} ${index + 1}`)
  return names.map((each) => samplePrayer({ id: each, person_name: each, ...given }))
}

/** An update with default values for the fields that the test does not set. */
export function sampleUpdate(given: Partial<PrayerUpdate> = {}): PrayerUpdate {
  return {
    rev: 1,
    id: 'update-1',
    user_id: 'me',
    prayer_id: 'prayer-1',
    body: 'Surgery went well',
    created_at: '2026-02-01T00:00:00+00:00',
    updated_at: '2026-02-01T00:00:00+00:00',
    answered_on: null,
    ...given,
  }
}
