import { readFile } from 'node:fs/promises'
import type { Request } from '@playwright/test'
import { RUTH } from '#tests/support/x-provider.ts'
import { expect, test } from './test-with-x.ts'

const AVATAR_PATH = '/profile_images/1/ruth_normal.png'
/** The avatar host of X, which the app uses directly if our server doesn't serve it. */
const X_AVATAR_ORIGIN = 'https://pbs.twimg.com'

// X is visited to sign in, and for nothing else.
test.beforeEach(({ x, consoleWatch }) =>
  consoleWatch.announce(new RegExp(`^foreign host: ${x.url}/i/oauth2/`)),
)

test.afterEach(({ x }) => {
  x.behaviour = { user: RUTH }
})

test(
  'signs in with X, after a failure too, with the name and avatar from X, and the badge; no request has a referrer',
  { tag: '@apart' },
  async ({ page, context, x, authScreen, dashboard, navigation, consoleWatch, webApp }) => {
    const content = await readFile(new URL('../../web/public/apple-touch-icon.png', import.meta.url))
    const isApart = webApp === 'apart'
    const address = (isApart ? X_AVATAR_ORIGIN : x.url) + AVATAR_PATH
    x.behaviour = {
      user: { ...RUTH, profile_image_url: address },
      avatar: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(content),
    }
    if (isApart) {
      consoleWatch.announce(new RegExp(`^foreign host: ${address}$`))
      await page.route(address, (route) => route.fulfill({ contentType: 'image/png', body: content }))
    }
    const requests: Request[] = []
    const record = (request: Request) => requests.push(request)
    page.on('request', record)
    await page.route('**/auth/v1/user', async (route) => {
      await authScreen.heading('Completing sign in...').waitFor()
      await route.continue()
    })
    await authScreen.open()
    const authorization = page.waitForRequest('**/auth/v1/authorize?**')
    consoleWatch.announce(/ERR_FAILED .*\/sign-in-/, /Failed to initialize auth/)
    const isReturn = () => new URL(page.url()).pathname === '/auth/callback'
    const code = '**/assets/sign-in-*.js'
    await page.route(code, (route) => (isReturn() ? route.abort() : route.continue()))
    await authScreen.signInWithX.click()
    const parameters = new URL((await authorization).url()).searchParams
    expect(parameters.get('provider')).toBe('twitter')
    expect(parameters.get('scopes')).toBe('tweet.read users.read offline.access email')
    expect(parameters.get('redirect_to')).toMatch(/\/auth\/callback$/)
    const failed = page.getByRole('heading', { name: 'This page could not be shown' })
    await expect(failed, 'without the code that signs in').toBeVisible()
    await page.unroute(code)
    await page.getByRole('button', { name: 'Load the page again' }).click()
    await expect(dashboard.title).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
    await expect(navigation.menuButton).toContainText('Ruth Amsel')
    const avatar = navigation.menuButton.locator('img')
    await expect(avatar).toHaveAttribute('src', isApart ? address : /^\/pictures\/[0-9a-f-]{36}$/)
    await expect(avatar, 'the content security policy allows it').not.toHaveJSProperty('naturalWidth', 0)
    page.off('request', record)
    for (const request of requests)
      expect((await request.headerValue('referer')) ?? '', request.url()).toBe('')
    expect(await context.cookies()).toEqual([])
    await navigation.menuButton.click()
    await expect(navigation.twitterBadge).toBeVisible()
    await expect(page.getByText('ruth@example.org')).toBeVisible()
  },
)
