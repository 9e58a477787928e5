import { CATEGORY_RULES } from '#web/data/categories.ts'
import { PRAYER_RULES } from '#web/data/prayers.ts'

/** Those of the app, without what only a page needs. */
export const RULES = { categories: CATEGORY_RULES, prayers: PRAYER_RULES }
