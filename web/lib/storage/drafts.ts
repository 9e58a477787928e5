import type { GenericSchema } from 'valibot'
import { draftKey } from './draft-owner.ts'
import { readStored } from './store.ts'

/** Names a form and, as its last part, the row that it is about, for example `['prayer', id]`. */
export type DraftName = readonly string[]

export interface StoredDraft<T> {
  name: DraftName
  draft: T
}

/**
 * Reads all drafts whose name begins with the given parts.
 *
 * @param schema of a draft: another version of the app may have written it
 */
export function readDrafts<T>(form: DraftName, schema: GenericSchema<T>): StoredDraft<T>[] {
  const prefix = `${keyOf(form)}/`
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))
  return keys.flatMap((key) => {
    const draft = readStored(sessionStorage, key, schema)
    return draft === undefined ? [] : { name: key.slice(draftKey('').length).split('/'), draft }
  })
}

/** Saves a draft for this tab. It survives a reload, and a phone suspending the browser. */
export function saveDraft(name: DraftName, draft: unknown): void {
  sessionStorage.setItem(keyOf(name), JSON.stringify(draft))
}

export function deleteDraft(name: DraftName): void {
  sessionStorage.removeItem(keyOf(name))
}

function keyOf(name: DraftName): string {
  return draftKey(name.join('/'))
}
