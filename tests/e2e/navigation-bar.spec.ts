import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { loadShortcuts } from './fixtures/shortcuts.ts'
import { expect, test } from './test.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.beforeEach(async ({ user, dashboard }) => {
  await user.addCategory('Family')
  await dashboard.open()
  // The page is not waiting for any response then.
  await expect(dashboard.card('Family').empty).toBeVisible()
})

test('shows the product and the user at any width, shortened if need be', async ({
  page,
  user,
  navigation,
}) => {
  // The part of the address before the @.
  const name = navigation.menuButton.getByText(user.email.split('@')[0] ?? '', { exact: true })
  for (const width of [320, 375, 768, 1280]) {
    await page.setViewportSize({ width, height: 812 })
    await expect(name).toBeInViewport({ ratio: 1 })
    const shown = await name.evaluate(({ clientWidth, scrollWidth }) => clientWidth / scrollWidth)
    expect(shown, 'part of the name').toBeGreaterThan(0.5)
    await expect(navigation.menuButton.getByText('U', { exact: true })).toBeInViewport({ ratio: 1 })
    await expect(navigation.bar.getByText('Intercede')).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  }
  // The largest text size of the settings, beside the places.
  await page.evaluate(() => void (document.documentElement.style.fontSize = '125%'))
  await page.setViewportSize({ width: 768, height: 812 })
  await expect.poll(() => name.evaluate(({ clientWidth }) => clientWidth), 'no fragment of the name').toBe(0)
  await expect(navigation.menuButton).toHaveAccessibleName(/^user\d+: account menu$/)
})

test('the account menu opens and closes with the mouse, the keyboard and "back"', async ({
  page,
  user,
  dashboard,
  navigation,
  settings,
}) => {
  const { menu, menuButton, settingsItem, shortcutsItem, signOutItem } = navigation
  await dashboard.manageCategories.click()
  await expect(menu).toBeHidden()
  await loadShortcuts(page)
  await menuButton.click()
  await expect(menu).toBeVisible()
  await expect(menuButton).toHaveAttribute('aria-expanded', 'true')
  // Shortcuts wait until it is closed.
  await page.keyboard.press('p')
  await expect(menu).toBeVisible()
  await expect(page).toHaveURL('/manage-categories')
  await expect(page.getByText(user.email)).toBeVisible()
  await expect(navigation.twitterBadge).toBeHidden()
  await menuButton.click()
  await expect(menu).toBeHidden()
  await menuButton.click()
  await expect(menu).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(menu).toBeHidden()

  await menuButton.focus()
  await page.keyboard.press('ArrowDown')
  await expect(settingsItem).toBeFocused()
  await expect(settingsItem).toHaveCSS('outline-style', 'solid')
  for (const item of [shortcutsItem, signOutItem, settingsItem]) {
    await page.keyboard.press('ArrowDown')
    await expect(item).toBeFocused()
  }
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(menuButton).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(settingsItem).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(menu).toBeHidden()
  await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toBeFocused()

  await leaveClosedDialogs(page)
  await menuButton.click()
  await expect(menu).toBeVisible()
  await page.goBack()
  await expect(menu).toBeHidden()
  await expect(menuButton).toBeFocused()
  await expect(page).toHaveURL('/manage-categories')
  // A link in the menu is one step in the history.
  await menuButton.click()
  await settingsItem.click()
  await expect(settings.sideList).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/manage-categories')
  await page.goForward()
  await expect(settings.sideList).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(dashboard.title).toBeVisible()
})
