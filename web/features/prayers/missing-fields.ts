import type { PrayerFields } from './prayer.ts'

/** The refusal of a new prayer that lacks what every prayer has; null if it has it all. */
export function missingFieldsMessage(fields: PrayerFields): string | null {
  const required = ['category_id', 'person_name'] as const
  const missing = required.filter((name) => fields[name] === '')
  return missing.length === 0 ? null : `Missing required fields: ${missing.join(', ')}`
}
