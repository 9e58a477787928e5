import type { Locks } from '#web/sync/open-sync.ts'

/**
 * The Web Locks of one browser, for Node.js, which has none before version 24. They follow https://w3c.github.io/web-locks/,
 * as far as the app uses it: exclusive locks, granted in the order of the requests, and signals that give up waiting.
 */
export interface BrowserLocks {
  /** What `navigator.locks` is in one tab. */
  of: (tab: object) => Locks
  /** Whether the tab waits for a lock that another one holds. */
  isWaiting: (tab: object) => boolean
  /** The tab was killed: its locks are free, and its requests forgotten. */
  release: (tab: object) => void
}

interface LockRequest {
  tab: object
  name: string
  isGranted: boolean
  /** Runs the callback. */
  run: () => void
}

export function createLocks(): BrowserLocks {
  /** In the order of their arrival: the first one of each name has the lock. */
  let requests: readonly LockRequest[] = []

  const grant = (name: string) => {
    const first = requests.find((request) => request.name === name)
    if (!first || first.isGranted) return
    first.isGranted = true
    setImmediate(first.run)
  }
  const leave = (request: LockRequest) => {
    requests = requests.filter((each) => each !== request)
    grant(request.name)
  }
  return {
    of: (tab) => ({
      request: (name, { signal }, callback) =>
        new Promise((resolve, reject) => {
          signal.throwIfAborted()
          const abort = () => {
            leave(request)
            // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- As the standard says.
            reject(signal.reason)
          }
          const run = () => {
            // It was aborted, or the tab killed, just after the lock was granted.
            if (!requests.includes(request)) return
            signal.removeEventListener('abort', abort)
            callback()
              .finally(() => leave(request))
              .then(resolve, reject)
          }
          const request: LockRequest = { tab, name, isGranted: false, run }
          signal.addEventListener('abort', abort)
          requests = [...requests, request]
          grant(name)
        }),
    }),
    isWaiting: (tab) => requests.some((request) => request.tab === tab && !request.isGranted),
    release: (tab) => {
      for (const request of requests.filter((each) => each.tab === tab)) leave(request)
    },
  }
}
