import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from '@playwright/test'
import { findBrowser } from '#tests/support/browser.ts'
import { emailOf } from '../fixed-data.ts'
import { readAnonKey, signIn } from '../sessions.ts'

/** The CPU slow-down with which Lighthouse simulates a mid-range phone. */
export const SLOW_DOWN = 4

/** Slow 3G as in the browser's developer tools: latency in milliseconds, bytes per second. */
const SLOW_3G = { latency: 2000, downloadThroughput: 50_000, uploadThroughput: 50_000 }

/** A phone: its scrollbars take no space, so that opening a dialog does not change the width of the page. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 412, height: 823 },
  isMobile: true,
  hasTouch: true,
}

const SESSION_KEY = 'supabase-auth'

/** Runs `work` in the browser that the tests use. */
export async function withBrowser<Value>(work: (browser: Browser) => Promise<Value>): Promise<Value> {
  const { executablePath, args, env } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** Options of a browser context in which a user of the fixed data is signed in. */
export async function signedInContext(origin: string, user: number): Promise<BrowserContextOptions> {
  const session = await signIn(origin, await readAnonKey(origin), emailOf(user))
  const localStorage = [{ name: SESSION_KEY, value: session }]
  return { storageState: { cookies: [], origins: [{ origin, localStorage }] } }
}

export interface Device {
  page: Page
  session: CDPSession
}

/**
 * Runs `work` with a phone that has stored nothing but what `options` contain. Nothing has a time limit: how long it takes is
 * what is measured.
 */
export async function withPhone<Value>(
  browser: Browser,
  options: BrowserContextOptions,
  work: (phone: BrowserContext) => Promise<Value>,
): Promise<Value> {
  const phone = await browser.newContext({ ...options, ...PHONE })
  phone.setDefaultTimeout(0)
  try {
    return await work(phone)
  } finally {
    await phone.close()
  }
}

/** Opens an empty page of a phone whose CPU is slower by the factor `slowDown`. `watch` runs in every page before the app. */
export async function openSlowPage(
  context: BrowserContext,
  { slowDown, watch = '' }: { slowDown: number; watch?: string },
): Promise<Device> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
  await page.addInitScript({ content: watch })
  return { page, session }
}

/** Slows the requests of a page down to slow 3G, but not those of its service worker. */
export async function slowDownLine(session: CDPSession): Promise<void> {
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_3G })
}
