import { expect, test } from './test.ts'

/** Some browsers store nothing, for example in private windows. A change is then made once the server has saved it. */
test.beforeEach(({ page }) =>
  page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined })),
)

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

  test('a session stays at the prayer, with the error in view, and counts it once it is saved', async ({
    page,
    server,
    user,
    dashboard,
    pray,
  }) => {
    await user.addCategory('Family', { name: 'Ben' }, { name: 'Anna', note: 'Peace.\n'.repeat(100) })
    await pray.open()
    await pray.begin.click()
    await expect(pray.name).toHaveText('Anna')
    await server.stop()
    await page.mouse.wheel(0, 1500)
    await page.keyboard.press('Space')
    await expect(dashboard.banner).toContainText('Failed to mark prayers as prayed')
    await expect(dashboard.banner).toBeInViewport({ ratio: 1 })
    await expect(pray.name).toHaveText('Anna')
    await pray.answered.click()
    await expect(dashboard.banner).toContainText('Failed to update prayer')
    await expect(pray.undo).toBeHidden()
    await expect(pray.name).toHaveText('Anna')
    await expect(page.getByRole('article')).not.toContainText('Answered')
    await server.start()
    await pray.prayed.click()
    await expect(pray.name).toHaveText('Ben')
    await expect(dashboard.banner).toHaveCount(0)
    await pray.skip.click()
    await expect(page.getByText('You prayed for 1 person.')).toBeVisible()
    expect((await user.prayedDays()).map(({ times }) => times)).toEqual([0, 1])
  })

  test('deleting a prayer is undone', async ({ server, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').remove.click()
    await expect(dashboard.confirmDialog.confirm).toBeVisible()
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
    await expect(categories.confirmDialog.confirm).toBeVisible()
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
