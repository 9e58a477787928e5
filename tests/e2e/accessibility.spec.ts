import { doubleTextSize, expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { reloadWithDialog } from './fixtures/closed-dialogs.ts'
import { pauseClock } from './fixtures/pause-clock.ts'
import { textOnDevice } from './fixtures/text-on-device.ts'
import { expect, test } from './test.ts'

/** The screens for guests, each with its heading. */
const GUEST_SCREENS = [
  ['/', 'Welcome back'],
  ['/?mode=signup', 'Create account'],
  ['/?mode=reset', 'Reset your password'],
  ['/terms', 'Terms of Service'],
  ['/privacy', 'Privacy Policy'],
  ['/nowhere/at-all', 'Oops!! Page not found'],
  ['/auth/callback#error=server_error', 'Authentication Failed'],
  ['/reset-password#type=recovery', 'Set New Password'],
  ['/turn-off-reminder', 'Turn off a reminder'],
] as const

test.describe('axe finds no violations, and nothing scrolls horizontally,', () => {
  test(
    'on the screens for guests, also with the text size doubled',
    { tag: '@small' },
    async ({ page, consoleWatch, authScreen }) => {
      consoleWatch.announce(/^status 400/, /^console\.error/)
      await authScreen.open()
      await authScreen.signIn('nobody@example.org', 'a quiet hour')
      await expect(authScreen.error).toBeVisible()
      await expectAccessible(page)
      for (const [path, heading] of GUEST_SCREENS) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
        await expectAccessible(page)
        await doubleTextSize(page)
        await expectNoHorizontalScrolling(page)
      }
    },
  )

  test.describe('on the dashboard', { tag: '@small' }, () => {
    test.beforeEach(async ({ page, user, dashboard }) => {
      await page.clock.install()
      await user.addCategory(
        'Family',
        { name: 'Anna', note: 'Peace' },
        { name: 'Ben', note: 'A new job', resolved: true },
      )
      await user.addCategories('Church')
      await dashboard.open()
    })

    test('with prayers, an announcement and the account menu', async ({ page, dashboard, navigation }) => {
      const family = dashboard.card('Family')
      const expectNoAnimations = async () => {
        const animations = await page.evaluate(
          () =>
            document
              .getAnimations()
              .filter((animation) => Number(animation.effect?.getTiming().duration) > 50).length,
        )
        expect(animations, 'with reduced motion').toBe(0)
      }
      await expect(family.rows).toHaveText([/Anna/])
      await pauseClock(page)
      await dashboard.addPrayer('Family', 'Clara')
      await expect(family.row('Clara').root).toBeVisible()
      await expectNoAnimations()
      await family.row('Anna').resolve.click()
      await expectNoAnimations()
      // It stays while it has the focus.
      await dashboard.undo.focus()
      await page.clock.resume()
      await expectAccessible(page)
      await dashboard.undo.click()
      await expect(family.row('Anna').resolve).toBeVisible()
      await family.showResolved.click()
      await expect(family.rows).toHaveText([/Clara/, /Anna/, /Ben/])
      for (const [text, line] of [
        ['Anna', 'none'],
        ['Ben', 'line-through'],
        ['A new job', 'line-through'],
      ] as const) {
        const paragraph = family.root.getByText(text, { exact: true }).locator('xpath=ancestor-or-self::p')
        await expect(paragraph).toHaveCSS('text-decoration-line', line)
      }
      await expectAccessible(page)
      await navigation.menuButton.click()
      await expect(navigation.menu).toBeVisible()
      // The menu covers parts of the buttons behind it.
      await expectAccessible(page, 'header')
    })

    test('with an error and the offline notice, which covers neither the title nor the first card', async ({
      page,
      context,
      user,
      consoleWatch,
      dashboard,
      navigation,
    }) => {
      consoleWatch.announceFailingServer()
      consoleWatch.announce(/^status 409: /)
      const neighbours = await user.addCategory('Neighbours')
      await page.reload()
      await dashboard.card('Neighbours').addPrayer.click()
      await dashboard.prayerDialog.name.fill('Clara')
      // Offline, the page does not notice that the category has been deleted.
      await context.setOffline(true)
      await user.deleteCategory(neighbours)
      await dashboard.prayerDialog.addButton.click()
      const notice = page.getByText('Changes are kept on this device.')
      await expect(notice).toBeVisible()
      await expectAccessible(page)
      await page.clock.runFor(3000)
      await navigation.menuButton.click()
      await expect(page.getByText('1 change waiting', { exact: true })).toBeVisible()
      await expectAccessible(page, 'header')
      await page.keyboard.press('Escape')
      const size = page.viewportSize()
      await page.setViewportSize({ width: 375, height: 440 })
      await page.evaluate(() => scrollTo(0, 0))
      await expect(notice).toBeInViewport({ ratio: 1 })
      const button = await dashboard.card('Family').addPrayer.boundingBox()
      expect((await notice.boundingBox())?.y).toBeGreaterThan((button?.y ?? Infinity) + (button?.height ?? 0))
      if (size) await page.setViewportSize(size)
      await context.setOffline(false)
      await expect(dashboard.banner).toBeVisible()
      await expectAccessible(page)
    })

    test('with its dialogs, and with an unsaved prayer', async ({ page, dashboard }) => {
      const { prayerDialog, confirmDialog } = dashboard
      const [anna, church] = [dashboard.card('Family').row('Anna'), dashboard.card('Church')]
      await anna.remove.click()
      await expect(confirmDialog.root).toBeVisible()
      await expectAccessible(page)
      await confirmDialog.cancel.click()
      await anna.edit.click()
      await expect(prayerDialog.resolved).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await church.addPrayer.click()
      await prayerDialog.addButton.click()
      await expect(prayerDialog.error).toBeVisible()
      await expectAccessible(page)
      await prayerDialog.name.fill('Clara')
      await reloadWithDialog(page)
      await expect(page.getByRole('list', { name: 'Unsaved prayers' })).toBeVisible()
      await expectAccessible(page)
      await church.addPrayer.click()
      await expect(prayerDialog.bringBack).toBeVisible()
      await expectAccessible(page)
    })
  })

  test(
    'in the first steps, on the welcome card, and with many categories',
    { tag: '@small' },
    async ({ page, user, dashboard, categories }) => {
      expect(await user.categoryNames()).toEqual([])
      await categories.open()
      await expect(categories.empty).toBeVisible()
      await expectAccessible(page)
      await categories.suggestion('Friends').click()
      await expect(categories.firstPrayer).toBeVisible()
      await expectAccessible(page)
      await categories.row('Friends').hide.click()
      await expect.poll(() => user.categoryNames()).toEqual(['Friends'])
      await categories.backToDashboard.click()
      await expect(dashboard.welcomeCard).toBeVisible()
      await expectAccessible(page)
      const names = Array.from({ length: 13 }, (_, index) => `Circle ${String(index + 1)}`)
      const [first = ''] = await user.addCategories(...names)
      await user.addPrayers(
        first,
        ...Array.from({ length: 30 }, (_, index) => ({ name: `Person ${String(index + 1)}` })),
      )
      await expect.poll(() => textOnDevice(page), 'Friends is saved').not.toContain('"kind":"insert"')
      await dashboard.open()
      await expect(dashboard.card('Circle 1').showAll).toBeVisible()
      await page.getByRole('button', { name: 'Jump to' }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await expectAccessible(page)
    },
  )

  test(
    'on the categories screen and in its dialogs',
    { tag: '@small' },
    async ({ page, user, categories }) => {
      await user.addCategory('Family', { name: 'Anna' })
      await user.hideCategory(await user.addCategory('Hidden'))
      await user.addCategories('Church')
      await categories.open()
      await expect(categories.rows).toHaveCount(3)
      await expect(categories.row('Family').nameText).toHaveCSS('font-style', 'normal')
      await expect(categories.row('Hidden').nameText).toHaveCSS('font-style', 'italic')
      await expectAccessible(page)
      await categories.row('Family').cannotRemove.click({ force: true })
      await expect(categories.moveDialog).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await categories.addCategory.click()
      await categories.dialog.addButton.click()
      await expect(categories.dialog.error).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await categories.row('Church').remove.click()
      await expect(categories.confirmDialog.root).toBeVisible()
      await expectAccessible(page)
      await categories.confirmDialog.cancel.click()
      await categories.row('Church').edit.click()
      await expect(categories.nameInput).toBeVisible()
      await expectAccessible(page)
    },
  )

  test('in Reorder Mode', { tag: '@small' }, async ({ page, user, categories }) => {
    await user.addCategories('Family', 'Church')
    await categories.open()
    await categories.reorder.tap()
    await expect(categories.reorderBar).toBeVisible()
    await expectAccessible(page)
  })

  test(
    'on the pages of the settings, which do not scroll horizontally at 320 px with doubled text either, and where a place could not be loaded',
    { tag: '@small' },
    async ({ page, user, dashboard, navigation, settings, consoleWatch }) => {
      consoleWatch.announceFailingServer()
      await user.addCategory('Family', { name: 'Anna' })
      await user.addReminder()
      // Each page is complete when it shows this text.
      for (const [name, text] of [
        ['', 'Your data'],
        ['profile', 'Change password'],
        ['appearance', 'Open with'],
        ['reminders', 'Add a reminder'],
        ['devices', 'This device'],
        ['on-this-device', '1 prayer and 1 category'],
      ] as const) {
        await settings.open(name)
        await expect(page.getByRole('main')).toContainText(text)
        if (name === 'profile') {
          await page.getByRole('button', { name: 'Change email address' }).click()
          await page.getByRole('button', { name: 'Send link' }).click()
          await page.getByRole('button', { name: 'Change password' }).click()
          await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
        }
        if (name === 'reminders') {
          await page.getByRole('button', { name: 'Change the time zone' }).click()
          await page.getByRole('button', { name: 'Edit' }).click()
          await page.getByRole('button', { name: 'Clear' }).click()
          await page.getByRole('button', { name: 'Save', exact: true }).first().click()
          await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
        }
        await expectAccessible(page)
        await page.setViewportSize({ width: 320, height: 640 })
        await doubleTextSize(page)
        await expectNoHorizontalScrolling(page)
        await page.setViewportSize({ width: 375, height: 740 })
      }
      await dashboard.open()
      await page.route('**/rest/v1/prayers*', (route) => route.abort())
      await dashboard.card('Family').row('Anna').resolve.click()
      await expect.poll(() => textOnDevice(page), 'the change is stored').toContain('"resolved":true')
      await settings.open('on-this-device')
      await expect(page.getByRole('main')).toContainText('1 change waiting to be sent.')
      await expectAccessible(page)
      await page.getByLabel('Keep nothing on this device').click()
      await expect(dashboard.confirmDialog.root).toContainText('1 change has not been saved')
      await expectAccessible(page)
      await dashboard.confirmDialog.cancel.click()
      await page.route('**/assets/answered-screen-*.js', (route) => route.abort())
      await page.goto('/answered')
      await expect(page.getByRole('main').getByRole('alert')).toContainText('could not be loaded')
      await expect(navigation.place('Answered')).toHaveAttribute('aria-current', 'page')
      await expectAccessible(page)
    },
  )

  test(
    'on “Your data” and in its dialog',
    { tag: '@small' },
    async ({ page, user, consoleWatch, yourData }) => {
      consoleWatch.announce(/^console\.error/)
      await user.addCategory('Family', { name: 'Anna' })
      await yourData.open()
      await expect(yourData.title).toBeVisible()
      await expectAccessible(page)
      const { text } = await yourData.saved(yourData.saveDataFile)
      await yourData.choose(text.replace('"Anna"', '"Ben"').replaceAll(/"id": "......../g, '"id": "00000000'))
      await expect(yourData.error).toBeVisible()
      await expectAccessible(page)
      await yourData.choose(text)
      await expect(yourData.importCard).toContainText('is here already')
      await expectAccessible(page)
      await yourData.deleteButton.click()
      await yourData.deletion.confirm.click()
      await expect(yourData.deletion.error).toBeVisible()
      await expectAccessible(page)
    },
  )
})
