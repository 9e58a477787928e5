import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionState } from '#web/lib/session/session.ts'
import { createStore } from '#web/lib/storage/store.ts'

const session = createStore<{ status: string; user?: { id: string } }>({ status: 'guest' })
const deletions: ((userId: string) => Promise<void>)[] = []

function signIn(id: string): void {
  session.set({ status: 'signed-in' satisfies SessionState['status'], user: { id } })
}

/** Loads the page with what was shared, which the service worker has stored. */
async function load(...shared: string[]) {
  const entries = new Map(shared.map((text, index) => [`/text/${index}`, text]))
  const cache = {
    keys: async () => [...entries.keys()],
    match: async (key: string) => new Response(entries.get(key)),
    delete: async (key: string) => entries.delete(key),
  }
  vi.stubGlobal('caches', { open: async () => cache })
  history.replaceState(null, '', '/dashboard?new-prayer&other=1#hash')
  const module = await import('./requested-prayer.ts')
  const texts = () => module.sharedTexts.get()?.map(({ text }) => text) ?? []
  return { ...module, texts, entries, cache }
}

async function openWith(...shared: string[]) {
  const loaded = await load(...shared)
  await loaded.startRequestedPrayer()
  expect(loaded.entries.size).toBe(0)
  return loaded
}

const openWithRequest = async () => (await openWith()).requestedPrayer

beforeEach(() => {
  session.set({ status: 'guest' })
  vi.resetModules()
  vi.doMock('#web/lib/session/session.ts', () => ({
    session,
    deleteOnSignOut: (deletion: () => Promise<void>) => deletions.push(deletion),
  }))
})

afterEach(() => {
  history.replaceState(null, '', '/')
  sessionStorage.clear()
  vi.unstubAllGlobals()
  vi.doUnmock('#web/lib/session/session.ts')
  vi.resetModules()
})

it('takes only its own parameter out of the URL', async () => {
  await openWithRequest()
  expect(location.pathname + location.search + location.hash).toBe('/dashboard?other=1#hash')
})

it('is kept through sign-in, and while the session of the same user has expired', async () => {
  const request = await openWithRequest()
  signIn('anna')
  session.set({ status: 'guest' })
  signIn('anna')
  expect(request.get()).toMatchObject({ userId: 'anna' })
})

it('is not shown to another user', async () => {
  signIn('anna')
  const request = await openWithRequest()
  expect(request.get()).not.toBeNull()
  signIn('ben')
  expect(request.get()).toBeNull()
})

it('is deleted at sign-out', async () => {
  signIn('anna')
  const request = await openWithRequest()
  await deletions.at(-1)?.('anna')
  expect(request.get()).toBeNull()
  expect(JSON.stringify(sessionStorage)).not.toContain('userId')
})

describe('shared texts', () => {
  it('are kept, each once, through sign-in and reloads, until each is used or discarded', async () => {
    await openWith('For Ruth')
    signIn('anna')
    vi.resetModules()
    const { texts, forgetSharedText, requestedPrayer } = await openWith('For Boaz', 'For Ruth')
    expect(texts()).toEqual(['For Ruth', 'For Boaz'])
    requestedPrayer.set(null)
    forgetSharedText('For Ruth')
    expect(texts()).toEqual(['For Boaz'])
    forgetSharedText('For Boaz')
    expect(sessionStorage.getItem('intercede-shared-texts')).toBeNull()
  })

  it('are not lost if the page is left while they are being taken', async () => {
    const { startRequestedPrayer, cache } = await load('For Ruth')
    const remove = vi.spyOn(cache, 'delete').mockReturnValue(new Promise(() => {}))
    void startRequestedPrayer()
    await vi.waitFor(() => expect(remove).toHaveBeenCalled())
    expect(sessionStorage.getItem('intercede-shared-texts')).toContain('For Ruth')
    expect(sessionStorage.getItem('intercede-requested-prayer')).not.toBeNull()
  })

  it('are those of the user who signs in next, and of no one else', async () => {
    signIn('anna')
    await openWith('For Ruth')
    session.set({ status: 'guest' })
    const { texts } = await openWith('For Boaz')
    signIn('ben')
    expect(texts()).toEqual(['For Boaz'])
    expect(JSON.stringify(sessionStorage)).not.toContain('Ruth')
  })

  it('are not those of someone whose session had ended before the page was loaded again', async () => {
    signIn('anna')
    await openWith('For Ruth')
    vi.resetModules()
    const { requestedPrayer, sharedTexts, startRequestedPrayer } = await import('./requested-prayer.ts')
    await startRequestedPrayer()
    signIn('ben')
    expect([requestedPrayer.get(), sharedTexts.get()]).toEqual([null, null])
  })

  it('are deleted at sign-out', async () => {
    signIn('anna')
    const { texts } = await openWith('For Ruth')
    await deletions.at(-1)?.('anna')
    expect(texts()).toEqual([])
    expect(JSON.stringify(sessionStorage)).not.toContain('Ruth')
  })

  it('are kept if an earlier sign-out is completed while they are being taken', async () => {
    signIn('anna')
    await openWith('For Ruth')
    session.set({ status: 'guest' })
    vi.resetModules()
    const { texts, startRequestedPrayer, cache } = await load('For Boaz')
    const { match } = cache
    let read = () => {}
    const mayRead = new Promise<void>((resolve) => (read = resolve))
    vi.spyOn(cache, 'match').mockImplementationOnce((key) => mayRead.then(() => match(key)))
    const taken = startRequestedPrayer()
    const deleted = deletions.at(-1)?.('anna')
    // As much as the deletion does without waiting for what is being taken.
    await new Promise((resolve) => setTimeout(resolve))
    read()
    await Promise.all([taken, deleted])
    expect(texts()).toEqual(['For Boaz'])
  })
})
