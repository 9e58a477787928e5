import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { expect, test } from './test.ts'

// Colour contrast is not measured during a transition.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test.describe('axe finds no violations on', { tag: '@every-width' }, () => {
  for (const path of [
    '/',
    '/?mode=signup',
    '/?mode=reset',
    '/terms',
    '/privacy',
    '/nowhere',
    '/auth/callback',
    '/reset-password#type=recovery',
  ]) {
    test(path, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page)
    })
  }

  test('the sign-in screen with an error', async ({ page, consoleWatch, authScreen }) => {
    consoleWatch.announce(/^status 400/, /^console\.error/)
    await authScreen.open()
    await authScreen.signIn('nobody@example.org', 'a quiet hour')
    await expect(authScreen.error).toBeVisible()
    await expectAccessible(page)
  })

  test.describe('the dashboard', () => {
    test.beforeEach(async ({ user, dashboard }) => {
      await user.addCategory('Family', { name: 'Anna', note: 'Peace' }, { name: 'Ben', resolved: true })
      await user.addCategories('Church')
      await dashboard.open()
      await dashboard.card('Family').showResolved.click()
      await expect(dashboard.card('Family').rows).toHaveCount(2)
    })

    test('with prayers', async ({ page }) => {
      await expectAccessible(page)
    })

    test('with the account menu', async ({ page, navigation }) => {
      await navigation.menuButton.click()
      await expect(navigation.menu).toBeVisible()
      // The menu covers parts of the buttons behind it.
      await expectAccessible(page, 'header')
    })

    test('with the dialog for a new prayer, showing an error', async ({ page, dashboard }) => {
      await dashboard.card('Church').addPrayer.click()
      await dashboard.prayerDialog.addButton.click()
      await expect(dashboard.prayerDialog.error).toBeVisible()
      await expectAccessible(page)
    })

    test('with the dialog for an existing prayer', async ({ page, dashboard }) => {
      await dashboard.card('Family').row('Anna').edit.click()
      await expect(dashboard.prayerDialog.resolved).toBeVisible()
      await expectAccessible(page)
    })

    test('with the confirmation before deleting', async ({ page, dashboard }) => {
      await dashboard.card('Family').row('Anna').remove.click()
      await expect(dashboard.confirmDialog.root).toBeVisible()
      await expectAccessible(page)
    })

    test('with an unsaved prayer, also in the dialog that offers it', async ({ page, dashboard }) => {
      await dashboard.card('Church').addPrayer.click()
      await dashboard.prayerDialog.name.fill('Clara')
      await page.reload()
      await expect(page.getByRole('list', { name: 'Unsaved prayers' })).toBeVisible()
      await expectAccessible(page)
      await dashboard.card('Church').addPrayer.click()
      await expect(dashboard.prayerDialog.bringBack).toBeVisible()
      await expectAccessible(page)
    })

    test('with the announcement of a resolved prayer', async ({ page, dashboard }) => {
      await dashboard.card('Family').row('Anna').resolve.click()
      await expect(dashboard.undo).toBeVisible()
      await expectAccessible(page)
    })
  })

  test('a dashboard with many categories, and the menu to jump to one', async ({ page, user, dashboard }) => {
    const [first = ''] = await user.addCategories(
      ...Array.from({ length: 13 }, (_, index) => `Circle ${String(index + 1)}`),
    )
    await user.addPrayers(
      first,
      ...Array.from({ length: 30 }, (_, index) => ({ name: `Person ${String(index)}` })),
    )
    await dashboard.open()
    await page.getByRole('button', { name: 'Jump to' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page)
  })

  test('the first steps: a suggested category, and then the way to the first prayer', async ({
    page,
    user,
    categories,
  }) => {
    expect(await user.prayers()).toEqual([])
    await categories.open()
    await expect(categories.empty).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Friends' }).click()
    await expect(page.getByRole('link', { name: 'Add Your First Prayer' })).toBeVisible()
    await expectAccessible(page)
  })

  test('the welcome card', async ({ page, user, dashboard }) => {
    await user.hideCategory(await user.addCategory('Hidden'))
    await dashboard.open()
    await expect(dashboard.welcomeCard).toBeVisible()
    await expectAccessible(page)
  })

  test.describe('the categories screen', () => {
    test.beforeEach(async ({ user, categories }) => {
      await user.addCategory('Family', { name: 'Anna' })
      await user.hideCategory(await user.addCategory('Hidden'))
      await user.addCategories('Church')
      await categories.open()
      await expect(categories.rows).toHaveCount(3)
    })

    test('with categories', async ({ page }) => {
      await expectAccessible(page)
    })

    test('with the reason why a category cannot be deleted', async ({ page, categories }) => {
      await categories.row('Family').cannotRemove.click({ force: true })
      await expect(page.getByRole('status').filter({ hasText: 'prayers' })).toHaveCount(1)
      await expectAccessible(page)
    })

    test('with the dialog for a new category, showing an error', async ({ page, categories }) => {
      await categories.addCategory.click()
      await categories.dialog.addButton.click()
      await expect(categories.dialog.error).toBeVisible()
      await expectAccessible(page)
    })

    test('while a category is renamed', async ({ page, categories }) => {
      await categories.row('Church').edit.click()
      await expect(categories.nameInput).toBeVisible()
      await expectAccessible(page)
    })

    test('with the confirmation before deleting', async ({ page, categories }) => {
      await categories.row('Church').remove.click()
      await expect(categories.confirmDialog.root).toBeVisible()
      await expectAccessible(page)
    })
  })

  test.describe('the account data screen', () => {
    test.beforeEach(async ({ user, accountData }) => {
      await user.addCategory('Family', { name: 'Anna' })
      await accountData.open()
      await expect(accountData.title).toBeVisible()
    })

    test('with an invalid file and with a valid one', async ({ page, consoleWatch, accountData }) => {
      consoleWatch.announce(/^console\.error/)
      await expectAccessible(page)
      const { text } = await accountData.saved(accountData.saveDataFile)
      await accountData.choose(
        text.replace('"Anna"', '"Ben"').replaceAll(/"id": "......../g, '"id": "00000000'),
      )
      await expect(accountData.error).toBeVisible()
      await expectAccessible(page)
      await accountData.choose(text)
      await expect(accountData.importCard).toContainText('is here already')
      await expectAccessible(page)
    })

    test('with the confirmation before the account is deleted', async ({ page, accountData }) => {
      await accountData.deleteButton.click()
      await accountData.deletion.confirm.click()
      await expect(accountData.deletion.error).toBeVisible()
      await expectAccessible(page)
    })
  })

  test('the error banner of a rejected change', async ({ page, user, consoleWatch, dashboard }) => {
    consoleWatch.announce(/^console\.error/)
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    await expect(dashboard.card('Family').rows).toHaveCount(1)
    await user.deleteEverything()
    await dashboard.card('Family').row('Anna').resolve.click()
    await expect(dashboard.banner).toBeVisible()
    await expectAccessible(page)
  })

  test('the notice of a lost connection', async ({ page, server, user, consoleWatch, dashboard }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    await expect(dashboard.card('Family').rows).toHaveCount(1)
    await server.stop()
    await dashboard.card('Family').row('Anna').resolve.click()
    await expect(page.getByText('Changes are kept on this device.')).toBeVisible()
    await expectAccessible(page)
  })
})

