import { type Browser, chromium } from '@playwright/test'
import { findBrowser } from '#tests/support/browser.ts'

/** Runs `work` in the browser that the tests use. */
export async function withBrowser<Value>(work: (browser: Browser) => Promise<Value>): Promise<Value> {
  const { executablePath, args, env } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args, env: { ...inherited(), ...env } })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
