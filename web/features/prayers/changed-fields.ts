import type { Prayer, PrayerFields } from '#web/data/prayers.ts'

/** Only what the form changed: what another device wrote into the other fields meanwhile stays. */
export function changedFields(prayer: Prayer, fields: PrayerFields): Partial<PrayerFields> {
  return {
    ...(fields.category_id !== prayer.category_id && { category_id: fields.category_id }),
    ...(fields.person_name !== prayer.person_name && { person_name: fields.person_name }),
    ...(fields.note !== prayer.note && { note: fields.note }),
    ...(fields.resolved !== prayer.resolved && { resolved: fields.resolved }),
  }
}
