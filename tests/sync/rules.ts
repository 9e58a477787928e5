import { CATEGORY_RULES } from '#web/data/categories.ts'
import { PRAYER_UPDATE_RULES } from '#web/data/prayer-updates.ts'
import { PRAYER_RULES } from '#web/data/prayers.ts'
import type { Rules } from '#web/sync/schema.ts'

/** Those of the app, without what only a page needs. */
export const RULES: Rules = {
  categories: CATEGORY_RULES,
  prayers: PRAYER_RULES,
  prayer_updates: PRAYER_UPDATE_RULES,
}
