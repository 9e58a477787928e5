import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { openSlowPage, PHONE, SLOW_3G, SLOW_DOWN } from './slow-device.ts'

/** A visit to the dashboard on a slow device that has the app and the user's data, in milliseconds. */
export interface SecondVisit {
  /** From the start of the visit until the first prayers were painted and input would be handled, on slow 3G. */
  interactive: number
  /** Scripting within that time, from the request for the stored rows on. */
  scripting: number
}

/** Visits until everything is stored: the first one may end before that. */
const MAX_PREPARING_VISITS = 5
const FIRST_PRAYERS = 'main section li button'

/** Marks the first read of many stored rows, and the first moment at which the first screen can be used. */
const WATCH_VISIT = `
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
/** The app holds a lock while it fetches and stores data. */
const WAIT_FOR_STORING = `
  navigator.locks.query().then(({ held }) =>
    Promise.all(held.map(({ name }) => navigator.locks.request(name, () => undefined))))`
const COUNT_REQUESTS = `
  performance.getEntriesByType('resource').filter(({ name }) => name.includes('/rest/v1/prayers')).length`

/** Visits the dashboard `rounds` times on slow 3G, on a device that has stored the app and the user's data. */
export async function timeSecondVisits(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
  rounds: number,
): Promise<SecondVisit[]> {
  const context = await browser.newContext({ ...options, ...PHONE })
  try {
    await fillDevice(context, origin)
    const visits: SecondVisit[] = []
    for (let round = 0; round < rounds; round += 1)
      visits.push(await timeSecondVisit(browser, context, origin))
    return visits
  } finally {
    await context.close()
  }
}

/** Visits the dashboard until the service worker and the user's data are stored. */
async function fillDevice(context: BrowserContext, origin: string): Promise<void> {
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

async function openDashboard(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/dashboard`)
  await page.locator(FIRST_PRAYERS).first().waitFor()
}

async function timeSecondVisit(
  browser: Browser,
  context: BrowserContext,
  origin: string,
): Promise<SecondVisit> {
  const { page, session } = await openSlowPage(context, { slowDown: SLOW_DOWN, watch: WATCH_VISIT })
  // The requests of the service worker itself, for which no page waits, are not slowed down.
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_3G })
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8', 'blink.user_timing'] })
  await page.goto(`${origin}/dashboard`, { waitUntil: 'commit' })
  const interactive = await page.evaluate<number>('interactive')
  const trace = await browser.stopTracing()
  await page.close()
  return { interactive, scripting: scriptingTime(trace.toString()) }
}

/** An event of a trace, with its start and duration in microseconds. */
interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
}

/** What the browser's developer tools count as scripting. */
const SCRIPTING = new Set([
  'EvaluateScript',
  'EventDispatch',
  'FireAnimationFrame',
  'FireIdleCallback',
  'FunctionCall',
  'MajorGC',
  'MinorGC',
  'RunMicrotasks',
  'TimerFire',
  'v8.compileModule',
  'v8.evaluateModule',
])

/** Milliseconds of scripting between the two marks of the watching script. */
function scriptingTime(trace: string): number {
  const { traceEvents }: { traceEvents: readonly TraceEvent[] } = JSON.parse(trace)
  const start = traceEvents.find(({ name }) => name === 'stored-data')
  const end = traceEvents.find(({ name }) => name === 'interactive')
  if (!start || !end) throw new Error('The trace does not contain the visit.')
  const scripts = traceEvents
    .filter(
      ({ name, ph, pid, tid }) => SCRIPTING.has(name) && ph === 'X' && pid === start.pid && tid === start.tid,
    )
    .toSorted((a, b) => a.ts - b.ts)
  let total = 0
  let counted = start.ts
  // Scripts contain others: each moment counts once.
  for (const { ts, dur = 0 } of scripts) {
    const [from, to] = [Math.max(ts, counted), Math.min(ts + dur, end.ts)]
    if (to <= from) continue
    total += to - from
    counted = to
  }
  return total / 1000
}
