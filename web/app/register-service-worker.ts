import { TAKE_OVER, WORKER_URL } from '#web/lib/loading/app-shell.ts'
import { offerReload, reloadFromServer } from '#web/lib/loading/reload.ts'

/** How often a page that stays open looks for a new version, in milliseconds. */
const UPDATE_INTERVAL_MS = 60 * 60 * 1000

/** How long a waiting version may take to take over, in milliseconds. */
const MAX_TAKE_OVER_MS = 5000

/**
 * Registers the service worker, and offers new versions. Rejects if the browser blocks or fails to install it; everything else works
 * without it.
 */
export async function registerServiceWorker(worker: ServiceWorkerContainer): Promise<void> {
  // Another tab may start the new version, and with it the worker of this one.
  if (worker.controller) worker.addEventListener('controllerchange', () => offerReload())
  // A worker that controls the page looks for new versions by itself. Registering it again would restore one that has
  // just removed itself.
  const registration = worker.controller
    ? await worker.getRegistration()
    : await worker.register(WORKER_URL, { updateViaCache: 'none' })
  if (!registration) return
  const offerIfWaiting = () => {
    if (registration.waiting && worker.controller) offerReload(() => takeOver(worker, registration))
  }
  const watchInstalling = () => registration.installing?.addEventListener('statechange', offerIfWaiting)
  offerIfWaiting()
  // The browser may have found a new version before this code was loaded.
  watchInstalling()
  registration.addEventListener('updatefound', watchInstalling)
  let checkedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < UPDATE_INTERVAL_MS) return
    checkedAt = Date.now()
    registration.update().catch(() => undefined)
  })
}

/** Lets the waiting version take over, then reloads the page. */
function takeOver(worker: ServiceWorkerContainer, { waiting }: ServiceWorkerRegistration): void {
  if (waiting === null) return location.reload()
  // Chromium lets it wait for minutes if the page requests something from the former worker at that moment.
  const timer = setTimeout(() => void reloadFromServer(), MAX_TAKE_OVER_MS)
  const reload = () => {
    clearTimeout(timer)
    location.reload()
  }
  worker.addEventListener('controllerchange', reload, { once: true })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have one
  waiting.postMessage(TAKE_OVER)
}
