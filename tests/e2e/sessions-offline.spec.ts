import type { Browser, BrowserContext, Page, Route } from '@playwright/test'
import { MOVABLE_CLOCK, type ServerProcess } from './fixtures/server-process.ts'
import { textOnDevice } from './fixtures/text-on-device.ts'
import type { User } from './fixtures/user.ts'
import { authScreenOf } from './screens/auth-screen.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

test.use({ serverSettings: MOVABLE_CLOCK })

const REFRESH_REQUEST = '**/auth/v1/token?grant_type=refresh_token'
const API = /\/(?:auth|rest)\/v1\//
const WEEK = 7 * 86_400

/** Lets a week pass, on the server and on a device that was switched off: its access token has expired. */
async function passWeek(context: BrowserContext, server: ServerProcess): Promise<void> {
  await server.advanceClock(WEEK)
  await context.clock.install({ time: server.now() })
}

/** Disconnects and reconnects the browser, so that the app notices that the network is back. */
async function reconnect(context: BrowserContext): Promise<void> {
  await context.setOffline(true)
  await context.setOffline(false)
}

/** Opens the dashboard on another device. */
async function signInElsewhere(browser: Browser, { email, password }: User): Promise<Page> {
  const page = await browser.newPage()
  const authScreen = authScreenOf(page)
  await authScreen.open()
  await authScreen.signIn(email, password)
  return page
}

function hasStoredSession(page: Page): Promise<boolean> {
  return page.evaluate(() => localStorage.getItem('supabase-auth') !== null)
}

