import type { Page } from '@playwright/test'
import { expectAccessible } from './fixtures/accessibility.ts'
import { textOnDevice } from './fixtures/text-on-device.ts'
import { authScreenOf } from './screens/auth-screen.ts'
import { confirmDialogOf } from './screens/confirm-dialog.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

const KEEP_NOTHING = 'Keep nothing on this device'

test(
  'changes that are waiting to be sent show at the avatar, in the menu and under “On this device”, where nothing is deleted without asking',
  { tag: '@every-width' },
  async ({ page, server, user, dashboard, navigation, settings, consoleWatch }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family', { name: 'Anna' })
    await settings.open('on-this-device')
    await expect(page.getByText('1 prayer and 1 category are stored in this browser')).toBeVisible()
    await expect(page.getByText('Everything has been sent.')).toBeVisible()
    await navigation.place('Prayers').click()
    await expect(dashboard.card('Family').rows).toHaveCount(1)
    await expect(navigation.menuButton).not.toHaveAccessibleName(/waiting/)
    await server.stop()
    await dashboard.card('Family').row('Anna').resolve.click()
    await expect(navigation.menuButton).toHaveAccessibleName(/account menu, 1 change waiting$/)
    await expect(page.getByRole('status').getByText('Changes are waiting to be sent')).toBeAttached()
    await navigation.menuButton.click()
    await expect(page.getByText('1 change waiting', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await navigation.settingsItem.click()
    await settings.link('On this device').click()
    await expect(settings.heading('On this device')).toBeVisible()
    await expect(page.getByText('1 change waiting to be sent.')).toBeVisible()
    await expectAccessible(page)

    const { cancel, root } = confirmDialogOf(page)
    await page.getByLabel(KEEP_NOTHING).click()
    await expect(root).toContainText('1 change has not been saved on the server yet')
    await expectAccessible(page)
    await cancel.click()
    await expect(page.getByLabel(KEEP_NOTHING)).not.toBeChecked()
    await server.start()
    // “Send now” goes by itself as soon as a round of the page's own succeeds.
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(page.getByText('Everything has been sent.')).toBeVisible()
    await expect(navigation.menuButton).not.toHaveAccessibleName(/waiting/)
    expect(await user.prayers()).toMatchObject([{ resolved: true }])
  },
)

test('“Keep nothing on this device” deletes what is stored, and stays on after signing out', async ({
  page,
  user,
  dashboard,
  navigation,
  authScreen,
  settings,
}) => {
  await user.addCategory('Family', { name: 'Anna' })
  await settings.open('on-this-device')
  await expect(page.getByText('1 prayer and 1 category are stored in this browser')).toBeVisible()
  expect(await databasesOf(page)).toHaveLength(1)
  await page.getByLabel(KEEP_NOTHING).check()
  await expect(page.getByText(/^Nothing is stored on this device/)).toBeVisible()
  await expect.poll(() => databasesOf(page)).toEqual([])
  await navigation.signOut()
  await authScreen.signIn(user.email, user.password)
  await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
  await dashboard.addPrayer('Family', 'Ben')
  await expect(dashboard.card('Family').rows).toHaveText([/Ben/, /Anna/])
  expect(await databasesOf(page)).toEqual([])
  await settings.open('on-this-device')
  await expect(page.getByLabel(KEEP_NOTHING)).toBeChecked()
})

async function databasesOf(page: Page): Promise<unknown[]> {
  return page.evaluate(() => indexedDB.databases())
}

test(
  'the sign-in screen says that unsaved changes are kept, without naming anyone, and discards them on request',
  { tag: '@small' },
  async ({ page, server, user, consoleWatch, dashboard, authScreen }) => {
    consoleWatch.announceFailingServer()
    const text = page.getByText('Changes that are not saved yet are kept on this device')
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    await expect(dashboard.card('Family').rows).toHaveCount(1)
    await server.stop()
    await dashboard.card('Family').row('Anna').resolve.click()
    await expect(dashboard.card('Family').rows).toHaveCount(0)
    await expect.poll(() => textOnDevice(page), 'the change is stored').toContain('"resolved":true')
    // The server has ended the session. The page is closed before the server is back and the change could be sent.
    await page.evaluate(() => localStorage.removeItem('supabase-auth'))
    await page.goto('about:blank')
    await server.start()
    await page.goto('/')
    await authScreen.email.focus()
    await expect(text).toBeVisible()
    await expect(page.getByText('Anna')).toHaveCount(0)
    await expectAccessible(page)

    const discard = page.getByRole('button', { name: 'Discard' })
    const dialog = page.getByRole('alertdialog')
    await discard.click()
    await expect(dialog).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(text).toBeVisible()
    await discard.click()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await expect(text).toHaveCount(0)
    await expect.poll(() => databasesOf(page)).toEqual([])
    expect(await user.prayers()).toMatchObject([{ resolved: false }])
  },
)

test('after the server was restored from a backup, everything is hidden until the same user signs in, and sent again what the backup lacks', async ({
  page,
  browser,
  baseURL,
  server,
  user,
  consoleWatch,
  dashboard,
  navigation,
  authScreen,
}) => {
  consoleWatch.announceFailingServer()
  // Neither the access token nor the refresh token is known any more.
  consoleWatch.announce(/^status 401: \/rest\/v1\//, /^status 400: \/auth\/v1\/token/)
  const { rows } = dashboard.card('Family')
  const family = await user.addCategory('Family', { name: 'Anna' })
  const restore = await server.backUp()
  await user.addPrayers(family, { name: 'Ben', note: 'A calm exam week' })
  await dashboard.open()
  await expect.poll(() => textOnDevice(page), 'the rows are stored').toContain('A calm exam week')
  await expect(rows).toHaveText([/Ben/, /Anna/])
  await restore()
  await page.reload()
  await expect(page.getByText('because the server does not know this session')).toBeVisible()
  await expect(page.getByText(/^Prayers are kept on this device, hidden/)).toBeVisible()
  await expect(page.getByText('Anna')).toHaveCount(0)
  await expectAccessible(page)
  expect(await databasesOf(page)).toHaveLength(1)

  const sentAgain = page.waitForResponse(
    (response) => response.status() === 201 && response.url().includes('/rest/v1/prayers'),
  )
  await authScreen.signIn(user.email, user.password)
  await expect(rows).toHaveText([/Ben/, /Anna/])
  await sentAgain
  await expect(navigation.menuButton).not.toHaveAccessibleName(/waiting/)
  await expect(navigation.couldNotBeSaved).toHaveCount(0)
  const phone = await browser.newContext({ baseURL: baseURL ?? '' })
  const elsewhere = await phone.newPage()
  const phoneScreen = authScreenOf(elsewhere)
  await phoneScreen.open()
  await phoneScreen.signIn(user.email, user.password)
  await expect(dashboardScreenOf(elsewhere).card('Family').rows).toHaveText([/Ben/, /Anna/])
  await phone.close()
})

test(
  'when another tab runs a newer version, the page offers to be reloaded and keeps what was typed',
  { tag: '@small' },
  async ({ page, context, user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    await dashboard.card('Family').addPrayer.click()
    await dashboard.prayerDialog.name.fill('Anna')
    const other = await context.newPage()
    await other.goto('/terms')
    await other.evaluate(async (name) => {
      await new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name, 1000)
        opening.addEventListener('success', () => {
          opening.result.close()
          resolve()
        })
        opening.addEventListener('error', () => reject(new Error('The database cannot be opened.')))
      })
    }, `intercede-${user.id}`)
    await dashboard.prayerDialog.cancel.click()
    await expect(page.getByText('A new version of Intercede is open in another tab')).toBeVisible()
    await expectAccessible(page)
    const reloaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Reload' }).click()
    await reloaded
    await dashboard.card('Family').addPrayer.click()
    await dashboard.prayerDialog.bringBack.click()
    await expect(dashboard.prayerDialog.name).toHaveValue('Anna')
  },
)
