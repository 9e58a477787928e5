import { expect, test } from './test.ts'

test('signed-in users get from the screens for guests to the dashboard, and from there back and forward', async ({
  page,
  user,
  dashboard,
  categories,
}) => {
  await user.addCategory('Family')
  for (const path of ['/', '/?mode=signup', '/reset-password', '/auth/callback']) {
    await page.goto(path)
    await expect(dashboard.title).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  }
  await expect(page).toHaveTitle(/Dashboard.*Intercede/)
  await dashboard.manageCategories.click()
  // A new screen is noticed by its title and by the focus on its heading.
  await expect(page).toHaveTitle(/Manage Categories.*Intercede/)
  await expect(categories.title).toBeFocused()
  await page.goBack()
  await expect(dashboard.title).toBeVisible()
  await page.goForward()
  await expect(categories.title).toBeVisible()
})

test('the first press of Tab focuses a link that skips the navigation', async ({ page, user, dashboard }) => {
  await user.addCategory('Family')
  await dashboard.open()
  await expect(dashboard.title).toBeVisible()
  await page.locator('body').evaluate((body) => {
    body.tabIndex = -1
    body.focus()
  })
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: /skip/i })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('the page shows its header before its script has arrived, and does not move it then', async ({
  page,
  authScreen,
}) => {
  let sendScripts = () => {}
  const mayArrive = new Promise<void>((resolve) => (sendScripts = resolve))
  // Not the script for the first paint, which the page waits for as for the style sheet.
  await page.route(/\/assets\/(?!first-paint)[^/]+\.js$/, async (route) => {
    await mayArrive
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  const name = page.getByRole('banner').getByRole('link', { name: 'Intercede' })
  await expect(name).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Loading...')
  // The style sheet has arrived.
  await expect(name).toHaveCSS('display', 'flex')
  // Its width changes when its font arrives.
  const places = async () => ({ ...(await name.boundingBox()), width: null })
  const before = await places()
  sendScripts()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  expect(await places()).toEqual(before)
})