test('changes that were made before a week offline are sent with a new session', async ({
  page,
  browser,
  context,
  server,
  user,
  navigation,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announceFailingServer()
  await user.addCategory('Family', { name: 'Anna' })
  await dashboard.open()
  const card = dashboard.card('Family')
  await expect(card.rows).toHaveText([/Anna/])
  await context.route(API, (route) => route.abort('internetdisconnected'))
  await dashboard.addPrayer('Family', 'Ben', 'A calm exam week')
  await expect(dashboard.prayerDialog.root).toBeHidden()
  await card.row('Anna').resolve.click()
  await expect(card.rows).toHaveText([/Ben/])
  await expect.poll(() => textOnDevice(page), 'the change is stored').toContain('"resolved":true')
  await passWeek(context, server)
  await page.reload()
  await expect(card.rows).toHaveText([/Ben/])
  await dashboard.addPrayer('Family', 'Clara')
  await expect(dashboard.prayerDialog.root).toBeHidden()
  await expect(card.rows).toHaveText([/Clara/, /Ben/])
  await page.clock.runFor(10_000)
  await expect(navigation.menuButton).toHaveAccessibleName(/3 changes waiting/)

  await context.unroute(API)
  await reconnect(context)
  await expect(navigation.menuButton).not.toHaveAccessibleName(/waiting/)
  const otherDevice = await signInElsewhere(browser, user)
  const otherCard = dashboardScreenOf(otherDevice).card('Family')
  await otherCard.showResolved.click()
  await expect(otherCard.rows).toHaveText([/Clara/, /Ben.*A calm exam week/, /Anna.*Resolved/])
  await otherDevice.close()
})

test('a tab that was frozen for a week sends its change and receives those of other devices when it wakes up', async ({
  page,
  browser,
  context,
  server,
  user,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announceFailingServer()
  await context.clock.install({ time: server.now() })
  const family = await user.addCategory('Family', { name: 'Anna' })
  await dashboard.open()
  const card = dashboard.card('Family')
  await expect(card.rows).toHaveText([/Anna/])
  await user.addPrayers(family, { name: 'Clara' })
  await context.route(API, (route) => route.abort('internetdisconnected'))
  await dashboard.addPrayer('Family', 'Ben')
  await expect(dashboard.prayerDialog.root).toBeHidden()
  await context.clock.pauseAt(server.now().getTime() + 60_000)

  await server.advanceClock(WEEK)
  await context.clock.fastForward(WEEK * 1000)
  const saved = page.waitForResponse(
    (response) => response.status() === 201 && response.url().includes('/rest/v1/prayers'),
  )
  await context.unroute(API)
  await context.clock.resume()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(card.rows).toHaveCount(3)
  await saved
  const otherDevice = await signInElsewhere(browser, user)
  await expect(dashboardScreenOf(otherDevice).card('Family').row('Ben').root).toBeVisible()
  await otherDevice.close()
})

const PORTAL = { contentType: 'text/html', body: '<h1>Please accept our terms</h1>' }
/** Responses to a refresh that are not the auth service's. */
const OUTAGES = [
  { status: 200, ...PORTAL },
  { status: 403, ...PORTAL },
  { status: 408 },
  { status: 429, json: { code: 429, error_code: 'over_request_rate_limit', msg: 'Slow down' } },
  { status: 503 },
]

test('after a week, the app opens at once, and stays signed in during outages and behind a captive portal until the network is back', async ({
  page,
  context,
  server,
  user,
  navigation,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announceFailingServer()
  consoleWatch.announce(/^status \d+: \/auth\/v1\/token/)
  await user.addCategory('Family', { name: 'Anna' })
  await passWeek(context, server)
  const held: Route[] = []
  await page.route(REFRESH_REQUEST, (route) => void held.push(route))
  await dashboard.open()
  await expect(dashboard.title).toBeVisible()
  await expect(navigation.menuButton).toContainText(user.email.replace(/@.*/, ''))
  await expect.poll(() => held.length, 'the request waits for its response').toBe(1)

  let attempts = 0
  await page.route(REFRESH_REQUEST, async (route) => {
    attempts += 1
    await route.fulfill(OUTAGES[attempts % OUTAGES.length])
  })
  await held[0]?.abort('internetdisconnected')
  await expect(dashboard.banner).toContainText('Failed to fetch')
  await expect(async () => {
    await page.clock.runFor(60_000)
    expect(attempts).toBeGreaterThan(OUTAGES.length)
  }).toPass()
  await expect(dashboard.title).toBeVisible()
  expect(await hasStoredSession(page)).toBe(true)

  await page.unrouteAll()
  await reconnect(context)
  await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
  await dashboard.addPrayer('Family', 'Ben')
  await expect(dashboard.card('Family').rows).toHaveText([/Ben/, /Anna/])
})

test('a session that ended while the device was offline leads to sign-in, which says so, and back', async ({
  page,
  context,
  server,
  user,
  authScreen,
  categories,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status 400: \/auth\/v1\/token/, /^console\.error/)
  await passWeek(context, server)
  await page.route(REFRESH_REQUEST, (route) =>
    route.fulfill({
      status: 400,
      json: { error: 'invalid_grant', error_description: 'Invalid Refresh Token' },
    }),
  )
  await categories.open()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect(page.getByRole('status')).toContainText(
    'You have been signed out. Sign in again to continue where you were.',
  )
  expect(await hasStoredSession(page)).toBe(false)
  await page.unroute(REFRESH_REQUEST)
  await authScreen.signIn(user.email, user.password)
  await expect(categories.title).toBeVisible()
})

test('signing out offline works at once, in every tab, and after a reload', async ({
  page,
  context,
  user,
  navigation,
  dashboard,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announceFailingServer()
  await user.addCategory('Family', { name: 'Anna' })
  const other = await context.newPage()
  await dashboard.open()
  await dashboardScreenOf(other).open()
  await expect(dashboardScreenOf(other).title).toBeVisible()
  await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
  await context.setOffline(true)
  await page.bringToFront()
  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect(authScreenOf(other).heading('Welcome back')).toBeVisible()
  expect(await hasStoredSession(page)).toBe(false)
  await context.setOffline(false)
  await dashboard.open()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect(page.getByRole('status')).toHaveCount(0)
})
