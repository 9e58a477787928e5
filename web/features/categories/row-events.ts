import type { ActionResult } from '#web/data/change-list.ts'
import type { Category } from '#web/data/categories.ts'

/** What can happen to a row of the list of categories. */
export type RowEvents = {
  onToggleVisible: (category: Category) => void
  /** Begins editing the name of one category; null ends it. */
  onEdit: (category: Category | null) => void
  onRename: (category: Category, name: string) => Promise<ActionResult>
  onDelete: (category: Category) => void
  onMove: (category: Category, by: -1 | 1) => void
}
