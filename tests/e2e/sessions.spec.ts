import type { BrowserContext, Page } from '@playwright/test'
import { MOVABLE_CLOCK, type ServerProcess } from './fixtures/server-process.ts'
import { textOnDevice } from './fixtures/text-on-device.ts'
import { authScreenOf } from './screens/auth-screen.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

test.use({ serverSettings: MOVABLE_CLOCK })

/** Seconds after which an access token of one hour is refreshed: 90 s before it expires. */
const UNTIL_REFRESH = 3520
/** Seconds after which the access token has expired, so that a session that can't be refreshed has ended. */
const UNTIL_EXPIRED = 3700
const REFRESH_REQUEST = '**/auth/v1/token?grant_type=refresh_token'

test.beforeEach(async ({ context, server }) => {
  await context.clock.install({ time: server.now() })
})

/**
 * Advances the clocks of the server and of browsers, as if the computer had been asleep: timers fire once, pending requests
 * time out, and the connection returns. Without that, a page that was synchronising would do so again only minutes later.
 */
async function advanceClocks(
  seconds: number,
  server: ServerProcess,
  ...contexts: BrowserContext[]
): Promise<void> {
  await server.advanceClock(seconds)
  for (const context of contexts) {
    await context.clock.fastForward(seconds * 1000)
    for (const page of context.pages()) await page.evaluate(() => dispatchEvent(new Event('online')))
  }
}

function refreshResponse(page: Page, status = 200) {
  return page
    .context()
    .waitForEvent(
      'response',
      (response) => response.url().includes('refresh_token') && response.status() === status,
    )
}

/** Lets the access token expire, and waits until the server has rejected the refresh. */
async function expireSession(page: Page, server: ServerProcess): Promise<void> {
  const rejected = refreshResponse(page, 400)
  await advanceClocks(UNTIL_EXPIRED, server, page.context())
  await rejected
}

test('two tabs stay signed in for a day although responses to refreshes are lost', async ({
  page,
  context,
  server,
  user,
  consoleWatch,
}) => {
  consoleWatch.announce(/^console\.error: (?:Failed to load resource|Time|TypeError: Failed to fetch)/)
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

test('neither a weekend asleep nor an outage during a refresh signs anyone out', async ({
  page,
  context,
  server,
  user,
  dashboard,
  consoleWatch,
}) => {
  await user.addCategory('Family', { name: 'Anna' })
  await dashboard.open()
  await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
  const refreshed = refreshResponse(page)
  await advanceClocks(60 * 3600, server, context)
  await refreshed
  await dashboard.addPrayer('Family', 'Ben')
  await expect(dashboard.card('Family').rows).toHaveText([/Ben/, /Anna/])
  await expect(dashboard.prayerDialog.root).toBeHidden()
  await expect.poll(() => textOnDevice(page), 'Ben is saved').not.toContain('"kind":"insert"')

  consoleWatch.announceFailingServer()
  const before = await refreshTokenIn(page)
  await server.stop()
  const failed = context.waitForEvent('requestfailed', (request) => request.url().includes('refresh_token'))
  await advanceClocks(UNTIL_EXPIRED, server, context)
  await failed
  await expect(dashboard.card('Family').rows).toHaveText([/Ben/, /Anna/])
  await server.start()
  await waitForRefresh(page, before, server)
  await dashboard.addPrayer('Family', 'Clara')
  await expect(dashboard.card('Family').rows).toHaveText([/Clara/, /Ben/, /Anna/])
})

test('using a stolen old refresh token fails, and ends the session of its owner, who loses no text', async ({
  page,
  context,
  server,
  user,
  authScreen,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status 400: \/auth\/v1\/token/, /^console\.(?:error|warning)/)
  await user.addCategory('Family')
  await dashboard.open()
  await expect(dashboard.title).toBeVisible()
  const stolen = await refreshTokenIn(page)
  for (let hour = 0; hour < 2; hour += 1) {
    const before = await refreshTokenIn(page)
    await advanceClocks(UNTIL_REFRESH, server, context)
    await expect.poll(() => refreshTokenIn(page)).not.toBe(before)
  }
  await dashboard.card('Family').addPrayer.click()
  await dashboard.prayerDialog.name.fill('Clara')
  const response = await user.refresh(stolen)
  expect(response).toMatchObject({ code: 'refresh_token_already_used' })

  await expireSession(page, server)
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await authScreen.signIn(user.email, user.password)
  await expect(dashboard.title).toBeVisible()
  await dashboard.card('Family').addPrayer.click()
  await dashboard.prayerDialog.bringBack.click()
  await expect(dashboard.prayerDialog.name, 'unsaved text is kept').toHaveValue('Clara')
})

test('signing out ends the session on all devices at once', async ({
  page,
  browser,
  server,
  user,
  navigation,
  authScreen,
  dashboard,
  baseURL,
  consoleWatch,
}) => {
  consoleWatch.announce(/^console\.(?:error|warning)/)
  const other = await browser.newContext({ baseURL: baseURL ?? server.url })
  await other.clock.install({ time: server.now() })
  const there = await other.newPage()
  const otherAuthScreen = authScreenOf(there)
  await otherAuthScreen.open()
  await otherAuthScreen.signIn(user.email, user.password)
  await expect(dashboardScreenOf(there).title).toBeVisible()
  await dashboard.open()
  // Signing out waits for the server for three seconds at most.
  const ended = page.waitForResponse('**/auth/v1/logout?*')
  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await ended

  await there.reload()
  await expect(otherAuthScreen.heading('Welcome back')).toBeVisible()
  await expect(there.getByRole('status')).toContainText('You have been signed out.')
  await other.close()
})

for (const [which, years] of [
  ['slow', -10],
  ['fast', 10],
] as const) {
  test(`works with a clock that is 10 years ${which}`, async ({
    context,
    server,
    newUser,
    authScreen,
    dashboard,
    consoleWatch,
  }) => {
    consoleWatch.announce(/^status 401: \/rest\/v1\//, /^console\.(?:error|warning): /)
    const user = await newUser()
    await user.addCategory('Family', { name: 'Anna' })
    await context.clock.setFixedTime(server.now().getTime() + years * 365 * 86_400_000)
    await authScreen.open()
    await authScreen.signIn(user.email, user.password)
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
    await advanceClocks(UNTIL_EXPIRED, server, context)
    await dashboard.addPrayer('Family', 'Ben')
    await expect(dashboard.card('Family').row('Ben').root).toBeVisible()
    await expect(dashboard.prayerDialog.root).toBeHidden()
  })
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
