import type { BrowserContext, Page } from '@playwright/test'
import { MOVABLE_CLOCK, type ServerProcess } from './fixtures/server-process.ts'
import { AuthScreen } from './screens/auth-screen.ts'
import { DashboardScreen } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

test.use({ serverSettings: MOVABLE_CLOCK })

/** Seconds after which a token of an hour is renewed: 90 s before its end. */
const UNTIL_RENEWAL = 3520
/** Seconds after which such a token is past its end, so that nothing is left of a session that can't be renewed. */
const PAST_THE_END = 3700
const RENEWAL = '**/auth/v1/token?grant_type=refresh_token'

test.beforeEach(async ({ context, server }) => {
  await context.clock.install({ time: server.now() })
})

/**
 * Lets time go by for the server and for a browser, which lay asleep meanwhile: what became due happens once. Calls that are
 * under way fail then, as nobody has answered in time.
 */
async function pass(seconds: number, server: ServerProcess, ...contexts: BrowserContext[]): Promise<void> {
  await server.advanceClock(seconds)
  for (const context of contexts) await context.clock.fastForward(seconds * 1000)
}

function renewal(page: Page, status = 200) {
  return page
    .context()
    .waitForEvent(
      'response',
      (answer) => answer.url().includes('refresh_token') && answer.status() === status,
    )
}

/** Lets the session of a tab run out, which the server then refuses to renew. */
async function runOut(page: Page, server: ServerProcess): Promise<void> {
  const refused = renewal(page, 400)
  await pass(PAST_THE_END, server, page.context())
  await refused
}

test('two tabs stay signed in through a day of renewals whose answers are lost on the way', async ({
  page,
  context,
  server,
  person,
  consoleWatch,
}) => {
  consoleWatch.announce(/^failed: \/auth\/v1\/token/, /^console\.error: Failed to load resource/)
  await person.hasCategory('Family', { name: 'Anna' })
  const [here, there] = [new DashboardScreen(page), new DashboardScreen(await context.newPage())]
  for (const tab of [here, there]) {
    await tab.open()
    await expect(tab.card('Family').rows).toHaveText([/Anna/])
  }
  let toLose = 0
  await context.route(RENEWAL, async (route) => {
    const answer = await route.fetch()
    if (toLose === 0) return route.fulfill({ response: answer })
    toLose -= 1
    return route.abort('connectionreset')
  })

  for (let hour = 0; hour < 8; hour += 1) {
    toLose = hour % 3
    const before = await refreshTokenIn(page)
    await pass(UNTIL_RENEWAL, server, context)
    await untilRenewed(page, before, server)
    await expect(here.title).toBeVisible()
    await expect(there.title).toBeVisible()
  }
  await here.addPrayer('Family', 'Ben')
  await expect(here.card('Family').rows).toHaveText([/Ben/, /Anna/])
  await there.page.bringToFront()
  await there.addPrayer('Family', 'Clara')
  await expect(there.card('Family').rows).toHaveText([/Clara/, /Ben/, /Anna/])
})

test('a computer that slept over the weekend wakes up signed in', async ({
  page,
  context,
  server,
  person,
  dashboard,
}) => {
  await person.hasCategory('Family', { name: 'Anna' })
  await dashboard.open()
  await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
  const renewed = renewal(page)
  await pass(60 * 3600, server, context)
  await renewed
  await dashboard.addPrayer('Family', 'Ben')
  await expect(dashboard.card('Family').rows).toHaveText([/Ben/, /Anna/])
})

test('a server that is away when a session is to be renewed signs nobody out', async ({
  page,
  context,
  server,
  person,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announceFailingServer()
  await person.hasCategory('Family', { name: 'Anna' })
  await dashboard.open()
  await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
  const before = await refreshTokenIn(page)
  await server.stop()
  const refused = context.waitForEvent('requestfailed', (request) => request.url().includes('refresh_token'))
  await pass(PAST_THE_END, server, context)
  await refused
  await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
  await server.start()
  await untilRenewed(page, before, server)
  await dashboard.addPrayer('Family', 'Ben')
  await expect(dashboard.card('Family').rows).toHaveText([/Ben/, /Anna/])
})

test('a thief who uses a stolen token of yesterday gets nothing, and the person is asked to sign in again', async ({
  page,
  context,
  server,
  person,
  authScreen,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status 400: \/auth\/v1\/token/, /^console\.(?:error|warning)/)
  await dashboard.open()
  await expect(dashboard.title).toBeVisible()
  const stolen = await refreshTokenIn(page)
  for (let hour = 0; hour < 2; hour += 1) {
    const renewed = renewal(page)
    await pass(UNTIL_RENEWAL, server, context)
    await renewed
  }
  await expect.poll(() => refreshTokenIn(page)).not.toBe(stolen)
  const answer = await person.triesToRenew(stolen)
  expect(answer).toMatchObject({ code: 'refresh_token_already_used' })

  await runOut(page, server)
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await authScreen.signIn(person.email, person.password)
  await expect(dashboard.title).toBeVisible()
})

test('signing out ends the session on all devices', async ({
  browser,
  server,
  person,
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
  const [login, lists] = [new AuthScreen(there), new DashboardScreen(there)]
  await login.open()
  await login.signIn(person.email, person.password)
  await expect(lists.title).toBeVisible()
  await dashboard.open()
  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()

  await runOut(there, server)
  await expect(login.heading('Welcome back')).toBeVisible()
  await other.close()
})

test('somebody whose account was deleted elsewhere is signed out', async ({
  page,
  server,
  person,
  authScreen,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status 400: \/auth\/v1\/token/, /^console\.(?:error|warning)/)
  await dashboard.open()
  await expect(dashboard.title).toBeVisible()
  await person.deletesAccountElsewhere()
  await runOut(page, server)
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await page.goto('/dashboard')
  await expect(authScreen.heading('Welcome back')).toBeVisible()
})

for (const [which, hours] of [
  ['slow', -2],
  ['fast', 2],
] as const) {
  test(`a clock that is ${String(Math.abs(hours))} hours ${which} keeps nobody from their lists`, async ({
    context,
    server,
    newPerson,
    authScreen,
    dashboard,
    consoleWatch,
  }) => {
    consoleWatch.announce(/^status 401: \/rest\/v1\//, /^console\.(?:error|warning): /)
    const person = await newPerson()
    await person.hasCategory('Family', { name: 'Anna' })
    await context.clock.setFixedTime(server.now().getTime() + hours * 3_600_000)
    await authScreen.open()
    await authScreen.signIn(person.email, person.password)
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
    await pass(PAST_THE_END, server, context)
    await dashboard.addPrayer('Family', 'Ben')
    await expect(dashboard.card('Family').row('Ben').root).toBeVisible()
    await expect(dashboard.prayerDialog.root).toBeHidden()
  })
}

/** After a failure the library waits a while, and looks again every 30 s. */
async function untilRenewed(page: Page, before: string, server: ServerProcess): Promise<void> {
  await expect(async () => {
    await pass(30, server, page.context())
    expect(await refreshTokenIn(page)).not.toBe(before)
  }).toPass()
}

function refreshTokenIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const kept: { refresh_token: string } = JSON.parse(localStorage.getItem('supabase-auth') ?? '{}')
    return kept.refresh_token
  })
}