test('axe finds no violations in Reorder Mode', { tag: '@small' }, async ({ page, user, categories }) => {
  await user.addCategories('Family', 'Church')
  await categories.open()
  await categories.reorder.tap()
  await expect(categories.reorderBar).toBeVisible()
  await expectAccessible(page)
})

test.describe('nothing scrolls horizontally at 320 px', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  for (const path of [
    '/',
    '/?mode=signup',
    '/?mode=reset',
    '/terms',
    '/privacy',
    '/nowhere',
    '/auth/callback',
  ]) {
    test(`on ${path}`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectNoHorizontalScrolling(page)
    })
  }

  test('on the dashboard, its dialogs and its menu', async ({ page, user, dashboard, navigation }) => {
    await user.addCategory('Family', { name: 'Anna', note: 'Peace' }, { name: 'Ben', resolved: true })
    await dashboard.open()
    await expect(dashboard.card('Family').rows).toHaveCount(1)
    await expectNoHorizontalScrolling(page)
    await navigation.menuButton.click()
    await expect(navigation.menu).toBeInViewport()
    await expectNoHorizontalScrolling(page)
    await page.keyboard.press('Escape')
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.prayerDialog.name).toBeInViewport()
    await expectNoHorizontalScrolling(page)
  })

  test('on the categories screen', async ({ page, user, categories }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await user.addCategories('Church')
    await categories.open()
    await expect(categories.rows).toHaveCount(2)
    await expectNoHorizontalScrolling(page)
    await categories.row('Church').edit.click()
    await expect(categories.nameInput).toBeInViewport()
    await expectNoHorizontalScrolling(page)
  })

  test('on the account data screen and its dialog', async ({ page, user, accountData }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await accountData.open()
    await expect(accountData.title).toBeVisible()
    await expectNoHorizontalScrolling(page)
    await accountData.deleteButton.click()
    await expect(accountData.deletion.password).toBeInViewport()
    await expectNoHorizontalScrolling(page)
  })
})

test.describe('with reduced motion', () => {
  test('resolving and adding a prayer have the same results, without animations', async ({
    page,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').resolve.click()
    await expect(card.rows).toHaveText([/Ben/])
    await dashboard.addPrayer('Family', 'Clara')
    await expect(card.rows).toHaveText([/Clara/, /Ben/])
    const animations = await page.evaluate(
      () =>
        document.getAnimations().filter((animation) => Number(animation.effect?.getTiming().duration) > 50)
          .length,
    )
    expect(animations).toBe(0)
  })
})
