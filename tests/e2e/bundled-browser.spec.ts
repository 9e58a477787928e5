import { chromium } from '@playwright/test'
import { unpackBundledBrowser } from '#tests/support/browser.ts'
import { AuthScreen } from './screens/auth-screen.ts'
import { expect, test } from './test.ts'

const HAS_BUNDLED_BROWSER = process.platform === 'linux' && process.arch === 'x64'

test('without an installed browser, the bundled one opens the app, or an error names what to install', async ({
  server,
}) => {
  if (!HAS_BUNDLED_BROWSER) {
    await expect(unpackBundledBrowser()).rejects.toThrow('Install one, or set TEST_BROWSER')
    return
  }
  const { executablePath, args, env } = await unpackBundledBrowser()
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
  try {
    const page = await browser.newPage({ baseURL: server.url })
    const authScreen = new AuthScreen(page)
    await authScreen.open()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
  } finally {
    await browser.close()
  }
})
