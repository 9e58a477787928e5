import type { Browser, CDPSession, Page } from '@playwright/test'
import type { Site } from '../page/site.ts'

/** As Lighthouse does for a telephone of the middle class. */
export const SLOW_DOWN = 4

/** A telephone on which the person with the full lists is signed in. */
export interface Telephone {
  page: Page
  session: CDPSession
}

interface TelephoneOptions {
  slowDown: number
  /** Runs in the page before anything of the product does. */
  watch?: string
}

/** Runs `work` in a browser context of its own, with an empty cache, before anything is opened. */
export async function withTelephone<Value>(
  browser: Browser,
  site: Site,
  { slowDown, watch = '' }: TelephoneOptions,
  work: (telephone: Telephone) => Promise<Value>,
): Promise<Value> {
  const context = await browser.newContext({ ...site.signedIn, viewport: { width: 412, height: 823 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
    await page.addInitScript({ content: watch })
    return await work({ page, session })
  } finally {
    await context.close()
  }
}

const ALL_DRAWN = `new Promise((resolve) => {
  const look = () => document.querySelectorAll('main li[data-prayer]').length < 2500 ? setTimeout(look, 200) : resolve()
  look()
})`

/** Opens the dashboard and waits until every open prayer has its row. */
export async function openDashboard(page: Page, site: Site): Promise<void> {
  await page.goto(`${site.url}/dashboard`)
  await page.evaluate(ALL_DRAWN)
}
