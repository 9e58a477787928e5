import { chromium } from '@playwright/test'
import { expect, it } from 'vitest'
import { findBrowser } from '#tests/support/browser.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import { bundlePage, createBrowserDevices } from './browser-device.ts'
import { runHistories } from './history.ts'

const HISTORIES = Number(process.env['BROWSER_HISTORIES'] ?? 3)
/** Milliseconds for a history on a very busy machine, so that one that hangs ends. */
const TIMEOUT = 300_000

const server = useTestServer()

it(
  `keeps devices and server equal, and every accepted text, in ${String(HISTORIES)} random histories of a real browser`,
  async () => {
    const { executablePath, args, env } = await findBrowser()
    const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
    try {
      const createDevice = createBrowserDevices(browser, await bundlePage())
      expect(await runHistories(server, HISTORIES, createDevice)).toBe('')
    } finally {
      await browser.close()
    }
  },
  // One more for starting the browser.
  (HISTORIES + 1) * TIMEOUT,
)
