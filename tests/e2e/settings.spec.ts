import { expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
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

test('theme, text size and where the app opens are chosen for this device; the first two show before the app has started', async ({
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
  await page.getByRole('radio', { name: 'Today' }).click()
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
  await page.goto('/')
  await expect(page).toHaveURL('/pray')
})
