import type { Locator } from '@playwright/test'
import { doubleTextSize, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { lastLineOf } from './fixtures/lines.ts'
import { tabBackTo, tabTo } from './fixtures/tab-to.ts'
import { expect, test } from './test.ts'

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not visible.')
  return box
}

test('everything can be done with the keyboard alone', async ({
  page,
  authScreen,
  navigation,
  dashboard,
  categories,
}) => {
  const { keyboard } = page
  const press = async (target: Locator, key: 'Enter' | 'Space' = 'Enter') => {
    await tabTo(page, target)
    await keyboard.press(key)
  }

  await authScreen.open()
  await press(authScreen.toSignUp)
  await expect(authScreen.heading('Create account')).toBeVisible()
  await tabTo(page, authScreen.email)
  await keyboard.type('keyboard@example.org')
  await tabTo(page, authScreen.password)
  await keyboard.type('a quiet hour')
  await keyboard.press('Enter')

  await press(dashboard.createFirstCategory)
  for (const name of ['Family', 'Church']) {
    await press(categories.addCategory)
    await expect(categories.dialog.name).toBeFocused()
    await keyboard.type(name)
    await keyboard.press('Enter')
    await expect(categories.dialog.root).toBeHidden()
    await expect(categories.addCategory).toBeFocused()
  }
  await press(categories.row('Church').edit)
  await keyboard.type('Choir')
  await keyboard.press('Enter')
  await expect(categories.names).toHaveText(['Family', 'Choir'])
  const { handle } = categories.row('Choir')
  await press(handle, 'Space')
  await keyboard.press('ArrowUp')
  await keyboard.press('Tab')
  await categories.waitForAnnouncement('Choir is back at position 2 of 2')
  await tabBackTo(page, handle)
  // No key is lost when they are pressed in quick succession.
  for (const key of ['Space', 'ArrowUp', 'Space']) await keyboard.press(key)
  await expect(categories.names).toHaveText(['Choir', 'Family'])
  await expect(handle).toBeFocused()
  await press(categories.row('Choir').hide, 'Space')
  await expect(categories.row('Choir').show).toBeFocused()
  await keyboard.press('Space')
  await expect(categories.row('Choir').hide).toBeVisible()
  await press(categories.row('Choir').remove)
  await expect(categories.confirmDialog.cancel).toBeFocused()
  await press(categories.confirmDialog.confirm)
  await expect(categories.names).toHaveText(['Family'])

  await tabBackTo(page, categories.backToDashboard)
  await keyboard.press('Enter')
  const card = dashboard.card('Family')
  await press(card.addPrayer)
  await expect(dashboard.prayerDialog.name).toBeFocused()
  await keyboard.type('Anna')
  await tabTo(page, dashboard.prayerDialog.details)
  await keyboard.type('A calm exam week')
  await keyboard.press('Control+Enter')
  await expect(dashboard.prayerDialog.root).toBeHidden()
  await expect(card.rows).toHaveText([/Anna/])
  await press(card.row('Anna').edit)
  await expect(dashboard.prayerDialog.name).toBeFocused()
  await keyboard.press('End')
  await keyboard.type(' Maria')
  await keyboard.press('Enter')
  await expect(dashboard.prayerDialog.root).toBeHidden()
  await expect(card.rows).toHaveText([/Anna Maria/])
  await tabBackTo(page, card.row('Anna Maria').resolve)
  await keyboard.press('Space')
  await expect(card.rows).toHaveCount(0)
  await press(card.showResolved)
  await tabTo(page, card.row('Anna Maria').unresolve)
  await keyboard.press('Space')
  await expect(card.row('Anna Maria').resolve).toBeVisible()
  await press(card.row('Anna Maria').remove)
  await expect(dashboard.confirmDialog.cancel).toBeFocused()
  await press(dashboard.confirmDialog.confirm)
  await expect(card.empty).toBeVisible()

  await tabBackTo(page, navigation.menuButton)
  await keyboard.press('Enter')
  await expect(navigation.menu).toBeVisible()
  await keyboard.press('End')
  await expect(navigation.signOutItem).toBeFocused()
  await keyboard.press('Enter')
  await expect(authScreen.heading('Welcome back')).toBeVisible()
})

