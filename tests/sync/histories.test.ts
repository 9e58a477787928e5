import { chromium } from '@playwright/test'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { findBrowser } from '#tests/support/browser.ts'
import { bundlePage, createBrowserDevices } from './browser-device.ts'
import { createFakeDevice, type CreateDevice } from './device.ts'
import { runHistory } from './history.ts'

const HISTORIES = Number(process.env['HISTORIES'] ?? 40)
const BROWSER_HISTORIES = Number(process.env['BROWSER_HISTORIES'] ?? 3)
const FIRST_SEED = Number(process.env['HISTORY_SEED'] ?? 1)
/** Milliseconds for a history on a very busy machine, so that one that hangs ends. */
const TIMEOUT = 60_000
const BROWSER_TIMEOUT = 300_000

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

it(
  `keeps devices and server equal, and every accepted text, in ${String(HISTORIES)} random histories`,
  async () => {
    expect(await runHistories(HISTORIES, createFakeDevice)).toBe('')
  },
  HISTORIES * TIMEOUT,
)

it(
  `does so in ${String(BROWSER_HISTORIES)} random histories of a real browser`,
  async () => {
    const { executablePath, args, env } = await findBrowser()
    const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
    try {
      const createDevice = createBrowserDevices(browser, await bundlePage())
      expect(await runHistories(BROWSER_HISTORIES, createDevice)).toBe('')
    } finally {
      await browser.close()
    }
  },
  // One more for starting the browser.
  (BROWSER_HISTORIES + 1) * BROWSER_TIMEOUT,
)

async function runHistories(count: number, createDevice: CreateDevice): Promise<string> {
  const failures: string[] = []
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count && failures.length < 3; seed += 1) {
    const log: string[] = []
    const mistakes = await runHistory(server, createDevice, seed, (line) => log.push(line)).catch(
      (error: unknown) => {
        throw new Error(`HISTORY_SEED=${String(seed)}`, { cause: error })
      },
    )
    // For a single history, everything that happened.
    if (mistakes.length > 0)
      failures.push([`HISTORY_SEED=${String(seed)}`, ...mistakes, ...(count === 1 ? log : [])].join('\n'))
  }
  return failures.join('\n\n')
}
