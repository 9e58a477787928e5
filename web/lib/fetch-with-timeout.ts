/** How long a response may take, including its body, in milliseconds, unless the caller brings a signal of its own. */
export const TIMEOUT_MS = 20_000

/**
 * Likewise, for calls that transfer or change a whole account. Longer than the server takes at most: a minute to receive the file
 * (server/http/body-limits.ts), one to wait for other imports (server/rest/request-limits.ts), and 50 seconds to import it
 * (supabase/schemas/12_import_prayers.sql).
 */
export const TRANSFER_TIMEOUT_MS = 180_000

let handleUnauthorized: ((response: Response) => void) | null = null

/** Calls `handle` with a copy of every response with status 401. */
export function onUnauthorized(handle: (response: Response) => void): void {
  handleUnauthorized = handle
}

/**
 * `fetch` that fails with a `TimeoutError` if the response takes too long. On a connection that died silently, a save
 * then fails and can be retried, instead of waiting forever.
 */
export async function fetchWithTimeout(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const timeout = new AbortController()
  // Never cleared, since the body may still be loading; aborting a finished request has no effect.
  setTimeout(
    () => timeout.abort(new DOMException('The server did not respond in time.', 'TimeoutError')),
    TIMEOUT_MS,
  )
  const response = await fetch(input, { ...init, signal: init?.signal ?? timeout.signal })
  if (response.status === 401) handleUnauthorized?.(response.clone())
  return response
}
