import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { scriptingTime, startTracing } from './scripting-time.ts'
import { openSlowPage, slowDownLine, SLOW_DOWN, withPhone } from './slow-device.ts'

/** A visit to the dashboard on a slow device that has the app and the user's data, in milliseconds. */
export interface SecondVisit {
  /** From the start of the visit until the first prayers were painted and input would be handled, on slow 3G. */
  interactive: number
  /** Scripting within that time, from the request for the stored rows on. */
  scripting: number
}

/** Visits until everything is stored: the first one may end before that. */
const MAX_PREPARING_VISITS = 5
/** Selects what shows that the dashboard can be used. */
export const FIRST_PRAYERS = 'main section li button'

/** Marks the first read of many stored rows, and the first moment at which the first screen can be used. */
export const WATCH_VISIT = `
  const getAll = IDBObjectStore.prototype.getAll
  IDBObjectStore.prototype.getAll = function (...options) {
    if (performance.getEntriesByName('stored-data').length === 0) performance.mark('stored-data')
    return getAll.apply(this, options)
  }
  window.interactive = new Promise((resolve) => {
    const finish = () => resolve(performance.mark('interactive').startTime)
    const look = () => {
      if (document.querySelector('${FIRST_PRAYERS}')) setTimeout(finish)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`
const COUNT_REQUESTS = `
  performance.getEntriesByType('resource').filter(({ name }) => name.includes('/rest/v1/prayers')).length`

/** The app holds a lock while it fetches and stores data. */
export const WAIT_FOR_STORING = `
  navigator.locks.query().then(({ held }) =>
    Promise.all(held.map(({ name }) => navigator.locks.request(name, () => undefined))))`

/** Runs `work` with the device of a user who has opened the dashboard before: it has stored the app and the user's data. */
export async function withFilledDevice(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
  work: (device: BrowserContext) => Promise<void>,
): Promise<void> {
  await withPhone(browser, options, async (device) => {
    await fillDevice(device, origin)
    await work(device)
  })
}

/** Visits the dashboard until the service worker and the user's data are stored. */
export async function fillDevice(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage()
  await openDashboard(page, origin)
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  for (let visit = 1; visit <= MAX_PREPARING_VISITS; visit += 1) {
    await openDashboard(page, origin)
    await page.waitForLoadState('networkidle')
    await page.evaluate(WAIT_FOR_STORING)
    if ((await page.evaluate<number>(COUNT_REQUESTS)) === 0) return await page.close()
  }
  throw new Error('The device does not store the prayers.')
}

/** Opens the dashboard and waits until its first prayers are shown. */
export async function openDashboard(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/dashboard`)
  await page.locator(FIRST_PRAYERS).first().waitFor()
}

/** Visits the dashboard on slow 3G. */
export async function timeSecondVisit(
  browser: Browser,
  context: BrowserContext,
  origin: string,
): Promise<SecondVisit> {
  const { page, session } = await openSlowPage(context, { slowDown: SLOW_DOWN, watch: WATCH_VISIT })
  // The requests of the service worker itself, for which no page waits, are not slowed down.
  await slowDownLine(session)
  await startTracing(browser, page)
  await page.goto(`${origin}/dashboard`, { waitUntil: 'commit' })
  const interactive = await page.evaluate<number>('interactive')
  const trace = await browser.stopTracing()
  await page.close()
  return { interactive, scripting: scriptingTime(trace, 'stored-data', 'interactive') }
}
