import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { authScreenOf } from './screens/auth-screen.ts'
import { expect, test } from './test.ts'

const PAGES = [
  ['Profile', '/settings/profile'],
  ['Appearance', '/settings/appearance'],
  ['Reminders', '/settings/reminders'],
  ['Devices', '/settings/devices'],
  ['On this device', '/settings/on-this-device'],
  ['Your data', '/settings/your-data'],
] as const

test(
  'every page has an address, and is in the list: on a phone before the page, on a wide screen beside it',
  { tag: '@every-width' },
  async ({ page, user, dashboard, navigation, settings }) => {
    const isSmall = (page.viewportSize()?.width ?? 0) < 768
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    await navigation.menuButton.click()
    await navigation.settingsItem.click()
    for (const [name, path] of PAGES) {
      // On a wide screen, the first page is open already.
      if (isSmall || name !== 'Profile') await settings.link(name).click()
      await expect(settings.heading(name)).toBeFocused()
      await expect(page).toHaveURL(path)
      await expect(page).toHaveTitle(`${name} · Intercede`)
      await expectNoHorizontalScrolling(page)
      if (isSmall) {
        await settings.back.click()
        await expect(settings.heading('Settings')).toBeFocused()
      } else {
        await expect(settings.link(name)).toHaveAttribute('aria-current', 'page')
      }
    }
    await page.goto('/account')
    await expect(settings.heading('Your data')).toBeVisible()
    await expect(page).toHaveURL('/settings/your-data')
  },
)

test('theme and text size are chosen for this device, and show before the app has started', async ({
  page,
  user,
  settings,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  const root = page.locator(':root')
  const [light, dark] = ['rgb(250, 246, 237)', 'rgb(25, 22, 19)']
  expect(await user.categoryNames()).toEqual([])
  await settings.open('appearance')
  await expect(root).toHaveCSS('background-color', light)
  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.getByRole('radio', { name: 'Larger' }).click()
  await expect(root).toHaveCSS('background-color', dark)
  await expect(root).toHaveCSS('font-size', '20px')

  let sendFirst = () => {}
  let sendOthers = () => {}
  const firstMayArrive = new Promise<void>((resolve) => (sendFirst = resolve))
  const othersMayArrive = new Promise<void>((resolve) => (sendOthers = resolve))
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await (route.request().url().includes('first-paint') ? firstMayArrive : othersMayArrive)
    await route.continue()
  })
  const firstRequested = page.waitForRequest(/first-paint/)
  await page.reload({ waitUntil: 'commit' })
  await firstRequested
  expect(await page.evaluate(() => document.body?.children.length ?? 0), 'nothing is painted yet').toBe(0)
  sendFirst()
  await expect(page.getByRole('banner')).toContainText('Intercede')
  await expect(root).toHaveCSS('background-color', dark)
  await expect(root).toHaveCSS('font-size', '20px')
  sendOthers()
  await expect(settings.heading('Appearance')).toBeVisible()
})

test('“Open with: Today” changes where the app opens, and nothing else', async ({
  page,
  user,
  dashboard,
  navigation,
  authScreen,
  settings,
  pray,
}) => {
  await user.addCategory('Family', { name: 'Anna' })
  await settings.open('appearance')
  await page.getByRole('radio', { name: 'Today' }).click()
  await page.goto('/')
  await expect(page).toHaveURL('/pray')
  await expect(pray.begin).toBeVisible()
  await navigation.place('Prayers').click()
  await expect(dashboard.title).toBeVisible()
  await page.reload()
  await expect(dashboard.title).toBeVisible()
  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await authScreen.signIn(user.email, user.password)
  await expect(page).toHaveURL('/pray')
})

test('a device is signed out in the list of devices: at once for its requests, and with what it has stored', async ({
  page,
  browser,
  server,
  user,
  consoleWatch,
  settings,
}) => {
  consoleWatch.announceFailingServer()
  await user.addCategory('Family', { name: 'Anna' })
  const phone = await browser.newContext({
    baseURL: server.url,
    userAgent: 'Firefox/131.0 (Android 14; Mobile)',
  })
  const onPhone = await phone.newPage()
  const onPhoneAuth = authScreenOf(onPhone)
  await onPhoneAuth.open()
  await onPhoneAuth.signIn(user.email, user.password)
  await expect(onPhone.getByText('Anna')).toBeVisible()
  await settings.open('devices')
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Sign out' })
  await expect(rows.first()).toContainText('This device')
  await rows.filter({ hasText: 'Firefox on Android' }).getByRole('button').click()
  await expect(page.getByRole('status').getByText('Firefox on Android is signed out')).toBeVisible()
  await onPhone.reload()
  await expect(onPhoneAuth.heading('Welcome back')).toBeVisible()
  await expect.poll(() => onPhone.evaluate(() => indexedDB.databases())).toEqual([])
  await phone.close()
  await expectAccessible(page)
})
