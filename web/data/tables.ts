import { CATEGORIES } from './categories.ts'
import { PRAYER_UPDATES } from './prayer-updates.ts'
import { PRAYERS } from './prayers.ts'
import type { TableDefinitions } from './table-definition.ts'

/** The tables that devices keep a copy of, each after those that its rows refer to. */
export const TABLES: TableDefinitions = {
  categories: CATEGORIES,
  prayers: PRAYERS,
  prayer_updates: PRAYER_UPDATES,
}
