const STORAGE_KEY = 'intercede-deep-link'

/** Remembers, for this tab, the page that a guest had asked for. */
export function keepDeepLink(path: string): void {
  sessionStorage.setItem(STORAGE_KEY, path)
}

/** The page to open after signing in, if a guest had asked for one. */
export function keptDeepLink(): string | null {
  return sessionStorage.getItem(STORAGE_KEY)
}

/** Forgets it: the page is open, or the one who asked for it has gone. */
export function forgetDeepLink(): void {
  sessionStorage.removeItem(STORAGE_KEY)
}
