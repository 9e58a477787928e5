import type { Page } from '@playwright/test'

/** The browser reports no event that took less, in milliseconds, until its outcome was painted. */
const SHORTEST = 16

/** Run it in the page before the product: it keeps how long the slowest press or key took until the next paint. */
export const WATCH_EVENTS = `
  window.slowestEvent = 0
  new PerformanceObserver((list) => {
    for (const event of list.getEntries()) {
      if (event.interactionId > 0) slowestEvent = Math.max(slowestEvent, event.duration)
    }
  }).observe({ type: 'event', durationThreshold: ${String(SHORTEST)} })`
const FORGET = 'slowestEvent = 0'
/** Whatever was painted has been reported two frames and a moment later. */
const REPORTED = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(slowestEvent), 20))))`

/** Milliseconds from the slowest press or key of `act` until what it did was painted, in steps of 8. */
export async function nextPaint(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(FORGET)
  await act()
  return Math.max(SHORTEST, await page.evaluate<number>(REPORTED))
}
