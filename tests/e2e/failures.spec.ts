import { beforeLists } from './fixtures/before-lists.ts'
import type { User } from './fixtures/user.ts'
import type { CategoriesScreen } from './screens/categories-screen.ts'
import { expect, test } from './test.ts'

test.describe('when the server stops before a change is sent', () => {
  test.beforeEach(({ consoleWatch }) => consoleWatch.announceFailingServer())

  test('adding a prayer keeps the dialog open with the typed text, and works once the server is back', async ({
    server,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family')
    await dashboard.open()
    const { prayerDialog } = dashboard
    const card = dashboard.card('Family')
    await card.addPrayer.click()
    await prayerDialog.name.fill('Anna')
    await prayerDialog.details.fill('A calm exam week')
    await server.stop()
    await prayerDialog.addButton.click()
    await expect(prayerDialog.error).toContainText('Failed to add prayer')
    await expect(prayerDialog.name).toHaveValue('Anna')
    await expect(prayerDialog.details).toHaveValue('A calm exam week')
    await expect(card.rows).toHaveCount(0)
    await server.start()
    await prayerDialog.addButton.click()
    await expect(prayerDialog.root).toBeHidden()
    await expect(card.rows).toHaveText([/Anna/])
    await expect(dashboard.banner).toHaveCount(0)
    expect(await user.prayers()).toHaveLength(1)
  })

  test('editing a prayer keeps the dialog open with the typed text, and works once the server is back', async ({
    server,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const { prayerDialog } = dashboard
    const card = dashboard.card('Family')
    await card.row('Anna').edit.click()
    await prayerDialog.name.fill('Anna Maria')
    await server.stop()
    await prayerDialog.updateButton.click()
    await expect(prayerDialog.error).toContainText('Failed to update prayer')
    await expect(prayerDialog.name).toHaveValue('Anna Maria')
    await server.start()
    await prayerDialog.updateButton.click()
    await expect(prayerDialog.root).toBeHidden()
    await expect(card.rows).toHaveText([/Anna Maria/])
    await expect
      .poll(async () => (await user.prayers()).map((prayer) => prayer.person_name))
      .toEqual(['Anna Maria'])
  })

  test('resolving a prayer is undone', async ({ server, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.rows).toHaveText([/Anna/])
    await server.stop()
    await card.row('Anna').resolve.click()
    await expect(dashboard.banner).toContainText('Failed to update prayer')
    await expect(card.row('Anna').resolve).toBeVisible()
    await expect(card.showResolved).toBeHidden()
    await expect(dashboard.undo).toBeHidden()
    await server.start()
    await dashboard.dismiss.click()
    await expect(dashboard.banner).toHaveCount(0)
    await card.row('Anna').resolve.click()
    await expect(card.showResolved).toBeVisible()
    await expect.poll(async () => (await user.prayers()).map((prayer) => prayer.resolved)).toEqual([true])
  })

  test('deleting a prayer is undone', async ({ server, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').remove.click()
    await server.stop()
    await dashboard.confirmDialog.confirm.click()
    await expect(dashboard.banner).toContainText('Failed to delete prayer')
    await expect(card.rows).toHaveText([/Anna/, /Ben/])
    await server.start()
    await card.row('Anna').remove.click()
    await dashboard.confirmDialog.confirm.click()
    await expect(card.rows).toHaveText([/Ben/])
    await expect.poll(async () => (await user.prayers()).length).toBe(1)
  })

  test('adding a category keeps the dialog open with the typed text', async ({
    server,
    user,
    categories,
  }) => {
    await categories.open()
    await expect(categories.empty).toBeVisible()
    await categories.addCategory.click()
    await categories.dialog.name.fill('Family')
    await server.stop()
    await categories.dialog.addButton.click()
    await expect(categories.dialog.error).toContainText('Failed to add category')
    await expect(categories.dialog.name).toHaveValue('Family')
    await server.start()
    await categories.dialog.addButton.click()
    await expect(categories.dialog.root).toBeHidden()
    await expect(categories.names).toHaveText(['Family'])
    expect(await user.categoryNames()).toEqual(['Family'])
  })

  test('renaming a category is undone, and the typed text is kept', async ({ server, user, categories }) => {
    await user.addCategories('Famly')
    await categories.open()
    await categories.row('Famly').edit.click()
    await categories.nameInput.fill('Family')
    await server.stop()
    await categories.nameInput.press('Enter')
    await expect(categories.banner).toContainText('Failed to update category')
    await expect(categories.nameInput).toHaveValue('Family')
    await server.start()
    await categories.nameInput.press('Enter')
    await expect(categories.names).toHaveText(['Family'])
    await expect.poll(() => user.categoryNames()).toEqual(['Family'])
  })

  test('hiding a category is undone', async ({ server, user, categories }) => {
    await user.addCategories('Family')
    await categories.open()
    const row = categories.row('Family')
    await expect(row.hide).toBeVisible()
    await server.stop()
    await row.hide.click()
    await expect(categories.banner).toContainText('Failed to update category')
    await expect(row.hide).toBeVisible()
    await server.start()
    await row.hide.click()
    await expect(row.show).toBeVisible()
  })

  test('deleting a category is undone', async ({ server, user, categories }) => {
    await user.addCategories('Family', 'Church')
    await categories.open()
    await categories.row('Family').remove.click()
    await server.stop()
    await categories.confirmDialog.confirm.click()
    await expect(categories.banner).toContainText('Failed to delete category')
    await expect(categories.names).toHaveText(['Family', 'Church'])
    await server.start()
    await categories.row('Family').remove.click()
    await categories.confirmDialog.confirm.click()
    await expect(categories.names).toHaveText(['Church'])
    await expect.poll(() => user.categoryNames()).toEqual(['Church'])
  })

  test('reordering categories is undone', async ({ server, user, categories }) => {
    await user.addCategories('Family', 'Church')
    await categories.open()
    await expect(categories.names).toHaveText(['Family', 'Church'])
    const moveFamilyDown = async () => {
      await categories.lift('Family')
      await categories.move('ArrowDown', '2 of 2')
      await categories.drop()
    }
    await server.stop()
    await moveFamilyDown()
    await expect(categories.banner).toContainText('Failed to reorder categories')
    await expect(categories.names).toHaveText(['Family', 'Church'])
    await server.start()
    await moveFamilyDown()
    await expect(categories.names).toHaveText(['Church', 'Family'])
    await expect.poll(() => user.categoryNames()).toEqual(['Church', 'Family'])
  })
})

test.describe('when a list cannot be fetched', () => {
  test('the dashboard shows an error instead of an empty list, and can try again', async ({
    page,
    server,
    user,
    consoleWatch,
    dashboard,
  }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family', { name: 'Anna' })
    const stopIntercepting = await beforeLists(page, () => server.stop())
    await dashboard.open()
    await expect(dashboard.banner).toContainText(/Failed to fetch (?:prayers|categories)/)
    await expect(dashboard.welcomeCard).toBeHidden()
    await expect(page.getByText('No prayers yet')).toBeHidden()
    await stopIntercepting()
    await server.start()
    await dashboard.retry.click()
    await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
    await expect(dashboard.banner).toHaveCount(0)
  })

  test('Manage Categories shows an error instead of an empty list, and can try again', async ({
    page,
    server,
    user,
    consoleWatch,
    categories,
  }) => {
    consoleWatch.announceFailingServer()
    await user.addCategories('Family')
    const stopIntercepting = await beforeLists(page, () => server.stop())
    await categories.open()
    await expect(categories.banner).toContainText('Failed to fetch categories')
    await expect(categories.empty).toBeHidden()
    await stopIntercepting()
    await server.start()
    await categories.retry.click()
    await expect(categories.names).toHaveText(['Family'])
    await expect(categories.banner).toHaveCount(0)
  })
})

test('a request without a response times out, and repeating it does not add the prayer twice', async ({
  page,
  server,
  user,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announceFailingServer()
  consoleWatch.announce(/^status 409/)
  await user.addCategory('Family')
  await page.clock.install()
  await dashboard.open()
  const { prayerDialog } = dashboard
  const card = dashboard.card('Family')
  await card.addPrayer.click()
  await prayerDialog.name.fill('Anna')
  server.pause()
  await prayerDialog.addButton.click()
  await expect(prayerDialog.addButton).toHaveAttribute('aria-busy', 'true')
  await page.clock.runFor(20_000)
  await expect(prayerDialog.error).toContainText('Failed to add prayer')
  await expect(prayerDialog.name).toHaveValue('Anna')
  server.resume()
  await expect.poll(() => user.prayers()).toHaveLength(1)
  await prayerDialog.addButton.click()
  await expect(prayerDialog.root).toBeHidden()
  await expect(card.rows).toHaveText([/Anna/])
  expect(await user.prayers()).toHaveLength(1)
})

test('a category to which another device added a prayer is not deleted, and the error replaces the list until it is dismissed', async ({
  user,
  consoleWatch,
  categories,
}) => {
  consoleWatch.announce(/^console\.error/, /^status 409/)
  await deleteWithNewPrayer('Family', user, categories)
  await expect(categories.banner).toContainText(
    'This category cannot be deleted because it contains prayers. Please move or delete the prayers first.',
  )
  await expect(categories.list).toBeHidden()
  await expect(categories.banner).toBeInViewport()
  await categories.dismiss.click()
  await expect(categories.row('Family').cannotRemove).toBeDisabled()
  await expect(categories.row('Family').root).toContainText('1 prayer')
  expect(await user.categoryNames()).toEqual(['Family'])
})

test('the error of a category that was not deleted also shows on the dashboard, until it is dismissed', async ({
  user,
  consoleWatch,
  dashboard,
  categories,
}) => {
  consoleWatch.announce(/^console\.error/, /^status 409/)
  await deleteWithNewPrayer('Family', user, categories)
  await expect(categories.banner).toBeVisible()
  await categories.backToDashboard.click()
  await expect(dashboard.banner).toContainText(
    'Cannot delete category with existing prayers. Please delete or move all prayers from this category first.',
  )
  await dashboard.dismiss.click()
  await expect(dashboard.banner).toHaveCount(0)
})

test('a prayer that another device deleted is not found, and disappears', async ({
  user,
  consoleWatch,
  dashboard,
}) => {
  consoleWatch.announce(/^console\.error/)
  await user.addCategory('Family', { name: 'Anna' })
  await dashboard.open()
  const anna = dashboard.card('Family').row('Anna')
  await expect(anna.root).toBeVisible()
  await user.deleteEverything()
  await anna.resolve.click()
  await expect(dashboard.banner).toContainText('Prayer not found')
  await expect(anna.root).toHaveCount(0)
})

test('a category that another device deleted is not found, and disappears', async ({
  user,
  consoleWatch,
  categories,
}) => {
  consoleWatch.announce(/^console\.error/)
  await user.addCategory('Family')
  await categories.open()
  const family = categories.row('Family')
  await expect(family.root).toBeVisible()
  await user.deleteEverything()
  await family.hide.click()
  await expect(categories.banner).toContainText('Category not found')
  await expect(family.root).toHaveCount(0)
})

test('a notice shows while the browser is offline', async ({
  page,
  context,
  user,
  dashboard,
  consoleWatch,
}) => {
  // The next screen may be preloading.
  consoleWatch.announceFailingServer()
  await user.addCategory('Family')
  await dashboard.open()
  await expect(dashboard.card('Family').root).toBeVisible()
  const notice = page.getByRole('main').getByText('You are offline.')
  await context.setOffline(true)
  await expect(notice).toBeVisible()
  await context.setOffline(false)
  await expect(notice).toHaveCount(0)
})

test('a server that is killed loses no change that it has confirmed', async ({
  page,
  server,
  user,
  consoleWatch,
  dashboard,
}) => {
  consoleWatch.announceFailingServer()
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
  await dashboard.open()
  const card = dashboard.card('Family')
  await card.row('Anna').resolve.click()
  await expect.poll(async () => (await user.prayers()).filter((prayer) => prayer.resolved).length).toBe(1)
  await server.kill()
  await server.start()
  await page.reload()
  await expect(card.rows).toHaveText([/Ben/])
  await expect(card.showResolved).toBeVisible()
})

/** Tries to delete a category to which another device adds a prayer after it was shown as empty. */
async function deleteWithNewPrayer(name: string, user: User, categories: CategoriesScreen): Promise<void> {
  const id = await user.addCategory(name)
  await categories.open()
  await categories.row(name).remove.click()
  await user.addPrayers(id, { name: 'Anna' })
  await categories.confirmDialog.confirm.click()
}
