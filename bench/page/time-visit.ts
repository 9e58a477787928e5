import type { Browser, BrowserContextOptions } from '@playwright/test'

/** What somebody with a slow device sees of a visit. */
export interface Timing {
  /** Milliseconds until the first text or picture, and until the last change of the largest one. */
  firstPaint: number
  largestPaint: number
  /** Cumulative layout shift. */
  shift: number
  /** Milliseconds of the longest task after the page was loaded; 0 when none took 50. */
  longestTask: number
}

/** As Lighthouse does for a telephone of the middle class. */
const SLOW_DOWN = 4

const WATCH = `
  window.visitSeen = { shift: 0, largestPaint: 0, tasks: [] }
  const watch = (type, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true })
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) visitSeen.shift += entry.value })
  watch('largest-contentful-paint', (entry) => { visitSeen.largestPaint = entry.startTime })
  watch('longtask', (entry) => visitSeen.tasks.push({ start: entry.startTime, duration: entry.duration }))`
/** Everything has been painted, and reported, two frames and a moment of rest later. */
const SETTLED = `document.fonts.ready.then(() => new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve())))))`
const READ = `(() => {
  const [page] = performance.getEntriesByType('navigation')
  const [first] = performance.getEntriesByName('first-contentful-paint')
  const late = visitSeen.tasks.filter((task) => task.start >= page.loadEventEnd)
  return {
    firstPaint: first.startTime,
    largestPaint: visitSeen.largestPaint,
    shift: visitSeen.shift,
    longestTask: Math.max(0, ...late.map((task) => task.duration)),
  }
})()`

/** Opens an address in a browser context of its own, with an empty cache, until `usable` is there. */
export async function timeVisit(
  browser: Browser,
  url: string,
  usable: string,
  options: BrowserContextOptions,
): Promise<Timing> {
  const context = await browser.newContext({ ...options, viewport: { width: 412, height: 823 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
    await page.addInitScript({ content: WATCH })
    await page.goto(url)
    await page.locator(usable).first().waitFor()
    await page.evaluate(SETTLED)
    return await page.evaluate<Timing>(READ)
  } finally {
    await context.close()
  }
}