test(
  'everything can be done with touch alone',
  { tag: '@small' },
  async ({ authScreen, navigation, dashboard, categories, prayer }) => {
    await authScreen.open()
    await authScreen.toSignUp.tap()
    await authScreen.fill('touch@example.org', 'a quiet hour')
    await authScreen.createAccountButton.tap()
    await dashboard.createFirstCategory.tap()
    for (const name of ['Family', 'Church']) {
      await categories.addCategory.tap()
      await categories.dialog.name.fill(name)
      await categories.dialog.addButton.tap()
      await expect(categories.row(name).root).toBeVisible()
    }
    await categories.row('Church').edit.tap()
    await categories.nameInput.fill('Choir')
    await categories.saveName.tap()
    await categories.reorder.tap()
    await categories.row('Choir').up.tap()
    await categories.done.tap()
    await expect(categories.names).toHaveText(['Choir', 'Family'])
    await categories.row('Choir').hide.tap()
    await categories.row('Choir').show.tap()
    await categories.row('Choir').remove.tap()
    await categories.confirmDialog.confirm.tap()
    await expect(categories.names).toHaveText(['Family'])

    await categories.backToDashboard.tap()
    const card = dashboard.card('Family')
    await card.addPrayer.tap()
    await dashboard.prayerDialog.name.fill('Anna')
    await dashboard.prayerDialog.addButton.tap()
    await card.row('Anna').edit.tap()
    await dashboard.prayerDialog.details.fill('A calm exam week')
    await dashboard.prayerDialog.updateButton.tap()
    await card.root.getByText('A calm exam week').tap()
    await prayer.prayedToday.tap()
    await prayer.back.tap()
    await card.row('Anna').resolve.tap()
    // For a moment, the row stays; then this text moves the button down.
    await expect(card.root.getByText('All answered')).toBeVisible()
    await card.showResolved.tap()
    await card.row('Anna').unresolve.tap()
    await card.row('Anna').remove.tap()
    await dashboard.confirmDialog.confirm.tap()
    await expect(card.empty).toBeVisible()
    await navigation.menuButton.tap()
    await navigation.signOutItem.tap()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
  },
)

test(
  'with the text size doubled, nothing scrolls horizontally or is cut off',
  { tag: '@small' },
  async ({ page, user, dashboard, categories }) => {
    const note = 'That she finds words for her father, and he for her. They have not spoken since March.'
    await user.addCategory('Family', { name: 'Anna', note, dueOn: '2030-01-01' }, { name: 'Ben' })
    await dashboard.open()
    const family = dashboard.card('Family')
    await expect(family.rows).toHaveCount(2)
    await doubleTextSize(page)
    const cutOff = (locator: Locator) =>
      locator.evaluate((element) => element.scrollWidth - element.clientWidth)
    for (const width of [1280, 320, 375]) {
      await page.setViewportSize({ width, height: 812 })
      await expect(family.row('Anna').edit).toBeVisible()
      await expectNoHorizontalScrolling(page)
      const places = page.getByRole('navigation', { name: 'Places' })
      for (const link of await places.getByRole('link').all())
        expect(await cutOff(link)).toBeLessThanOrEqual(0)
      expect((await boxOf(places)).width).toBeLessThanOrEqual(width)
    }
    expect(await cutOff(page.getByRole('banner').getByText('Intercede'))).toBe(0)

    const middleOf = async (locator: Locator) => {
      const { y, height } = await boxOf(locator)
      return y + height / 2
    }
    const card = await boxOf(family.root)
    expect((await boxOf(page.getByText(note))).width).toBeGreaterThan(card.width * 0.7)
    const name = await middleOf(page.getByText('Anna', { exact: true }))
    expect(Math.abs((await middleOf(family.row('Anna').resolve)) - name)).toBeLessThan(3)

    await family.row('Anna').edit.click()
    const date = dashboard.prayerDialog.root.getByLabel('On a specific date', { exact: true })
    expect((await boxOf(date)).width, 'ten characters and the icon').toBeGreaterThan(270)
    await dashboard.prayerDialog.close.click()
    await dashboard.addPrayer('Family', 'Clara')
    await expect(family.row('Clara').root).toBeVisible()
    await dashboard.manageCategories.click()
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 812 })
      await expect(categories.row('Family').edit).toBeVisible()
      await expectNoHorizontalScrolling(page)
    }
  },
)

