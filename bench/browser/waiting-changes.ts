import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { runRounds } from '../part.ts'
import { timeCommit } from './interaction-timing.ts'
import { openDashboard, WAIT_FOR_STORING, WATCH_VISIT } from './second-visit.ts'
import { type Device, openSlowPage, withPhone } from './slow-device.ts'

/** A device with waiting changes, in milliseconds except `memory`. */
export interface WaitingTimes {
  /** From the start of a visit until the first prayers were painted and input would be handled. */
  open: number
  /** From the clicks that save new prayers until each is stored and shown. */
  accepts: number[]
  /** From the end of the outage until all changes have arrived. */
  drain: number
  /** The longest time meanwhile during which the page could not have handled input. */
  longestPause: number
  /** JavaScript heap in KB. */
  memory: number
}

/** How many prayers the app adds in one step. */
const LIST_LENGTH = 200
const DATA_REQUESTS = '**/rest/v1/**'
/** Remembers the longest time between two tasks that are due every 10 ms. */
const WATCH_PAUSES = `
  var longestPause = 0
  var lastTask = performance.now()
  setInterval(() => {
    const now = performance.now()
    longestPause = Math.max(longestPause, now - lastTask)
    lastTask = now
  }, 10)
`

/**
 * Adds `many` prayers without a connection, and measures the device before and while it sends them. Then it has as many rows,
 * and does the same with `few` more.
 */
export async function timeWaiting(
  browser: Browser,
  origin: string,
  { context, slowDown }: { context: BrowserContextOptions; slowDown: number },
  { many, few, accepts }: { many: number; few: number; accepts: number },
): Promise<{ many: WaitingTimes; few: WaitingTimes }> {
  return await withPhone(browser, { ...context, serviceWorkers: 'block' }, async (phone) => {
    const page = await phone.newPage()
    await openDashboard(page, origin)
    await page.evaluate(WAIT_FOR_STORING)
    await page.close()
    const measure = (count: number) => timeDevice(phone, origin, { slowDown, count, accepts })
    return { many: await measure(many), few: await measure(few) }
  })
}

async function timeDevice(
  phone: BrowserContext,
  origin: string,
  { slowDown, count, accepts: rounds }: { slowDown: number; count: number; accepts: number },
): Promise<WaitingTimes> {
  await phone.route(DATA_REQUESTS, (route) => route.abort())
  const page = await phone.newPage()
  await openDashboard(page, origin)
  for (let added = 0; added < count; added += LIST_LENGTH) {
    await addSeveral(page, added / LIST_LENGTH, Math.min(LIST_LENGTH, count - added))
  }
  await page.close()

  const device = await openSlowPage(phone, { slowDown, watch: WATCH_VISIT })
  await openDashboard(device.page, origin)
  const open = await device.page.evaluate<number>('interactive')
  const accepts = await runRounds(rounds, () => timeCommit(device.page, newName()))
  const memory = await readMemory(device)
  const sent = countSent(device.page, count + rounds)
  await phone.unroute(DATA_REQUESTS)
  await device.page.evaluate(WATCH_PAUSES)
  const started = performance.now()
  await device.page.evaluate("dispatchEvent(new Event('online'))")
  const drain = (await sent) - started
  const longestPause = await device.page.evaluate<number>('longestPause')
  await device.page.evaluate(WAIT_FOR_STORING)
  await device.page.close()
  return { open, accepts, drain, longestPause, memory }
}

/** JavaScript heap in KB, without what can be freed. */
async function readMemory({ session, page }: Device): Promise<number> {
  // The last announcement holds on to what it announced until it disappears.
  await page.locator('.toast').waitFor({ state: 'detached' })
  for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1000
}

async function addSeveral(page: Page, list: number, count: number): Promise<void> {
  // Each to another card.
  const cards = page.locator('main section')
  const card = cards.nth(list % (await cards.count()))
  await card.getByRole('button', { name: 'Add Prayer' }).click()
  await page.getByRole('button', { name: 'Add several' }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.locator('textarea').fill(Array.from({ length: count }, newName).join('\n'))
  await dialog.getByRole('button', { name: /^Add .*Prayers$/ }).click()
  await dialog.waitFor({ state: 'hidden' })
}

let names = 0

/** No name is the beginning of another one. */
function newName(): string {
  names += 1
  return `Person ${String(names)}.`
}

/** The time of the response with which as many prayers have arrived. */
async function countSent(page: Page, count: number): Promise<number> {
  return await new Promise((resolve) => {
    let sent = 0
    page.on('response', (response) => {
      const request = response.request()
      if (request.method() !== 'POST' || !response.url().includes('/rest/v1/prayers')) return
      // One that is there already was sent by the page before.
      if (!response.ok() && response.status() !== 409) return
      const body: unknown = request.postDataJSON()
      sent += Array.isArray(body) ? body.length : 1
      if (sent >= count) resolve(performance.now())
    })
  })
}
