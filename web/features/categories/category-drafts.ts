import { type InferOutput, object, string } from 'valibot'
import { readDrafts } from '#web/lib/storage/drafts.ts'

/** The name typed, and the id it is saved under: saving again must not add a second category. */
export const categoryDraftSchema = object({ id: string(), name: string() })
export type CategoryDraft = InferOutput<typeof categoryDraftSchema>

/** The names of the drafts of new categories, and of new names for existing ones. */
export const NEW_CATEGORY_DRAFTS = ['new-category']
export const CATEGORY_NAME_DRAFTS = ['category-name']

/** The names that were typed, but not saved, by the id of their category. */
export function readNameDrafts(): ReadonlyMap<string, string> {
  const stored = readDrafts(CATEGORY_NAME_DRAFTS, categoryDraftSchema)
  return new Map(stored.map(({ draft }) => [draft.id, draft.name]))
}
