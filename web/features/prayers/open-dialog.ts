import { newId } from '#web/lib/new-id.ts'
import type { Prayer } from '#web/data/prayers.ts'
import type { PrayerCategory } from './prayer-category.ts'

/** The dialog that is open on the dashboard. */
export type OpenDialog =
  | { kind: 'add'; id: string; categoryId: string }
  | { kind: 'edit'; prayer: Prayer }
  | { kind: 'delete'; prayer: Prayer }

/** Opens the dialog for a new prayer, which gets its id now: saved twice, it is still one prayer. */
export function addTo(category: PrayerCategory): OpenDialog {
  return { kind: 'add', id: newId(), categoryId: category.id }
}
