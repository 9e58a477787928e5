import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { expect, test } from './test.ts'

/** Some browsers store nothing, for example in private windows. A change is then made once the server has saved it. */
test.beforeEach(async ({ page, consoleWatch }) => {
  consoleWatch.announceFailingServer()
  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }))
})

test('when the server stops, changes of prayers are undone, and made once it is back', async ({
  page,
  server,
  user,
  dashboard,
}) => {
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
  await dashboard.open()
  const { banner, confirmDialog, dismiss, prayerDialog } = dashboard
  const card = dashboard.card('Family')

  await test.step('adding: the dialog stays open with what was typed', async () => {
    await card.addPrayer.click()
    await prayerDialog.name.fill('Clara')
    await prayerDialog.details.fill('A calm exam week')
    await server.stop()
    await prayerDialog.addButton.click()
    await expect(prayerDialog.error).toContainText('Failed to add prayer')
    await expect(prayerDialog.name).toHaveValue('Clara')
    await expect(prayerDialog.details).toHaveValue('A calm exam week')
    await expect(card.rows).toHaveText([/Anna/, /Ben/])
    await server.start()
    await prayerDialog.addButton.click()
    await expect(prayerDialog.root).toBeHidden()
    await expect(card.rows).toHaveText([/Clara/, /Anna/, /Ben/])
    await expect(banner).toHaveCount(0)
    await leaveClosedDialogs(page)
  })
  await test.step('resolving, deleting and editing', async () => {
    await server.stop()
    await card.row('Anna').resolve.click()
    await expect(banner).toContainText('Failed to update prayer')
    await expect(card.row('Anna').resolve).toBeVisible()
    await expect(card.showResolved).toBeHidden()
    await expect(dashboard.undo).toBeHidden()
    await dismiss.click()
    await expect(banner).toHaveCount(0)
    await card.row('Ben').remove.click()
    await confirmDialog.confirm.click()
    await expect(banner).toContainText('Failed to delete prayer')
    await expect(card.rows).toHaveText([/Clara/, /Anna/, /Ben/])
    await card.row('Clara').edit.click()
    await prayerDialog.name.fill('Clara Maria')
    await prayerDialog.updateButton.click()
    await expect(prayerDialog.error).toContainText('Failed to update prayer')
    await expect(prayerDialog.name).toHaveValue('Clara Maria')
  })
  await server.start()
  await prayerDialog.updateButton.click()
  await expect(prayerDialog.root).toBeHidden()
  await card.row('Ben').remove.click()
  await confirmDialog.confirm.click()
  await expect(card.rows).toHaveText([/Clara Maria/, /Anna/])
  await card.row('Anna').resolve.click()
  await expect(card.showResolved).toBeVisible()
  await expect
    .poll(() => user.prayers())
    .toEqual([
      { person_name: 'Clara Maria', note: 'A calm exam week', resolved: false },
      { person_name: 'Anna', note: null, resolved: true },
    ])
})

test('when the server stops, changes of categories are undone, and made once it is back', async ({
  server,
  user,
  categories,
}) => {
  await user.addCategories('Famly', 'Church', 'School')
  await categories.open()
  const { banner, confirmDialog, dialog, nameInput, names } = categories
  await expect(names).toHaveText(['Famly', 'Church', 'School'])
  const moveSchoolUp = async () => {
    await categories.lift('School')
    await categories.move('ArrowUp', '2 of 3')
    await categories.drop()
  }

  await server.stop()
  await moveSchoolUp()
  await expect(banner).toContainText('Failed to reorder categories')
  await expect(names).toHaveText(['Famly', 'Church', 'School'])
  await categories.row('School').hide.click()
  await expect(banner).toContainText('Failed to update category')
  await expect(categories.row('School').hide).toBeVisible()
  await categories.row('Church').remove.click()
  await confirmDialog.confirm.click()
  await expect(banner).toContainText('Failed to delete category')
  await expect(names).toHaveText(['Famly', 'Church', 'School'])
  await categories.row('Famly').edit.click()
  await nameInput.fill('Family')
  await nameInput.press('Enter')
  await expect(banner).toContainText('Failed to update category')
  await expect(nameInput, 'what was typed is kept').toHaveValue('Family')

  await server.start()
  await nameInput.press('Enter')
  await expect(names).toHaveText(['Family', 'Church', 'School'])
  await moveSchoolUp()
  await expect(names).toHaveText(['Family', 'School', 'Church'])
  await categories.row('School').hide.click()
  await expect(categories.row('School').show).toBeVisible()
  await categories.row('Church').remove.click()
  await confirmDialog.confirm.click()
  await expect(names).toHaveText(['Family', 'School'])
  await expect.poll(() => user.categoryNames(), 'all is saved').toEqual(['Family', 'School'])

  await categories.addCategory.click()
  await dialog.name.fill('Friends')
  await server.stop()
  await dialog.addButton.click()
  await expect(dialog.error).toContainText('Failed to add category')
  await expect(dialog.name).toHaveValue('Friends')
  await server.start()
  await dialog.addButton.click()
  await expect(dialog.root).toBeHidden()
  await expect(names).toHaveText(['Family', 'School', 'Friends'])
  expect(await user.categoryNames()).toEqual(['Family', 'School', 'Friends'])
})

test('when the server stops, a session stays at the prayer, with the error in view, and counts it once it is saved', async ({
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

test('a request without a response times out, and repeating it does not add the prayer twice', async ({
  page,
  user,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announceRepeatedInserts()
  const isPrayers = (url: URL) => url.pathname === '/rest/v1/prayers'
  await user.addCategory('Family')
  await page.clock.install()
  await dashboard.open()
  const { prayerDialog } = dashboard
  const card = dashboard.card('Family')
  await card.addPrayer.click()
  await prayerDialog.name.fill('Anna')
  await page.route(isPrayers, async (route) => {
    // The server adds the prayer, but the page never receives the response.
    if (route.request().method() === 'POST') await route.fetch()
    else await route.fallback()
  })
  await prayerDialog.addButton.click()
  await expect.poll(() => user.prayers()).toHaveLength(1)
  await expect(prayerDialog.addButton).toHaveAttribute('aria-busy', 'true')
  await page.clock.runFor(20_000)
  await expect(prayerDialog.error).toContainText('Failed to add prayer')
  await expect(prayerDialog.name).toHaveValue('Anna')
  await page.unroute(isPrayers)
  await prayerDialog.addButton.click()
  await expect(prayerDialog.root).toBeHidden()
  await expect(card.rows).toHaveText([/Anna/])
  expect(await user.prayers()).toHaveLength(1)
})
