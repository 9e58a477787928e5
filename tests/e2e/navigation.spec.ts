import type { Locator, Page } from '@playwright/test'
import { expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { loadShortcuts } from './fixtures/shortcuts.ts'
import { expect, test } from './test.ts'

const placesOf = (page: Page) => page.getByRole('navigation', { name: 'Places' })
const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not visible.')
  return { ...box, bottom: box.y + box.height }
}

test.beforeEach(async ({ user }) => {
  const names = Array.from({ length: 20 }, (_, index) => ({ name: `Person ${String(index + 1)}` }))
  await user.addCategory('Family', ...names)
})

test(
  'leads to the places, marks the current one and moves the focus to its heading',
  {
    tag: '@every-width',
  },
  async ({ page, dashboard, pray }) => {
    await dashboard.open()
    const places = placesOf(page)
    const [prayers, prayLink] = ['Prayers', 'Pray'].map((name) =>
      places.getByRole('link', { name, exact: true }),
    )
    await expect(places.locator('[aria-current=page]')).toHaveText('Prayers')
    await prayLink?.click()
    await expect(pray.title).toBeFocused()
    await expect(page).toHaveTitle('Pray · Intercede')
    await expect(page).toHaveURL('/pray')
    await expect(places.locator('[aria-current=page]')).toHaveText('Pray')
    await prayers?.click()
    await expect(dashboard.title).toBeFocused()
    await page.goBack()
    await expect(pray.title).toBeFocused()
  },
)

test('guests return to the place they requested', async ({ page, newUser, authScreen, pray }) => {
  const guest = await newUser()
  await page.goto('/terms')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/pray')
  await authScreen.signIn(guest.email, guest.password)
  await expect(pray.title).toBeVisible()
})

test('is part of the bar at the top of wide screens', async ({ page, dashboard, navigation }) => {
  await dashboard.open()
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(placesOf(page)).toBeVisible()
    const [places, bar] = await Promise.all([boxOf(placesOf(page)), boxOf(navigation.bar)])
    expect(places.y).toBeGreaterThanOrEqual(bar.y)
    expect(places.bottom).toBeLessThanOrEqual(bar.bottom)
    await expectNoHorizontalScrolling(page)
  }
})

