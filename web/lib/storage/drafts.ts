import { boolean, type GenericSchema, object, string } from 'valibot'
import { draftKey, draftKeys } from './draft-owner.ts'
import { readStored } from './store.ts'

/** Names a form and, as its last part, the row that it is about, for example `['prayer', id]`. */
export type DraftName = readonly string[]

const firstPrayerSchema = object({
  id: string(),
  form: object({ categoryId: string(), name: string(), note: string(), resolved: boolean() }),
})
const firstCategorySchema = object({ id: string(), name: string() })

/** Gives the drafts of a tab in which version 0.1.0 ran their present names, and those of prayers their present fields. */
function renameFirstDrafts(): void {
  for (const key of draftKeys('["')) {
    const isNew = key === draftKey('["prayer"]')
    const prayer = readStored(sessionStorage, key, firstPrayerSchema)
    const category = readStored(sessionStorage, key, firstCategorySchema)
    if (prayer) {
      const { categoryId: category_id, name: person_name, ...form } = prayer.form
      const name = isNew ? ['new-prayer', category_id, prayer.id] : ['prayer', prayer.id, prayer.id]
      saveDraft(name, { id: prayer.id, form: { category_id, person_name, ...form } })
    } else if (category) saveDraft(['new-category', category.id], category)
    sessionStorage.removeItem(key)
  }
}

/**
 * Reads a draft; undefined if there is none.
 *
 * @param schema of the draft: another version of the app may have written it
 */
export function readDraft<T>(name: DraftName, schema: GenericSchema<T>): T | undefined {
  renameFirstDrafts()
  return readStored(sessionStorage, draftKey(name.join('/')), schema)
}

/** Reads all drafts whose name begins with the given parts. */
export function readDrafts<T>(form: DraftName, schema: GenericSchema<T>): { name: DraftName; draft: T }[] {
  renameFirstDrafts()
  return draftKeys(`${form.join('/')}/`).flatMap((key) => {
    const name = key.slice(draftKey('').length).split('/')
    const draft = readDraft(name, schema)
    return draft === undefined ? [] : { name, draft }
  })
}

/** Saves a draft for this tab. It survives a reload, a crash, and a phone suspending the browser. */
export function saveDraft(name: DraftName, draft: unknown): void {
  try {
    sessionStorage.setItem(draftKey(name.join('/')), JSON.stringify(draft))
  } catch {
    // The storage is full. The form still has the text, and must be able to save it.
  }
}

export function deleteDraft(name: DraftName): void {
  sessionStorage.removeItem(draftKey(name.join('/')))
}

/** Deletes a draft unless another one has taken its place since. */
export function deleteSameDraft(name: DraftName, draft: unknown): void {
  if (sessionStorage.getItem(draftKey(name.join('/'))) === JSON.stringify(draft)) deleteDraft(name)
}
