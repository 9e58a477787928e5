import { expect, it } from 'vitest'
import { findBrowser } from './browser.ts'

it('names the program that TEST_BROWSER asks for if that is no recent Chrome or Chromium', async () => {
  // Node.js prints a version too, but a lower one.
  await expect(findBrowser(process.execPath)).rejects.toThrow(
    `TEST_BROWSER is "${process.execPath}", which is not a Chrome or Chromium of version 140 or newer.`,
  )
})
