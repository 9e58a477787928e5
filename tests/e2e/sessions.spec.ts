import type { BrowserContext, Page } from '@playwright/test'
import { MOVABLE_CLOCK, type ServerProcess } from './fixtures/server-process.ts'
import { textOnDevice } from './fixtures/text-on-device.ts'
import { authScreenOf } from './screens/auth-screen.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

test.use({ serverSettings: MOVABLE_CLOCK })

/** Seconds after which an access token of one hour is refreshed: 90 s before it expires. */
const UNTIL_REFRESH = 3520
const WEEK = 7 * 86_400
const REFRESH_REQUEST = '**/auth/v1/token?grant_type=refresh_token'
const API = /\/(?:auth|rest)\/v1\//

test('two tabs stay signed in for a day although responses to refreshes are lost', async ({
  page,
  context,
  server,
  user,
  consoleWatch,
}) => {
  consoleWatch.announce(/^console\.error: (?:Failed to load resource|Time|TypeError: Failed to fetch)/)
  await context.clock.install({ time: server.now() })
  await user.addCategory('Family', { name: 'Anna' })
  const [here, there] = [dashboardScreenOf(page), dashboardScreenOf(await context.newPage())]
  for (const tab of [here, there]) {
    await tab.open()
    await expect(tab.card('Family').rows).toHaveText([/Anna/])
  }
  let responsesToLose = 0
  await context.route(REFRESH_REQUEST, async (route) => {
    const response = await route.fetch()
    if (responsesToLose === 0) return route.fulfill({ response })
    responsesToLose -= 1
    return route.abort('connectionreset')
  })

  for (let hour = 0; hour < 8; hour += 1) {
    responsesToLose = hour % 3
    const before = await refreshTokenIn(page)
    await advanceClocks(UNTIL_REFRESH, server, context)
    await waitForRefresh(page, before, server)
    await expect(here.title).toBeVisible()
    await expect(there.title).toBeVisible()
  }
  await here.addPrayer('Family', 'Ben')
  await expect(here.card('Family').rows).toHaveText([/Ben/, /Anna/])
  await there.page.bringToFront()
  await there.addPrayer('Family', 'Clara')
  await expect(there.card('Family').rows).toHaveText([/Clara/, /Ben/, /Anna/])
})

/**
 * Advances the clocks of the server and of the browser, as if the computer had been asleep: timers fire once, pending requests
 * time out, and the connection returns. Without that, a page that was synchronising would do so again only minutes later.
 */
async function advanceClocks(seconds: number, server: ServerProcess, context: BrowserContext): Promise<void> {
  await server.advanceClock(seconds)
  await context.clock.fastForward(seconds * 1000)
  for (const page of context.pages()) await page.evaluate(() => dispatchEvent(new Event('online')))
}

/** After a failure, the next round of the synchronisation follows within a minute. */
async function waitForRefresh(page: Page, before: string, server: ServerProcess): Promise<void> {
  await expect(async () => {
    await advanceClocks(30, server, page.context())
    expect(await refreshTokenIn(page)).not.toBe(before)
  }).toPass()
}

function refreshTokenIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const session: { refresh_token: string } = JSON.parse(localStorage.getItem('supabase-auth') ?? '{}')
    return session.refresh_token
  })
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
  // A week passes, on the server and on a device that was switched off: its access token has expired.
  await server.advanceClock(WEEK)
  await context.clock.install({ time: server.now() })
  await page.reload()
  await expect(card.rows).toHaveText([/Ben/])
  await dashboard.addPrayer('Family', 'Clara')
  await expect(dashboard.prayerDialog.root).toBeHidden()
  await expect(card.rows).toHaveText([/Clara/, /Ben/])
  await page.clock.runFor(10_000)
  await expect(navigation.menuButton).toHaveAccessibleName(/3 changes waiting/)

  await context.unroute(API)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(navigation.menuButton).not.toHaveAccessibleName(/waiting/)
  const elsewhere = await browser.newPage()
  const authScreen = authScreenOf(elsewhere)
  await authScreen.open()
  await authScreen.signIn(user.email, user.password)
  const otherCard = dashboardScreenOf(elsewhere).card('Family')
  await otherCard.showResolved.click()
  await expect(otherCard.rows).toHaveText([/Clara/, /Ben.*A calm exam week/, /Anna.*Resolved/])
  await elsewhere.close()
})
