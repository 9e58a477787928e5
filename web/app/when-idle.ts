/** Runs something when the browser has nothing better to do. Returns how to call it off. */
export function whenIdle(run: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const request = requestIdleCallback(run, { timeout: 4000 })
    return () => cancelIdleCallback(request)
  }
  const timer = setTimeout(run, 1000)
  return () => clearTimeout(timer)
}
