import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { doubleTextSize, expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { linkInEmailTo } from './fixtures/outbox.ts'
import { makeKey } from './fixtures/prayer-key.ts'
import { MOVABLE_CLOCK, type ServerProcess } from './fixtures/server-process.ts'
import { tabTo } from './fixtures/tab-to.ts'
import type { Screens } from './screens/screens.ts'
import { expect, test } from './test.ts'

test.use({ serverSettings: MOVABLE_CLOCK })

/** In seconds. A sign-in is no proof any more after this time. */
const ELEVEN_MINUTES = 11 * 60

/** The next code of an app: each works once. */
async function nextCode(server: ServerProcess, key: string): Promise<string> {
  await server.advanceClock(60)
  return codeAt(server.now().getTime(), key)
}

function codeAt(timestamp: number, key: string): string {
  return new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({ timestamp })
}

async function expectFits(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  await doubleTextSize(page)
  await expectNoHorizontalScrolling(page)
  await page.evaluate(() => document.documentElement.removeAttribute('style'))
  if (size) await page.setViewportSize(size)
}

/** Turns two-factor sign-in on. Resolves to the key of the app when the recovery codes are shown. */
async function turnOn(
  page: Page,
  settings: Screens['settings'],
  codeOf: (key: string) => string | Promise<string>,
): Promise<string> {
  await settings.open('profile')
  await settings.setUp.click()
  await expect(page.getByLabel('Name of the app')).toBeFocused()
  await page.keyboard.press('Enter')
  const key = await settings.appKey.innerText()
  await settings.codeOfApp.fill(await codeOf(key))
  await page.keyboard.press('Enter')
  await expect(settings.recoveryCodesTitle).toBeFocused()
  return key
}

test('two-factor sign-in from the first app to turning it off: with codes, a recovery code, and a new password', async ({
  page,
  server,
  user,
  consoleWatch,
  settings,
  navigation,
  authScreen,
  resetPassword,
  dashboard,
}) => {
  consoleWatch.announce(/^status 400: \/auth\/v1\/factors$/, /^console\.error/)
  await user.addCategory('Family', { name: 'Anna' })
  await server.advanceClock(ELEVEN_MINUTES)
  const announcement = page.getByRole('status')

  // With the keyboard alone.
  await settings.open('profile')
  await tabTo(page, settings.setUp)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name of the app')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Current password')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type(user.password)
  await page.keyboard.press('Enter')
  await expect(settings.codeOfApp).toBeFocused()
  await expect
    .poll(() => settings.qrCode.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  await expectAccessible(page)
  await expectFits(page)
  const key = await settings.appKey.innerText()
  await page.keyboard.type(await nextCode(server, key))
  await page.keyboard.press('Enter')
  await expect(settings.recoveryCodesTitle).toBeFocused()
  await expect(announcement.getByText('Two-factor sign-in is on.')).toBeVisible()
  const recoveryCodes = await settings.recoveryCodes.allInnerTexts()
  expect(recoveryCodes).toHaveLength(10)
  await expectAccessible(page)
  await expectFits(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as text' }).click()
  expect((await download).suggestedFilename()).toBe('intercede-recovery-codes.txt')
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('You have 10 unused recovery codes')).toBeVisible()
  // A button that the header covers in part would count as too small.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expectAccessible(page)

  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  const dataRequests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/rest/v1/')) dataRequests.push(request.url())
  })
  await authScreen.signIn(user.email, user.password)
  await expect(authScreen.heading('Two-factor sign-in')).toBeVisible()
  await expect(authScreen.code).toBeFocused()
  await expectAccessible(page)
  await expectFits(page)
  await page.goto('/dashboard')
  await expect(authScreen.code).toBeVisible()
  await expect(page.getByText('Anna')).toBeHidden()
  expect(dataRequests, 'data is asked for after the code').toEqual([])
  await authScreen.code.fill(await nextCode(server, key))
  await page.keyboard.press('Enter')
  await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
  await expect(page).toHaveURL('/dashboard')

  await navigation.signOut()
  await authScreen.signIn(user.email, user.password)
  await expect(authScreen.code).toBeFocused()
  await tabTo(page, authScreen.useRecoveryCode)
  await page.keyboard.press('Enter')
  await expect(authScreen.recoveryCode).toBeFocused()
  await expectAccessible(page)
  await expectFits(page)
  await page.keyboard.type((recoveryCodes[0] ?? '').toUpperCase())
  await page.keyboard.press('Enter')
  await expect(dashboard.card('Family').root).toBeVisible()

  await navigation.signOut()
  await authScreen.forgotPassword.click()
  await authScreen.email.fill(user.email)
  await authScreen.sendResetLink.click()
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  await page.goto(await linkInEmailTo(user.email, server.dataDir))
  await expect(authScreen.code).toBeVisible()
  await expect(resetPassword.newPassword).toBeHidden()
  await authScreen.code.fill(await nextCode(server, key))
  await page.keyboard.press('Enter')
  await resetPassword.set('a new and quiet hour')
  await resetPassword.goToLogin.click()
  await authScreen.signIn(user.email, 'a new and quiet hour')
  await authScreen.code.fill(await nextCode(server, key))
  await page.keyboard.press('Enter')
  await expect(dashboard.card('Family').root).toBeVisible()

  await settings.open('profile')
  await expect(page.getByText('You have 9 unused recovery codes')).toBeVisible()
  await tabTo(page, settings.turnOff)
  await page.keyboard.press('Enter')
  await expect(page.getByText('your recovery codes will stop working')).toBeFocused()
  await expectAccessible(page)
  await expectFits(page)
  await tabTo(page, settings.turnOff)
  await page.keyboard.press('Enter')
  await expect(announcement.getByText('Two-factor sign-in is off')).toBeVisible()
  await expect(settings.setUp).toBeFocused()
  await navigation.signOut()
  await authScreen.signIn(user.email, 'a new and quiet hour')
  await expect(dashboard.card('Family').root).toBeVisible()
})

