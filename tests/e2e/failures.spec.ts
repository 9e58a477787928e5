import { beforeLists } from './fixtures/before-lists.ts'
import { expect, test } from './test.ts'

for (const { path, loading, empty, error, row } of [
  {
    path: '/dashboard',
    loading: 'Loading prayers...',
    empty: /Welcome to|No prayers yet/,
    error: /Failed to fetch (?:prayers|categories)/,
    row: 'Anna',
  },
  {
    path: '/manage-categories',
    loading: 'Loading categories...',
    empty: /don't have any categories/,
    error: 'Failed to fetch categories',
    row: 'Family',
  },
])
  test(`${path} shows that it is loading, then an error and a way to try again if the server fails, and never an empty list`, async ({
    page,
    server,
    user,
    consoleWatch,
    dashboard: { banner, retry },
  }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family', { name: 'Anna' })
    await page.clock.install()
    // Time passes only until the screen has appeared: then the page does not try again by itself.
    await page.clock.pauseAt(Date.now() + 60_000)
    const stopIntercepting = await beforeLists(page, loading, async () => {
      // Without the fonts, the page would not be loaded, which starts another attempt.
      await page.waitForLoadState()
      server.pause()
    })
    await page.goto(path)
    await expect
      .poll(async () => {
        await page.clock.runFor(100)
        return page.getByText(loading).first().isVisible()
      })
      .toBe(true)
    await expect(page.getByText(empty)).toHaveCount(0)
    await server.kill()
    await expect(banner).toContainText(error)
    await expect(page.getByText(empty)).toHaveCount(0)
    await expect(page.getByText(loading)).toHaveCount(0)
    await stopIntercepting()
    await server.start()
    await retry.click()
    await expect(page.getByText(row, { exact: true })).toBeVisible()
    await expect(page.getByText(loading)).toHaveCount(0)
    await expect(banner).toHaveCount(0)
  })

test('a category to which another device added a prayer is not deleted: an error says so on both screens until it is dismissed', async ({
  user,
  consoleWatch,
  dashboard,
  categories,
}) => {
  consoleWatch.announce(/^console\.error/, /^status 409/)
  const deleteWithNewPrayer = async (name: string) => {
    const id = await user.addCategory(name)
    await categories.open()
    await categories.row(name).remove.click()
    await expect(categories.confirmDialog.root).toBeVisible()
    await user.addPrayers(id, { name: 'Anna' })
    await categories.confirmDialog.confirm.click()
    await expect(categories.banner).toContainText(
      'This category cannot be deleted because it contains prayers. Please move or delete the prayers first.',
    )
  }
  await deleteWithNewPrayer('Family')
  await expect(categories.list).toBeHidden()
  await expect(categories.banner).toBeInViewport()
  await categories.dismiss.click()
  await expect(categories.row('Family').cannotRemove).toBeDisabled()
  await expect(categories.row('Family').root).toContainText('1 prayer')

  await deleteWithNewPrayer('Church')
  await categories.backToDashboard.click()
  await expect(dashboard.banner).toContainText(
    'Cannot delete category with existing prayers. Please delete or move all prayers from this category first.',
  )
  await dashboard.dismiss.click()
  await expect(dashboard.banner).toHaveCount(0)
  expect(await user.categoryNames()).toEqual(['Family', 'Church'])
})
