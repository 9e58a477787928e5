import { array, type InferOutput, nullable, object, string } from 'valibot'
import { NEW_PRAYER, SHARED_TEXTS } from '#web/lib/loading/app-shell.ts'
import { newId } from '#web/lib/new-id.ts'
import { deleteOnSignOut, session } from '#web/lib/session/session.ts'
import { createStoredValue } from '#web/lib/storage/store.ts'

const requestedPrayerSchema = object({
  /** Of the request. The prayer gets an id of its own in each page: tabs can be duplicated. */
  id: string(),
  /** Whose it is; null until someone signs in. */
  userId: nullable(string()),
})
export type RequestedPrayer = InferOutput<typeof requestedPrayerSchema>

/**
 * A new prayer that was requested by a shortcut (of the app's icon, or a key) or by sharing a text with the app; null if
 * there is none. Kept for this tab, through sign-in, until the dialog for it is closed or the user signs out.
 */
export const requestedPrayer = createStoredValue('intercede-requested-prayer', requestedPrayerSchema)

/** A text that was shared with the app. */
const sharedTextSchema = object({
  text: string(),
  /** Whose it is; null until someone signs in. */
  userId: nullable(string()),
})

/**
 * Texts that were shared with the app, the oldest first; null if there are none. Kept for this tab, through sign-in, until each is
 * used or discarded or the user signs out. Any website can share: nothing happens to a text unless the user wants it.
 */
export const sharedTexts = createStoredValue('intercede-shared-texts', array(sharedTextSchema))

/**
 * Takes the request that the page was opened with out of the URL, and what was shared out of the service worker's hands. From then
 * on, they follow who is signed in. Call it before `startSession`.
 *
 * @returns resolves when everything is taken. Never rejects.
 */
export function startRequestedPrayer(): Promise<void> {
  session.subscribe(bindToUser)
  const isRequested = new URLSearchParams(location.search).has(NEW_PRAYER)
  const taken = isRequested ? takeRequestedPrayer().catch(() => undefined) : Promise.resolve()
  deleteOnSignOut(async () => {
    requestedPrayer.set(null)
    sharedTexts.set(null)
    // What this page was opened with is newer than a sign-out that is completed at the start, so it is kept.
    await taken
    // A page that was closed too early has not taken them.
    await (await readSharedTexts()).remove()
  })
  return taken
}

async function takeRequestedPrayer(): Promise<void> {
  const query = new URLSearchParams(location.search)
  query.delete(NEW_PRAYER)
  const search = query.size > 0 ? `?${query.toString()}` : ''
  history.replaceState(history.state, '', location.pathname + search + location.hash)
  const { texts, remove } = await readSharedTexts().catch(() => NO_TEXTS)
  if (texts.length > 0) {
    const earlier = sharedTexts.get() ?? []
    const added = texts.filter((text) => !earlier.some((shared) => shared.text === text))
    sharedTexts.set([...earlier, ...added.map((text) => ({ text, userId: null }))])
  }
  requestPrayer()
  // Last: if the page is left before, the next one takes them.
  await remove()
}

/** Requests a new prayer from any screen. */
export function requestPrayer(): void {
  requestedPrayer.set({ id: newId(), userId: null })
  bindToUser()
}

/** Forgets a shared text that was used or discarded. */
export function forgetSharedText(text: string): void {
  const left = (sharedTexts.get() ?? []).filter((shared) => shared.text !== text)
  sharedTexts.set(left.length > 0 ? left : null)
}

/** What waits in the service worker's cache. */
interface WaitingTexts {
  texts: readonly string[]
  remove: () => Promise<void>
}

const NO_TEXTS: WaitingTexts = { texts: [], remove: async () => {} }

async function readSharedTexts(): Promise<WaitingTexts> {
  if (!('caches' in globalThis)) return NO_TEXTS
  const cache = await caches.open(SHARED_TEXTS)
  const keys = await cache.keys()
  const texts: string[] = []
  for (const key of keys) {
    const shared = await cache.match(key)
    if (shared) texts.push(await shared.text())
  }
  return {
    texts: texts.filter((text) => text !== ''),
    remove: async () => {
      for (const key of keys) await cache.delete(key)
    },
  }
}

/** Lets only the user who made the request see it, and what was shared. */
function bindToUser(): void {
  const state = session.get()
  if (state.status !== 'signed-in') return
  const userId = state.user.id
  const isOwn = (item: { userId: string | null }) => item.userId === null || item.userId === userId
  const request = requestedPrayer.get()
  if (request) requestedPrayer.set(isOwn(request) ? { ...request, userId } : null)
  const own = sharedTexts.get()?.filter(isOwn) ?? []
  sharedTexts.set(own.length > 0 ? own.map(({ text }) => ({ text, userId })) : null)
}
