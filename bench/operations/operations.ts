import { insertPrayer } from './insert-prayer.ts'
import { listPrayers } from './list-prayers.ts'
import type { Operation } from './operation.ts'
import { refreshSession } from './refresh-session.ts'
import { reorderCategories } from './reorder-categories.ts'
import { updatePrayer } from './update-prayer.ts'

/** What is measured against the floor, in this order. */
export const OPERATIONS: readonly Operation[] = [
  listPrayers,
  insertPrayer,
  updatePrayer,
  reorderCategories,
  refreshSession,
]
