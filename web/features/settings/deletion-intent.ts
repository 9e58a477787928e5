const STORAGE_KEY = 'intercede-deletion'

/** Remembers, for this tab, whose account is to be deleted, while that person is on the way to X and back. */
export function keepDeletionIntent(userId: string): void {
  sessionStorage.setItem(STORAGE_KEY, userId)
}

/** Whether it is this person's account that was to be deleted: somebody else may have come back. */
export function isDeletionIntendedBy(userId: string): boolean {
  return sessionStorage.getItem(STORAGE_KEY) === userId
}

export function forgetDeletionIntent(): void {
  sessionStorage.removeItem(STORAGE_KEY)
}
