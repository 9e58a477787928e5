import { boolean, type GenericSchema, object, string } from 'valibot'
import { createStore, readStored } from './store.ts'

const KEY_PREFIX = 'intercede-draft:'

/** Names a form and, as its last part, the row that it is about, for example `['prayer', id]`. */
export type DraftName = readonly string[]

/** The id of the user whose drafts may be read; empty for guests. */
const owner = createStore('')

/** Deletes the drafts of every other user. Null when no one is signed in. */
export function setDraftOwner(userId: string | null): void {
  owner.set(userId ?? '')
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(KEY_PREFIX) && (userId === null || !key.startsWith(keyOf([])))) {
      sessionStorage.removeItem(key)
    }
  }
  if (userId !== null) renameFirstDrafts()
}

const firstPrayerSchema = object({
  id: string(),
  form: object({ categoryId: string(), name: string(), note: string(), resolved: boolean() }),
})
const firstCategorySchema = object({ id: string(), name: string() })

/** Gives the drafts of a tab in which version 0.1.0 ran their present names, and those of prayers their present fields. */
function renameFirstDrafts(): void {
  const prefix = keyOf(['["'])
  for (const key of Object.keys(sessionStorage)) {
    if (!key.startsWith(prefix)) continue
    const isNew = key === keyOf(['["prayer"]'])
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

/** Hides all drafts until someone signs in: the same user's are kept, since that user did not choose to sign out. */
export function hideDrafts(): void {
  owner.set('')
}

/** Whether the user has any draft. */
export function hasDrafts(): boolean {
  return Object.keys(sessionStorage).some((key) => key.startsWith(keyOf([])))
}

/**
 * Reads a draft; undefined if there is none.
 *
 * @param schema of the draft: another version of the app may have written it
 */
export function readDraft<T>(name: DraftName, schema: GenericSchema<T>): T | undefined {
  return readStored(sessionStorage, keyOf(name), schema)
}

/** Reads all drafts whose name begins with the given parts. */
export function readDrafts<T>(form: DraftName, schema: GenericSchema<T>): { name: DraftName; draft: T }[] {
  const prefix = `${keyOf(form)}/`
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))
  return keys.flatMap((key) => {
    const name = key.slice(keyOf([]).length).split('/')
    const draft = readDraft(name, schema)
    return draft === undefined ? [] : { name, draft }
  })
}

/** Saves a draft for this tab. It survives a reload, a crash, and a phone suspending the browser. */
export function saveDraft(name: DraftName, draft: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(draft))
  } catch {
    // The storage is full. The form still has the text, and must be able to save it.
  }
}

export function deleteDraft(name: DraftName): void {
  sessionStorage.removeItem(keyOf(name))
}

/** The key in session storage of a draft of the current user. */
function keyOf(name: DraftName): string {
  return `${KEY_PREFIX}${owner.get()}:${name.join('/')}`
}
