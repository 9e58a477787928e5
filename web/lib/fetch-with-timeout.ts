/** How long a call may go without its whole answer, in milliseconds. */
export const PATIENCE_MS = 20_000

/**
 * `fetch`, but it fails with a `TimeoutError` when the answer takes too long: what is being saved then says that it
 * failed and can be tried again, instead of waiting for ever on a connection that has died without a word.
 */
export function fetchWithTimeout(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const patience = new AbortController()
  // Never cleared, since the body may still be on its way; to a call that has ended it means nothing.
  setTimeout(
    () => patience.abort(new DOMException('The server did not answer in time.', 'TimeoutError')),
    PATIENCE_MS,
  )
  return fetch(input, { ...init, signal: patience.signal })
}
