import {
  type Browser,
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

export interface DeviceOptions {
  context: BrowserContextOptions
  /** Factor by which the CPU is slowed down. */
  slowDown: number
  /** Script that runs in every page before the app. */
  watch?: string
}

/** Runs `work` on a page the size of a phone, with an empty cache. */
export async function withDevice<Value>(
  browser: Browser,
  { context: options, slowDown, watch = '' }: DeviceOptions,
  work: (device: Device) => Promise<Value>,
): Promise<Value> {
  const context = await browser.newContext({ ...options, viewport: { width: 412, height: 823 } })
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
