import { beforeLists } from './fixtures/before-lists.ts'
import type { User } from './fixtures/user.ts'
import type { CategoriesScreen } from './screens/categories-screen.ts'
import { expect, test } from './test.ts'

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
    const stopIntercepting = await beforeLists(page, () => server.stop(), 'manage-categories-screen')
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