test('a page whose session lacks the code keeps what was changed, asks for the code, and goes on; signing out there loses nothing', async ({
  page,
  context,
  server,
  user,
  consoleWatch,
  settings,
  authScreen,
  dashboard,
}) => {
  consoleWatch.announceFailingServer()
  consoleWatch.announce(/^status 401: \/rest\/v1\//)
  await user.addCategory('Family', { name: 'Anna' })
  const key = await turnOn(page, settings, (app) => nextCode(server, app))
  await dashboard.open()
  await expect(dashboard.card('Family').row('Anna').root).toBeVisible()

  const addUnsent = async (name: string) => {
    await context.route('**/rest/v1/**', (route) => route.abort())
    await dashboard.addPrayer('Family', name)
    await expect(dashboard.card('Family').row(name).root).toBeVisible()
    // Another tab stores a session without the code, and without saying that the account needs one: as on a device whose session is
    // older than two-factor sign-in.
    const other = await context.newPage()
    await other.goto('/terms')
    await other.evaluate(signInWithPassword, user)
    await other.close()
    await context.unroute('**/rest/v1/**')
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(authScreen.heading('Two-factor sign-in')).toBeVisible()
    await expect(page.getByText('Anna')).toBeHidden()
  }
  const giveCode = async () => {
    const saved = page.waitForResponse(
      (response) => response.url().includes('/rest/v1/prayers') && response.request().method() === 'POST',
    )
    await authScreen.code.fill(await nextCode(server, key))
    await page.keyboard.press('Enter')
    expect((await saved).status()).toBe(201)
  }
  await addUnsent('Ben')
  await giveCode()
  await expect(dashboard.card('Family').rows).toHaveText([/Ben/, /Anna/])

  await addUnsent('Clara')
  await page.getByRole('button', { name: 'Back to Login' }).click()
  await expect(page.getByText('Prayers are kept on this device')).toBeVisible()
  await authScreen.signIn(user.email, user.password)
  await giveCode()
  await expect(dashboard.card('Family').rows).toHaveText([/Clara/, /Ben/, /Anna/])
})

/** Runs in the page. */
async function signInWithPassword({ email, password }: { email: string; password: string }): Promise<void> {
  const config = document.querySelector<HTMLMetaElement>('meta[name=intercede-config]')?.content ?? ''
  const { anonKey }: { anonKey: string } = JSON.parse(config)
  const response = await fetch('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const session: { user: { factors?: unknown } } = await response.json()
  delete session.user.factors
  localStorage.setItem('supabase-auth', JSON.stringify(session))
}

test('a prayer key is made with the password and a code', async ({ page, server, user, settings }) => {
  await user.addCategory('Family', { name: 'Anna' })
  // The clock stays: the database, whose clock is the machine's, wants a recent sign-in. The second code is the next one, given early.
  const codeAfter = (seconds: number, app: string) => codeAt(server.now().getTime() + seconds * 1000, app)
  const key = await turnOn(page, settings, (app) => codeAfter(0, app))
  await makeKey(page, user, async () => codeAfter(30, key))
  await expect.poll(async () => JSON.stringify(await user.storedRows())).not.toContain('Anna')
})
