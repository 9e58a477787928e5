import type { BrowserContext, Page } from '@playwright/test'
import { openDashboard } from './second-visit.ts'
import { openSlowPage, SLOW_DOWN } from './slow-device.ts'

/** Events that take less are not reported by the browser. Milliseconds. */
const SHORTEST = 16
/** Records how long the slowest click or key took until the next paint. */
const WATCH_EVENTS = `
  window.slowestEvent = 0
  new PerformanceObserver((list) => {
    for (const event of list.getEntries()) {
      if (event.interactionId > 0) slowestEvent = Math.max(slowestEvent, event.duration)
    }
  }).observe({ type: 'event', durationThreshold: ${String(SHORTEST)} })`
/** Two frames and a moment later, everything that was painted has been reported. */
const READ_SLOWEST = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(slowestEvent), 20))))`

/** Words of few and of many prayers, beginnings of words, several words, and one that no prayer has. */
const QUERIES = ['person 12', 'lighter days', 'news number 7', 'ahead of 4', 'anna']

/** Milliseconds from each key of several queries until the next paint, in steps of 8, from the moment the search opens. */
export async function timeSearchKeys(device: BrowserContext, origin: string): Promise<number[]> {
  const { page } = await openSlowPage(device, { slowDown: SLOW_DOWN, watch: WATCH_EVENTS })
  await openDashboard(page, origin)
  const places = page.getByRole('navigation', { name: 'Places' })
  await places.getByRole('link', { name: 'Search', exact: true }).click()
  const field = page.getByRole('searchbox')
  const times: number[] = []
  for (const query of QUERIES) {
    await field.fill('')
    for (const character of query) {
      await page.evaluate('slowestEvent = 0')
      await page.keyboard.press(character === ' ' ? 'Space' : character)
      times.push(Math.max(SHORTEST, await page.evaluate<number>(READ_SLOWEST)))
    }
  }
  await page.close()
  return times
}

/**
 * Waits for the click on the dialog's main button. The dialog closes, and the new row appears, when the change is stored.
 * Resolves to the milliseconds from the click until the next frame has been painted.
 */
const WATCH_COMMIT = `window.commit = new Promise((resolve) =>
  addEventListener('click', ({ timeStamp }) => {
    const look = () => {
      const isDone = !document.querySelector('dialog[open]') && document.querySelector('main').textContent.includes(newName)
      if (isDone) setTimeout(() => resolve(performance.now() - timeStamp))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, { capture: true, once: true }))`

/** Adds a prayer to the first card. Resolves to the time from the click that saves it until it is stored, and shown. */
export async function timeCommit(page: Page, name: string): Promise<number> {
  await page.locator('main section').first().getByRole('button', { name: 'Add Prayer' }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.waitFor()
  await page.keyboard.type(name)
  await page.evaluate(`window.newName = ${JSON.stringify(name)}; ${WATCH_COMMIT}; undefined`)
  await dialog.locator('button[type=submit]').click()
  return await page.evaluate<number>('commit')
}
