import type { Rules } from '#web/sync/schema.ts'
import { CATEGORY_RULES } from './categories.ts'
import { PRAYER_UPDATE_RULES } from './prayer-updates.ts'
import { PRAYER_RULES } from './prayers.ts'

/** What the synchronisation has to know about each table. */
export const RULES: Rules = {
  categories: CATEGORY_RULES,
  prayers: PRAYER_RULES,
  prayer_updates: PRAYER_UPDATE_RULES,
}
