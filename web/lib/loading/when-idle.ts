/** Runs a function when the browser is idle, or after four seconds at the latest. Returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const request = requestIdleCallback(run, { timeout: 4000 })
    return () => cancelIdleCallback(request)
  }
  // Safari has no requestIdleCallback.
  const timer = setTimeout(run, 1000)
  return () => clearTimeout(timer)
}
