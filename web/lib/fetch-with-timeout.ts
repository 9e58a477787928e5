import { handleRejectedKey } from './rejected-key.ts'

/** How long a response may take, including its body, in milliseconds. */
export const TIMEOUT_MS = 20_000

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
  const response = await fetch(input, { ...init, signal: timeout.signal })
  handleRejectedKey(response).catch(() => undefined)
  return response
}
