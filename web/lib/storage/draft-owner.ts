import { createStore } from './store.ts'

const KEY_PREFIX = 'intercede-draft:'

/** The id of the user whose drafts may be read; empty for guests. */
const owner = createStore('')
const openDrafts = new Set<() => void>()

/** Deletes the drafts of every other user. Null when no one is signed in. */
export function setDraftOwner(userId: string | null): void {
  owner.set(userId ?? '')
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(KEY_PREFIX) && (userId === null || !key.startsWith(draftKey('')))) {
      sessionStorage.removeItem(key)
    }
  }
}

/**
 * Hides all drafts until someone signs in: the same user's are kept, since that user did not choose to sign out. So is the
 * text of dialogs that are open.
 */
export function hideDrafts(): void {
  for (const keep of openDrafts) keep()
  owner.set('')
}

/** Has the text of an open dialog saved when drafts are hidden. Returns a function that stops this. */
export function keepWhenHidden(keep: () => void): () => void {
  openDrafts.add(keep)
  return () => void openDrafts.delete(keep)
}

/** The key in session storage of a draft of the current user. */
export function draftKey(name: string): string {
  return `${KEY_PREFIX}${owner.get()}:${name}`
}
