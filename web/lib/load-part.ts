/**
 * Loads a part of the app that is needed now. A browser remembers for as long as a page lives that a part could not be
 * fetched, for example ahead of time while the server was away: where the server answers again, the page is loaded
 * again, once.
 *
 * @returns the part; rejects when it can't be had
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (failure) {
    if (wasLoadedAgain() || !(await serverAnswers())) throw failure
    location.reload()
    // This page ends here.
    return new Promise(() => {})
  }
}

function wasLoadedAgain(): boolean {
  const [page] = performance.getEntriesByType('navigation')
  return page instanceof PerformanceNavigationTiming && page.type === 'reload'
}

async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}