test.describe('with forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } })

  test('buttons with a text have a border', async ({ user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.prayerDialog.addButton).toBeVisible()
    for (const button of await dashboard.prayerDialog.root
      .getByRole('button')
      .filter({ hasText: /./ })
      .all()) {
      await expect(button).not.toHaveCSS('border-top-style', 'none')
      await expect(button).not.toHaveCSS('border-top-width', '0px')
    }
  })
})

test('for a screen reader, the dashboard consists of cards with lists of prayers, and the categories are a list', async ({
  page,
  user,
  dashboard,
  categories,
}) => {
  await user.addCategory('Family', { name: 'Anna', note: 'Peace' }, { name: 'Ben', resolved: true })
  await dashboard.open()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Prayer Dashboard" [level=1]
      - link "Manage Categories"
      - paragraph
      - figure "1 Thessalonians 5:25":
        - blockquote:
          - paragraph: “Brethren, pray for us.”
      - region "Family":
        - heading "Family" [level=2]
        - button "Add Prayer"
        - list "Family":
          - listitem:
            - button "Mark as resolved for Anna"
            - paragraph:
              - link "Anna"
            - paragraph: Peace
            - button "Edit prayer for Anna"
            - button "Delete prayer for Anna"
        - button "Show Resolved (1)"
  `)
  await user.addCategories('Church')
  await categories.open()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - link "Back to Dashboard"
      - heading "Manage Categories" [level=1]
      - paragraph
      - region "Your Categories":
        - heading "Your Categories" [level=2]
        - button "Add Category"
        - list "Your Categories":
          - listitem:
            - heading "Family" [level=3]
            - text: 2 prayers
            - button "Drag to reorder"
            - button "Hide category"
            - button "Edit category"
            - 'button "Cannot delete: contains prayers" [disabled]'
          - listitem:
            - heading "Church" [level=3]
            - text: 0 prayers
            - button "Drag to reorder"
            - button "Hide category"
            - button "Edit category"
            - button "Delete category"
      - region "Tips for Managing Categories"
  `)
})

test('right-to-left text is shown and typed right to left, independently of the texts beside it', async ({
  page,
  user,
  dashboard,
  categories,
}) => {
  await user.addCategory(
    'חברים (friends)',
    { name: 'שרה (Sarah).', note: 'רפואה שלמה (soon).' },
    { name: 'Tom' },
    { name: 'דוד', note: 'רפואה שלמה ומהירה. '.repeat(60) },
  )
  await dashboard.open()
  const heading = page.getByRole('heading', { name: 'חברים (friends)' })
  await expect(heading).toHaveCSS('direction', 'rtl')
  await expect(page.getByText('שרה (Sarah).')).toHaveCSS('direction', 'rtl')
  await expect(page.getByText('רפואה שלמה (soon).')).toHaveCSS('direction', 'rtl')
  await expect(page.getByText('Tom')).toHaveCSS('direction', 'ltr')
  // The button follows the last line that is shown, on its left.
  const { root } = dashboard.card('חברים (friends)').row('דוד')
  const [note, more] = [root.getByText('רפואה'), root.getByRole('button', { name: /^more/ })]
  const { end } = await lastLineOf(note)
  const { x, width } = await boxOf(more)
  expect(end - (x + width)).toBeGreaterThanOrEqual(0)
  expect(end - (x + width)).toBeLessThan(24)
  await dashboard.card('חברים (friends)').row('שרה').edit.click()
  await expect(dashboard.prayerDialog.name).toHaveCSS('direction', 'rtl')
  await expect(dashboard.prayerDialog.details).toHaveCSS('direction', 'rtl')
  await dashboard.prayerDialog.name.fill('Sarah')
  await expect(dashboard.prayerDialog.name).toHaveCSS('direction', 'ltr')
  await page.keyboard.press('Escape')

  await categories.open()
  await expect(heading).toHaveCSS('direction', 'rtl')
  await expect(page.getByText('3 prayers')).toHaveCSS('direction', 'ltr')
  await categories.row('חברים (friends)').edit.click()
  await expect(categories.nameInput).toHaveCSS('direction', 'rtl')
})
