import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { timeFirstVisit } from '../browser/first-visit.ts'
import {
  fillDevice,
  FIRST_PRAYERS,
  openDashboard,
  WAIT_FOR_STORING,
  WATCH_VISIT,
  withFilledDevice,
} from '../browser/second-visit.ts'
import { openSlowPage, signedInContext, SLOW_DOWN, withBrowser, withPhone } from '../browser/slow-device.ts'
import { atMost, compare, measured } from '../findings.ts'
import { createDataFolder } from '../fixed-data.ts'
import { type PartContext, runRounds } from '../part.ts'
import { startIntercede } from '../processes.ts'
import { PASSWORD } from '../sessions.ts'

const ROUNDS = { full: 5, quick: 1 }
/** One user encrypts the account, the other one does not. */
const USERS = { encrypted: 1, plain: 2 }
const AMOUNTS = { users: 2, categoriesEach: 60, prayersEach: 5000 }
const FEW = { users: 2, categoriesEach: 30, prayersEach: 100 }

/** Remembers the longest task of the page. Those below 50 ms count as none. */
const WATCH_TASKS = `
  window.longestTask = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration)
  }).observe({ type: 'longtask', buffered: true })`

/** A visit, in milliseconds. */
interface Visit {
  /** Until the first prayers were painted and input would be handled: from its start, or from entering the prayer key. */
  prayers: number
  /** Until everything was received, opened and stored. */
  longestTask: number
}

/** An encrypted account and another one on a slow device: with what is stored there, and when the user signs in on it. */
export async function measureEncrypted(context: PartContext): Promise<void> {
  await measureManyPrayers(context)
  await measureSlowLine(context)
}

/** 100 prayers of somebody who signs in on slow 3G. */
async function measureSlowLine({ folder, quick, report }: PartContext): Promise<void> {
  const dataDir = join(folder, 'encrypted-few')
  await createDataFolder(dataDir, FEW)
  const server = await startIntercede({ DATA_DIR: dataDir })
  const { url } = server
  await withBrowser(async (browser) => {
    const { key } = await withPhone(browser, await signedInContext(url, USERS.encrypted), (phone) =>
      encrypt(phone, url),
    )
    const visits = await runRounds(quick ? ROUNDS.quick : ROUNDS.full, async () => {
      const encrypted = await timeFirstVisit(browser, url, USERS.encrypted, key)
      const plain = await timeFirstVisit(browser, url, USERS.plain)
      return encrypted.prayers - plain.prayers
    })
    const what = `first of 100 prayers after signing in on slow 3G at ${String(SLOW_DOWN)}x slow-down: in an encrypted account, later by`
    report(measured({ what, unit: 'ms', target: atMost('value', 1500) }, visits))
  })
  await server.stop()
}

/** 5,000 prayers. */
async function measureManyPrayers({ folder, quick, report }: PartContext): Promise<void> {
  const dataDir = join(folder, 'encrypted')
  await createDataFolder(dataDir, AMOUNTS)
  const server = await startIntercede({ DATA_DIR: dataDir })
  const { url } = server
  const [encrypted, plain] = [
    await signedInContext(url, USERS.encrypted),
    await signedInContext(url, USERS.plain),
  ]
  const measure = (visits: readonly { encrypted: Visit; plain: Visit }[], when: string, limit?: number) => {
    const compareTimes = (metric: string, read: (visit: Visit) => number, most?: number) => {
      const what = `encrypted account at ${String(SLOW_DOWN)}x slow-down, ${when}: ${metric}`
      const target = most === undefined ? undefined : atMost('ratio', most)
      const references = visits.map((each) => read(each.plain))
      const values = visits.map((each) => read(each.encrypted))
      report(compare({ what, unit: 'ms', comparedWith: 'not encrypted', target }, values, references))
    }
    compareTimes('first prayers usable', ({ prayers }) => prayers, limit)
    compareTimes('longest task', ({ longestTask }) => longestTask)
  }
  const rounds = quick ? ROUNDS.quick : ROUNDS.full
  await withBrowser(async (browser) => {
    await withFilledDevice(browser, url, plain, (plainDevice) =>
      withFilledDevice(browser, url, encrypted, async (device) => {
        const { key, seconds } = await encrypt(device, url)
        report(
          measured({ what: 'encrypting 5,000 prayers', unit: 's', target: atMost('value', 60) }, [seconds]),
        )
        await fillDevice(device, url)
        const starts = await runRounds(rounds, async () => ({
          encrypted: await timeStart(device, url),
          plain: await timeStart(plainDevice, url),
        }))
        measure(starts, 'from stored data', 1.2)
        // Encrypting has ended the session.
        const signedInAgain = await signedInContext(url, USERS.encrypted)
        const signIns = await runRounds(rounds, async () => ({
          encrypted: await timeSignIn(browser, url, signedInAgain, key),
          plain: await timeSignIn(browser, url, plain, null),
        }))
        measure(signIns, 'on a new device')
      }),
    )
  })
  await server.stop()
}

/** Encrypts the account of the user of a device. Resolves to the prayer key, and the seconds until all texts were sealed. */
async function encrypt(device: BrowserContext, origin: string): Promise<{ key: string; seconds: number }> {
  const page = await device.newPage()
  await page.goto(`${origin}/settings/prayer-key`)
  const press = (name: string) => page.getByRole('button', { name }).click()
  await press('Make a prayer key')
  const key = await page.getByRole('region', { name: 'Prayer key' }).locator('code').innerText()
  await press('I have written it down')
  const groups = key.split(' ')
  await page.getByLabel('Second group').fill(groups[1] ?? '')
  await page.getByLabel('Fifth group').fill(groups[4] ?? '')
  await page.getByLabel('Current password').fill(PASSWORD)
  const isDone = page.waitForResponse((response) => {
    const body = response.url().endsWith('/set_encryption_key') ? response.request().postData() : null
    return body?.includes('"state":"on"') ?? false
  })
  const begun = performance.now()
  await press('Encrypt my prayers')
  await isDone
  const seconds = (performance.now() - begun) / 1000
  await page.close()
  return { key, seconds }
}

async function timeStart(device: BrowserContext, origin: string): Promise<Visit> {
  const { page } = await openSlowPage(device, { slowDown: SLOW_DOWN, watch: WATCH_VISIT + WATCH_TASKS })
  await openDashboard(page, origin)
  return readVisit(page, await page.evaluate<number>('interactive'))
}

/** @param key the prayer key, if the account is encrypted */
async function timeSignIn(
  browser: Browser,
  origin: string,
  user: BrowserContextOptions,
  key: string | null,
): Promise<Visit> {
  return await withPhone(browser, { ...user, serviceWorkers: 'block' }, async (phone) => {
    const { page } = await openSlowPage(phone, { slowDown: SLOW_DOWN, watch: WATCH_VISIT + WATCH_TASKS })
    await page.goto(`${origin}/dashboard`)
    if (key !== null) await page.getByRole('textbox', { name: 'Prayer key' }).fill(key)
    const entered = key === null ? 0 : await page.evaluate<number>('performance.now()')
    if (key !== null) await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator(FIRST_PRAYERS).first().waitFor()
    return readVisit(page, (await page.evaluate<number>('interactive')) - entered)
  })
}

async function readVisit(page: Page, prayers: number): Promise<Visit> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(WAIT_FOR_STORING)
  const longestTask = await page.evaluate<number>('longestTask')
  await page.close()
  return { prayers, longestTask }
}
