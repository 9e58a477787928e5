import { PAGE_CACHE } from './app-shell.ts'
import { createStore } from '#web/lib/storage/store.ts'

/** Reloads the page with the newer version of the app that is ready; null if there is none. */
export const newVersion = createStore<(() => void) | null>(null)

/** Offers to reload the page, which never happens by itself while the user may be typing. */
export function offerReload(reload: () => void = () => location.reload()): void {
  newVersion.set(reload)
}

/** Loads the page again: from the server if it responds, past the copy that the service worker keeps. */
export async function reloadFromServer(): Promise<void> {
  if (await serverResponds()) await deletePageCopies().catch(() => undefined)
  location.reload()
}

let hasOffered = false

/**
 * Imports a chunk without which the page cannot go on. Some browsers remember a failed import until the next page load: once the server
 * responds, a reload is offered, once.
 */
export async function importOrOfferReload<T>(importChunk: () => Promise<T>): Promise<T> {
  try {
    return await importChunk()
  } catch (failure) {
    void offerOnce()
    throw failure
  }
}

async function offerOnce(): Promise<void> {
  if (!(await serverResponds()) || hasOffered) return
  hasOffered = true
  offerReload(() => void reloadFromServer())
}

/** Whether the page was opened by reloading it. */
export function wasReloaded(): boolean {
  const [page] = performance.getEntriesByType('navigation')
  return page instanceof PerformanceNavigationTiming && page.type === 'reload'
}

export async function serverResponds(): Promise<boolean> {
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}

async function deletePageCopies(): Promise<void> {
  // Browsers have no caches on plain http.
  if (!('caches' in globalThis)) return
  for (const name of await caches.keys()) {
    if (name.startsWith(PAGE_CACHE)) await caches.delete(name)
  }
}
