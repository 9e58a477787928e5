import { createStore } from './store.ts'

const KEY_PREFIX = 'intercede-draft:'

/** The id of the user whose drafts may be read; empty for guests. */
export const draftOwner = createStore('')

/** The key in session storage of what belongs to the current user. */
export function draftKey(name: string): string {
  return `${KEY_PREFIX}${draftOwner.get()}:${name}`
}

/** The keys of the current user's drafts whose names begin with `start`. */
export function draftKeys(start: string): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(draftKey(start)))
}

/** Deletes the drafts of every other user. Null when no one is signed in. */
export function setDraftOwner(userId: string | null): void {
  draftOwner.set(userId ?? '')
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(KEY_PREFIX) && (userId === null || !key.startsWith(draftKey('')))) {
      sessionStorage.removeItem(key)
    }
  }
}

/** Hides all drafts until someone signs in: the same user's are kept, since that user did not choose to sign out. */
export function hideDrafts(): void {
  draftOwner.set('')
}

/** Whether the user has any draft. */
export function hasDrafts(): boolean {
  return draftKeys('').length > 0
}
