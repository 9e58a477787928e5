/** What the page and the service worker agree on. Free of the DOM, because the worker has none. */

/** The service worker. */
export const WORKER_URL = '/sw.js'
/** A message from the page to a waiting worker: take over at once. */
export const TAKE_OVER = 'take-over'
/** A message from the worker to the pages: the browser has replaced the subscription to push messages. */
export const SUBSCRIPTION_CHANGED = 'subscription-changed'
/** The beginning of the names of the caches that hold the page, one for each build. */
export const PAGE_CACHE = 'intercede-page-'
/** Where other apps send what is shared with this one (`share_target` in the manifest). */
export const SHARE_PATH = '/share'
/** The cache that holds shared texts until the page takes them, each under a path of its own below this one. */
export const SHARED_TEXTS = '/intercede-shared-text'
/** The parameter of the dashboard's URL that opens the dialog for a new prayer. */
export const NEW_PRAYER = 'new-prayer'
