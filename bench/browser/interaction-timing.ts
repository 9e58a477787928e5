import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test'
import { SLOW_DOWN, withDevice } from './slow-device.ts'
import { openStoredDashboard } from './visit-timing.ts'

/** Events that take less are not reported by the browser. Milliseconds. */
const SHORTEST = 16
/** Records how long the slowest click or key took until the next paint. */
export const WATCH_EVENTS = `
  window.slowestEvent = 0
  new PerformanceObserver((list) => {
    for (const event of list.getEntries()) {
      if (event.interactionId > 0) slowestEvent = Math.max(slowestEvent, event.duration)
    }
  }).observe({ type: 'event', durationThreshold: ${String(SHORTEST)} })`
/** Two frames and a moment later, everything that was painted has been reported. */
const READ_SLOWEST = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(slowestEvent), 20))))`

/** Milliseconds from the slowest click or key of `act` until the next paint, in steps of 8. */
export async function nextPaint(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate('slowestEvent = 0')
  await act()
  return Math.max(SHORTEST, await page.evaluate<number>(READ_SLOWEST))
}

/** The times until the next paint of every click and key of these actions. */
export type ActionTimes = Record<'add' | 'edit' | 'resolve' | 'toggle' | 'reorder', number[]>

/** Performs each action `rounds` times on the full dashboard, alternating between the first cards. */
export async function timeActions(
  browser: Browser,
  origin: string,
  context: BrowserContextOptions,
  rounds: number,
): Promise<ActionTimes> {
  const times: ActionTimes = { add: [], edit: [], resolve: [], toggle: [], reorder: [] }
  await withDevice(browser, { context, slowDown: SLOW_DOWN, watch: WATCH_EVENTS }, async ({ page }) => {
    await openStoredDashboard(page, origin)
    for (let round = 0; round < rounds; round += 1) {
      const card = page.locator('main section').nth(round % 3)
      const first = card.locator('li').first()
      const addButton = card.getByRole('button', { name: 'Add Prayer' })
      await addButton.scrollIntoViewIfNeeded()
      times.add.push(...(await fillDialog(page, addButton)))
      times.edit.push(...(await fillDialog(page, first.getByTitle('Edit prayer'))))
      times.resolve.push(await nextPaint(page, () => first.getByTitle('Mark as resolved').click()))
      const toggle = card.getByRole('button', { name: /Resolved \(/ })
      times.toggle.push(await nextPaint(page, () => toggle.click()))
      times.toggle.push(await nextPaint(page, () => toggle.click()))
    }
    await page.getByRole('link', { name: 'Manage Categories' }).click()
    await page.getByRole('button', { name: 'Reorder', exact: true }).click()
    for (let round = 0; round < rounds; round += 1) {
      const down = page.getByRole('button', { name: 'Move down' }).nth(round % 5)
      times.reorder.push(await nextPaint(page, () => down.click()))
    }
  })
  return times
}

/** Opens the dialog, types a letter into the name field, which has the focus, and saves. */
async function fillDialog(page: Page, opener: Locator): Promise<number[]> {
  const dialog = page.locator('dialog[open]')
  const times = [await nextPaint(page, () => opener.click())]
  await dialog.waitFor()
  times.push(await nextPaint(page, () => page.keyboard.press('e')))
  times.push(await nextPaint(page, () => page.keyboard.press('Enter')))
  await dialog.waitFor({ state: 'hidden' })
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

/** The times from the click that saves a new prayer of the full dashboard until it is stored on the device, and shown. */
export async function timeCommits(
  browser: Browser,
  origin: string,
  context: BrowserContextOptions,
  rounds: number,
): Promise<number[]> {
  return await withDevice(browser, { context, slowDown: SLOW_DOWN }, async ({ page }) => {
    await openStoredDashboard(page, origin)
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      times.push(await timeCommit(page, `Commit ${String(round)}.`))
    }
    return times
  })
}

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

const SINGLE_BUTTON = '<button onclick="textContent += 1">0</button>'

/** The same for a page that contains a single button: the time that the browser and the machine need. */
export async function timePlainClicks(browser: Browser, rounds: number): Promise<number[]> {
  return await withDevice(
    browser,
    { context: {}, slowDown: SLOW_DOWN, watch: WATCH_EVENTS },
    async ({ page }) => {
      await page.goto('about:blank')
      await page.setContent(SINGLE_BUTTON)
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        times.push(await nextPaint(page, () => page.getByRole('button').click()))
      }
      return times
    },
  )
}