test.describe('on a phone', { tag: '@small' }, () => {
  test.use({ viewport: { width: 375, height: 812 } })

  test('is a bar of 56 px at the bottom, which covers neither the rows nor the end of the page', async ({
    page,
    dashboard,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await dashboard.open()
    await expect(dashboard.rows).toHaveCount(20)
    const bar = await boxOf(placesOf(page))
    expect(bar).toMatchObject({ x: 0, width: 375, bottom: 812 })
    expect(Math.round(bar.height)).toBe(57)
    for (const link of await placesOf(page).getByRole('link').all())
      expect(Math.min((await boxOf(link)).width, (await boxOf(link)).height)).toBeGreaterThanOrEqual(44)
    await dashboard.rows.last().getByTitle('Edit prayer').focus()
    await expect.poll(async () => (await boxOf(dashboard.rows.last())).bottom).toBeLessThanOrEqual(bar.y)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect
      .poll(async () => (await boxOf(page.getByRole('contentinfo'))).bottom)
      .toBeLessThanOrEqual(bar.y + 1)
  })

  test('toasts appear above it', async ({ page, dashboard }) => {
    await dashboard.open()
    await dashboard.card('Family').row('Person 1').resolve.first().click()
    expect((await boxOf(dashboard.undo)).bottom).toBeLessThan((await boxOf(placesOf(page))).y)
  })

  test('the offline notice appears above it, and above the buttons of a session', async ({
    page,
    context,
    consoleWatch,
    dashboard,
    pray,
  }) => {
    consoleWatch.announceFailingServer()
    const notice = page.getByRole('main').getByText('You are offline.')
    await dashboard.open()
    await expect(dashboard.rows).toHaveCount(20)
    await context.setOffline(true)
    await expect(notice).toBeVisible()
    expect((await boxOf(notice)).bottom).toBeLessThan((await boxOf(placesOf(page))).y)
    await context.setOffline(false)
    await expect(notice).toHaveCount(0)
    await pray.open()
    await pray.begin.click()
    await context.setOffline(true)
    await expect(notice).toBeVisible()
    expect((await boxOf(notice)).bottom).toBeLessThan((await boxOf(pray.prayed)).y)
  })

  test('is hidden while a dialog, Reorder Mode or a session is open', async ({
    page,
    user,
    dashboard,
    categories,
    pray,
  }) => {
    await user.addCategories('Church')
    const places = placesOf(page)
    await dashboard.open()
    await expect(places).toBeVisible()
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.prayerDialog.name).toBeVisible()
    await expect(page.locator('.places')).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(places).toBeVisible()
    await leaveClosedDialogs(page)
    await categories.open()
    await categories.reorder.tap()
    await expect(places).toBeHidden()
    await page.getByRole('button', { name: 'Done' }).tap()
    await expect(places).toBeVisible()
    await places.getByRole('link', { name: 'Pray', exact: true }).tap()
    await pray.begin.tap()
    await expect(pray.name).toBeVisible()
    await expect(places).toBeHidden()
    await pray.done.tap()
    await expect(places).toBeVisible()
  })

  test('leaves its room to the keyboard while the user is typing', async ({ page, categories }) => {
    await categories.open()
    await categories.row('Family').edit.tap()
    await expect(categories.nameInput).toBeFocused()
    await expect(placesOf(page)).toBeVisible()
    await page.setViewportSize({ width: 375, height: 440 })
    await expect(placesOf(page)).toBeHidden()
  })

  test('has room for its texts at twice the size', async ({ page, dashboard }) => {
    await dashboard.open()
    await expect(dashboard.title).toBeVisible()
    await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
    for (const width of [320, 375]) {
      await page.setViewportSize({ width, height: 812 })
      for (const link of await placesOf(page).getByRole('link').all())
        expect(
          await link.evaluate((element) => element.scrollWidth - element.clientWidth),
        ).toBeLessThanOrEqual(0)
      expect((await boxOf(placesOf(page))).width).toBeLessThanOrEqual(width)
    }
  })
})

test.describe('keyboard shortcuts', () => {
  test('open places and the dialog for a new prayer from any screen', async ({
    page,
    categories,
    dashboard,
    pray,
  }) => {
    await categories.open()
    await expect(categories.title).toBeVisible()
    await loadShortcuts(page)
    await page.keyboard.press('p')
    await expect(pray.title).toBeFocused()
    await page.keyboard.press('n')
    await expect(dashboard.prayerDialog.name).toBeFocused()
    await expect(page).toHaveURL('/dashboard')
    await page.keyboard.type('Penny')
    await expect(dashboard.prayerDialog.name).toHaveValue('Penny')
  })

  test('do nothing while the user is typing, with modifier keys, or while a menu is open', async ({
    page,
    categories,
    navigation,
  }) => {
    await categories.open()
    await loadShortcuts(page)
    await categories.row('Family').edit.click()
    await categories.nameInput.fill('')
    await page.keyboard.type('np?')
    await expect(categories.nameInput).toHaveValue('np?')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+p')
    await navigation.menuButton.click()
    await expect(navigation.menu).toBeVisible()
    await page.keyboard.press('p')
    await expect(navigation.menu).toBeVisible()
    await expect(page).toHaveURL('/manage-categories')
  })

  test('are listed with "?", and can be switched off until the menu switches them on', async ({
    page,
    dashboard,
    navigation,
  }) => {
    await dashboard.open()
    await expect(dashboard.title).toBeVisible()
    await loadShortcuts(page)
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(list).toContainText('New prayer')
    await list.getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await leaveClosedDialogs(page)
    await page.reload()
    await expect(dashboard.title).toBeVisible()
    // Loads what handles the keys.
    await navigation.menuButton.click()
    await navigation.shortcutsItem.click()
    await expect(list).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    for (const key of ['?', 'n', 'p']) await page.keyboard.press(key)
    await expect(page).toHaveURL('/dashboard')
    await navigation.menuButton.click()
    await navigation.shortcutsItem.click()
    await list.getByRole('checkbox').check()
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await page.keyboard.press('p')
    await expect(page).toHaveURL('/pray')
  })
})
