import { expect, test } from './test.ts'

test.beforeEach(async ({ user, dashboard }) => {
  await user.addCategory('Family')
  await dashboard.open()
  await expect(dashboard.title).toBeVisible()
})

test('shows the product name, and the initial and the name of the user, from the part of the address before the @', async ({
  user,
  navigation,
}) => {
  await expect(navigation.bar).toContainText('Intercede')
  const [name = ''] = user.email.split('@')
  await expect(navigation.menuButton).toContainText(name)
  await expect(navigation.menuButton).toContainText('U')
})

test(
  'shows the name at any width, shortened if need be',
  { tag: '@every-width' },
  async ({ page, user, navigation }) => {
    for (const width of [320, 375, 768, 1280]) {
      await page.setViewportSize({ width, height: 812 })
      const name = navigation.menuButton.getByText(user.email.split('@')[0] ?? '', { exact: true })
      await expect(name).toBeInViewport({ ratio: 1 })
      expect((await name.boundingBox())?.width).toBeGreaterThan(30)
      await expect(navigation.bar.getByText('Intercede')).toBeInViewport({ ratio: 1 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
  },
)

test('opens the menu on click, with the e-mail address and Sign out', async ({ page, user, navigation }) => {
  await expect(navigation.menu).toBeHidden()
  await navigation.menuButton.click()
  await expect(navigation.menu).toBeVisible()
  await expect(page.getByText(user.email)).toBeVisible()
  await expect(navigation.signOutItem).toBeVisible()
  await expect(navigation.twitterBadge).toBeHidden()
  await expect(navigation.menuButton).toHaveAttribute('aria-expanded', 'true')
})

test('closes the menu on a click outside and on a second click', async ({ dashboard, navigation }) => {
  await navigation.menuButton.click()
  await expect(navigation.menu).toBeVisible()
  await dashboard.title.click()
  await expect(navigation.menu).toBeHidden()
  await navigation.menuButton.click()
  await expect(navigation.menu).toBeVisible()
  await navigation.menuButton.click()
  await expect(navigation.menu).toBeHidden()
})

test('supports the keyboard: arrow down opens the menu, Esc closes it and restores the focus', async ({
  page,
  navigation,
}) => {
  await navigation.menuButton.focus()
  await page.keyboard.press('ArrowDown')
  await expect(navigation.accountDataItem).toBeFocused()
  await expect(navigation.accountDataItem).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('ArrowDown')
  await expect(navigation.shortcutsItem).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(navigation.signOutItem).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(navigation.accountDataItem).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(navigation.menu).toBeHidden()
  await expect(navigation.menuButton).toBeFocused()
})

test('Tab closes the menu and moves on', async ({ page, dashboard, navigation }) => {
  await navigation.menuButton.focus()
  await page.keyboard.press('ArrowDown')
  await expect(navigation.accountDataItem).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(navigation.menu).toBeHidden()
  await expect(dashboard.manageCategories).toBeFocused()
})

test('"back" closes the menu, not the page', async ({ page, dashboard, navigation }) => {
  await dashboard.manageCategories.click()
  await navigation.menuButton.click()
  await expect(navigation.menu).toBeVisible()
  await page.goBack()
  await expect(navigation.menu).toBeHidden()
  await expect(navigation.menuButton).toBeFocused()
  await expect(page).toHaveURL('/manage-categories')
  await page.goBack()
  await expect(dashboard.title).toBeVisible()
})

test('a link in the menu is one step in the history', async ({
  page,
  dashboard,
  navigation,
  accountData,
}) => {
  await navigation.menuButton.click()
  await navigation.accountDataItem.click()
  await expect(accountData.title).toBeVisible()
  await page.goBack()
  await expect(dashboard.title).toBeVisible()
  await page.goForward()
  await expect(accountData.title).toBeVisible()
})

test('signs out to the sign-in screen, and the dashboard can no longer be opened', async ({
  page,
  navigation,
  authScreen,
}) => {
  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.goto('/dashboard')
  await expect(authScreen.heading('Welcome back')).toBeVisible()
})

test('shows "Signing out..." until the server responds', async ({ server, navigation, authScreen }) => {
  server.pause()
  await navigation.signOut()
  await expect(navigation.signOutItem).toHaveText('Signing out...')
  await expect(navigation.signOutItem).toBeDisabled()
  server.resume()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
})

test('signs out on this device even if the server is down', async ({
  page,
  server,
  consoleWatch,
  navigation,
  authScreen,
}) => {
  consoleWatch.announceFailingServer()
  await server.stop()
  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect(page.getByText('Failed to sign out')).toBeHidden()
  await server.start()
  await page.goto('/dashboard')
  await expect(authScreen.heading('Welcome back')).toBeVisible()
})
