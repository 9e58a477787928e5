import { addPlugins, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { SHARE_PATH, SHARED_TEXTS, NEW_PRAYER, TAKE_OVER, WORKER_URL } from '#web/lib/loading/app-shell.ts'
import { DASHBOARD, opensOffline } from '#web/lib/navigation/routes.ts'
import { type Build, PageCopy } from './page-copy.ts'
import { answerClick, passOnNewSubscription, showReminder } from './reminder-notifications.ts'

declare const self: ServiceWorkerGlobalScope
/** Filled in by the build (web/build/service-worker-plugin.ts). */
declare const BUILD: Build

/** Statuses of a release that has no worker. */
const REMOVED = new Set([404, 410])

const pageCopy = new PageCopy(BUILD)

// A web host may respond with the page to a path that it does not know.
addPlugins([
  {
    cacheWillUpdate: async ({ response }: { response: Response }) =>
      response.ok && !isHtml(response) ? response : null,
  },
])
precacheAndRoute(
  BUILD.files.map((url) => ({ url, revision: null })),
  { directoryIndex: '', cleanURLs: false },
)
registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && opensOffline(url.pathname),
  async ({ event, request }) => {
    event.waitUntil(revalidate())
    return respondWithPage(request)
  },
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === SHARE_PATH,
  async ({ request }) => receiveShare(request),
  'POST',
)

self.addEventListener('install', (event) => event.waitUntil(storePage()))
self.addEventListener('activate', (event) => {
  // Pages that were opened before the first installation can then load the rest of the app without the network.
  event.waitUntil(Promise.all([pageCopy.deleteOthers(), self.clients.claim()]))
  void restorePage()
})
self.addEventListener('message', (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(self.skipWaiting())
})
self.addEventListener('push', (event) => event.waitUntil(showReminder(event.data)))
self.addEventListener('notificationclick', (event) => event.waitUntil(answerClick(event)))
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(passOnNewSubscription()))

/** Rejects, so that the browser tries again later, if the server sends the page of another release. */
async function storePage(): Promise<void> {
  if (!(await pageCopy.update())) throw new Error('The page does not belong to this release.')
}

/** While this worker was waiting, a page may have removed all copies to get past the former one. */
async function restorePage(): Promise<void> {
  try {
    if ((await pageCopy.read()) === null) await pageCopy.update()
  } catch {
    // Without a network, the next start with one stores it.
  }
}

/** The stored page; or the server's, if there is none or a file is missing that it starts with. */
async function respondWithPage(request: Request): Promise<Response> {
  const copy = await pageCopy.read()
  if (copy === null) return fetch(request)
  const found = await Promise.all(copy.files.map((file) => matchPrecache(file)))
  return found.every((file) => file !== undefined) ? copy.page : fetch(request).catch(() => copy.page)
}

/** Brings the page up to date for the next start. Removes this worker if the server has a release without one. */
async function revalidate(): Promise<void> {
  try {
    if (await isRemoved()) await remove()
    else await pageCopy.update()
  } catch {
    // Without a network, everything stays as it is.
  }
}

async function isRemoved(): Promise<boolean> {
  const worker = await fetch(WORKER_URL, { method: 'HEAD', cache: 'no-store' })
  return REMOVED.has(worker.status) || (worker.ok && isHtml(worker))
}

/** Leaves the built files to the page that is loading them. They are removed by the next worker, or by the browser. */
async function remove(): Promise<void> {
  await self.registration.unregister()
  await pageCopy.delete()
}

function isHtml(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/html') ?? false
}

/** Keeps what another app shares until the page takes it, and opens the page. The text never appears in a URL. */
async function receiveShare(request: Request): Promise<Response> {
  const form = await request.formData()
  const parts = ['title', 'text', 'url'].flatMap((name) => {
    const part = form.get(name)
    return typeof part === 'string' && part.trim() !== '' ? part.trim() : []
  })
  if (parts.length > 0) {
    const cache = await caches.open(SHARED_TEXTS)
    await cache.put(`${SHARED_TEXTS}/${crypto.randomUUID()}`, new Response(parts.join('\n')))
  }
  return Response.redirect(`${DASHBOARD}?${NEW_PRAYER}`, 303)
}
