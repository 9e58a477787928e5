import { literal } from 'valibot'
import { createStoredValue, type Store } from '#web/lib/storage/store.ts'
import { deleteUserItems } from '#web/lib/storage/user-items.ts'
import { deleteDatabase, forgetRows } from './database.ts'
import { databaseRegistry as registry, type KeptData, keptData } from './database-registry.ts'
import { forgetAsked } from './sealing/remembered.ts'

/** How long anything of a user who is not signed in any more is kept, in milliseconds. */
const KEEPING_MS = 30 * 24 * 60 * 60 * 1000
/** The time of a database that is being deleted; if that fails, it is tried again. */
const DELETED = 0

function register(userId: string, deletableFrom: number | null): void {
  registry.set({ ...registry.get(), [userId]: deletableFrom })
}

function unregister(userId: string): void {
  const { [userId]: _removed, ...others } = registry.get() ?? {}
  registry.set(Object.keys(others).length > 0 ? others : null)
}

const keepNothingSwitch = createStoredValue('intercede-keep-nothing', literal(true), () => localStorage)

/** True while "Keep nothing on this device" is on, otherwise null. Survives signing out. */
export const keepNothing: Pick<Store<true | null>, 'get' | 'subscribe'> = keepNothingSwitch

/** Has to be called before a database is opened. Rejects if the user must not have one in this browser. */
export async function registerDatabase(userId: string): Promise<void> {
  if (typeof indexedDB === 'undefined') throw new Error('This browser has no IndexedDB.')
  if (registry.get()?.[userId] === DELETED) {
    await deleteDatabase(userId)
    unregister(userId)
  }
  if (keepNothing.get()) throw new Error('Nothing is kept on this device.')
  register(userId, null)
}

/**
 * Deletes everything of a user from this device: for signing out, and after the account was deleted. The user's `Sync`
 * should be closed before. Never rejects: if the browser cannot delete it now, that happens at a later start.
 */
export async function wipe(userId: string): Promise<void> {
  deleteItems(userId)
  // All tabs may do this when the user signs out: those that come late find nothing to delete.
  if (registry.get()?.[userId] !== undefined) await deleteRegistered(userId)
}

function deleteItems(userId: string): void {
  deleteUserItems(userId)
  forgetAsked(userId)
}

async function deleteRegistered(userId: string): Promise<void> {
  register(userId, DELETED)
  try {
    await deleteDatabase(userId)
    unregister(userId)
  } catch {
    // It is still registered.
  }
}

/**
 * Deletes the rows of all users except the one who is signed in, if anyone is, and the hidden one. Their unsaved changes, and
 * everything of the hidden one, stay for 30 days. To be called at every start, when the session has ended, when somebody
 * else has signed in, and when the data of a user was deleted. Never rejects.
 *
 * @param hiddenUserId whose session the server has lost, so that this may be the only copy of what else it has lost, or who has signed out
 *   without the code of two-factor sign-in
 */
export async function forgetOthers(
  signedInUserId: string | null,
  hiddenUserId: string | null = null,
): Promise<void> {
  let kept: KeptData | null = null
  for (const userId of Object.keys(registry.get() ?? {})) {
    if (userId === signedInUserId) continue
    const left = await forgetUser(userId, userId === hiddenUserId)
    if (kept !== 'everything') kept = left ?? kept
  }
  keptData.set(kept)
}

/** Resolves to what is kept. */
async function forgetUser(userId: string, isHidden: boolean): Promise<KeptData | null> {
  if (!isDeletable(userId)) {
    register(userId, registry.get()?.[userId] ?? Date.now() + KEEPING_MS)
    if (isHidden) return 'everything'
    // A database that cannot be opened at present stays until a later start.
    const count = await forgetRows(userId).catch(() => null)
    if (count !== 0) return count === null ? null : 'unsaved-changes'
    const hasSignedInMeanwhile = registry.get()?.[userId] === null
    if (hasSignedInMeanwhile) return null
  }
  deleteItems(userId)
  // Also if another tab has deleted it meanwhile: forgetting its rows may have created it again.
  await deleteRegistered(userId)
  return null
}

/** Deletes what is kept of users who are not signed in. Never rejects. */
export async function discardKept(): Promise<void> {
  for (const [userId, deletableFrom] of Object.entries(registry.get() ?? {})) {
    if (deletableFrom !== null) await wipe(userId)
  }
  keptData.set(null)
}

/**
 * Turns "Keep nothing on this device" on, which deletes the data of every user, or off. Before turning it on, changes must
 * have been sent, or the user must have agreed to lose them. What is open already stays open: in memory once it was deleted;
 * after turning it off, in memory until the app starts again.
 */
export async function setKeepNothing(isOn: boolean): Promise<void> {
  keepNothingSwitch.set(isOn ? true : null)
  if (!isOn) return
  for (const userId of Object.keys(registry.get() ?? {})) await wipe(userId)
  keptData.set(null)
}

function isDeletable(userId: string): boolean {
  const deletableFrom = registry.get()?.[userId] ?? null
  return deletableFrom !== null && deletableFrom <= Date.now()
}
