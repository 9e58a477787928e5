import { isRecord } from '#shared/is-record.ts'
import { readDrafts } from '#web/lib/drafts.ts'

/** The name typed, and the id it is saved under: saving again must not add a second category. */
export interface CategoryDraft {
  id: string
  name: string
}

/** The names of the drafts of new categories, and of new names for existing ones. */
export const NEW_CATEGORY_DRAFTS = ['new-category']
export const CATEGORY_NAME_DRAFTS = ['category-name']

/** Checks a stored draft. */
export function isCategoryDraft(value: unknown): value is CategoryDraft {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string'
}

/** The names that were typed, but not saved, by the id of their category. */
export function readNameDrafts(): ReadonlyMap<string, string> {
  const stored = readDrafts(CATEGORY_NAME_DRAFTS, isCategoryDraft)
  return new Map(stored.map(({ draft }) => [draft.id, draft.name]))
}
