import { textOnDevice } from './fixtures/text-on-device.ts'
import { expect, test } from './test.ts'

test('the first category, added by one press or a double click, makes the link to the dashboard shine and leads to the first prayer', async ({
  page,
  user,
  categories,
  dashboard,
}) => {
  expect(await user.categoryNames()).toEqual([])
  await page.clock.install()
  await categories.open()
  await expect(page.getByText('Organize your prayers with custom categories')).toBeVisible()
  for (const tip of [/add/i, /reorder/i, /hide/i, /edit/i, /categories with prayers cannot be deleted/i])
    await expect(categories.tips.getByRole('listitem').filter({ hasText: tip }).first()).toBeVisible()
  await expect(categories.empty).toBeVisible()
  await categories.backToDashboard.evaluate((link) =>
    link.addEventListener('transitionrun', ({ target }) => {
      if (target !== link) link.dataset['shone'] = 'true'
    }),
  )
  await page.clock.pauseAt(Date.now() + 60_000)
  await categories.suggestion('Friends').click()
  await expect(categories.names).toHaveText(['Friends'])
  await expect(categories.empty).toBeHidden()
  await expect(categories.firstPrayer).toBeFocused()
  // The name shows before it is stored.
  await categories.waitForAnnouncement('Category added')
  await expect(categories.backToDashboard).not.toHaveAttribute('data-shone')
  await page.clock.runFor(400)
  await expect(categories.backToDashboard).toHaveAttribute('data-shone')

  await categories.row('Friends').remove.click()
  await categories.confirmDialog.confirm.click()
  await expect(categories.empty).toBeVisible()
  // The second click is ignored for half a second.
  await categories.suggestion('Church').dblclick()
  await expect(categories.names).toHaveText(['Church'])
  await expect(categories.firstPrayer).toBeFocused()
  await expect(page).toHaveURL('/manage-categories')
  await page.clock.resume()
  await expect.poll(() => user.categoryNames()).toEqual(['Church'])

  await categories.firstPrayer.click()
  await expect(dashboard.prayerDialog.name).toBeFocused()
  await dashboard.prayerDialog.name.fill('Anna')
  await dashboard.prayerDialog.name.press('Enter')
  await expect(dashboard.card('Church').rows).toHaveText([/Anna/])
  await dashboard.manageCategories.click()
  await expect(categories.row('Church').root).toContainText('1 prayer')
  await expect(categories.firstPrayer).toHaveCount(0)
})

test('a category is added at the end; a name that was typed but not saved is offered, also after a reload', async ({
  page,
  user,
  categories,
}) => {
  await user.addCategories('Family')
  await categories.open()
  await categories.addCategory.click()
  await expect(categories.dialog.name).toBeFocused()
  await categories.dialog.name.fill('  Church  ')
  await categories.dialog.name.press('Enter')
  await expect(categories.dialog.root).toBeHidden()
  await expect(categories.names).toHaveText(['Family', 'Church'])
  await expect(categories.addCategory).toBeFocused()

  await categories.addCategory.click()
  await categories.dialog.name.fill('Neighbours')
  await page.goBack()
  await expect(categories.dialog.root).toBeHidden()
  await expect.poll(() => textOnDevice(page), 'Church is saved').not.toContain('"kind":"insert"')
  await page.reload()
  await expect(categories.list).toContainText('New category: you had typed “Neighbours”')
  await categories.list.getByRole('button', { name: 'Bring it back' }).click()
  await expect(categories.dialog.name).toHaveValue('Neighbours')
  await categories.dialog.name.press('Enter')
  await expect.poll(() => user.categoryNames()).toEqual(['Family', 'Church', 'Neighbours'])
  await expect.poll(() => textOnDevice(page), 'Neighbours is saved').not.toContain('"kind":"insert"')
  await page.reload()
  await expect(categories.names).toHaveText(['Family', 'Church', 'Neighbours'])
  await expect(categories.list).not.toContainText('you had typed')
})

test('a category is renamed in its place, where the text of the field is at the position of the name', async ({
  page,
  user,
  categories,
}) => {
  await user.addCategories('Family', 'Curch')
  await categories.open()
  // The numbers of prayers may arrive later, and take room.
  await expect(categories.row('Curch').root).toContainText('0 prayers')
  const { nameText, edit } = categories.row('Curch')
  const textPosition = (locator: typeof nameText) =>
    locator.evaluate((element) => {
      const { left, top, height } = element.getBoundingClientRect()
      const { paddingLeft, borderLeftWidth, fontSize } = getComputedStyle(element)
      const start = left + Number.parseFloat(paddingLeft) + Number.parseFloat(borderLeftWidth)
      return { left: Math.round(start), middle: Math.round(top + height / 2), fontSize }
    })
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const before = await textPosition(nameText)
    await edit.click()
    expect(await textPosition(categories.nameInput)).toEqual(before)
    await categories.nameInput.press('Escape')
    await expect(nameText).toBeVisible()
    await expect(edit).toBeFocused()
  }
  await edit.click()
  await expect(categories.nameInput).toBeFocused()
  await expect(categories.nameInput).toHaveValue('Curch')
  await categories.nameInput.fill(' Church ')
  await categories.nameInput.press('Enter')
  await expect(categories.names).toHaveText(['Family', 'Church'])
  await expect(categories.row('Church').edit).toBeFocused()
  await expect.poll(() => user.categoryNames()).toEqual(['Family', 'Church'])
})

test('one category is renamed at a time; what was typed for another is kept, also after a reload', async ({
  page,
  user,
  categories,
}) => {
  await user.addCategories('Family', 'Church')
  await categories.open()
  await categories.row('Family').edit.click()
  await categories.nameInput.fill('Parents and sisters')
  await categories.row('Church').edit.click()
  await expect(categories.nameInput).toHaveValue('Church')
  await expect(categories.row('Family').root).toContainText('You had typed “Parents and sisters”')
  await page.reload()
  await expect(categories.row('Family').root).toContainText('You had typed “Parents and sisters”')
  await categories.row('Family').root.getByRole('button', { name: 'Bring it back' }).click()
  await expect(categories.nameInput).toHaveValue('Parents and sisters')
  await categories.nameInput.press('Enter')
  await expect(categories.names).toHaveText(['Parents and sisters', 'Church'])
  await expect(categories.list).not.toContainText('You had typed')
  await expect.poll(() => user.categoryNames()).toEqual(['Parents and sisters', 'Church'])
})

test('a hidden category is dimmed here and absent from the dashboard, which welcomes a user without any other', async ({
  page,
  user,
  dashboard,
  categories,
}) => {
  await user.addCategories('Family', 'Church')
  await categories.open()
  const family = categories.row('Family')
  const church = categories.row('Church')
  const appearance = () =>
    church.nameText.evaluate((text) => {
      let opacity = 1
      for (let element: Element | null = text; element !== null; element = element.parentElement) {
        opacity *= Number(getComputedStyle(element).opacity)
      }
      return `${String(opacity)} ${getComputedStyle(text).color}`
    })
  const whenVisible = await appearance()
  await church.hide.click()
  await expect(church.show).toBeVisible()
  await expect.poll(appearance).not.toBe(whenVisible)
  await categories.backToDashboard.click()
  await expect(dashboard.cards.getByRole('heading')).toHaveText(['Family'])

  await dashboard.manageCategories.click()
  await family.hide.click()
  await expect(family.show).toBeVisible()
  await categories.backToDashboard.click()
  await expect(dashboard.welcomeCard).toBeVisible()
  await expect(page.getByText('2 categories are hidden.')).toBeVisible()
  await dashboard.createFirstCategory.click()

  await family.show.click()
  await church.show.click()
  await expect(church.hide).toBeVisible()
  await categories.backToDashboard.click()
  await expect(dashboard.cards.getByRole('heading')).toHaveText(['Family', 'Church'])
})

test('a category is deleted after confirmation, but not while it contains prayers', async ({
  user,
  categories,
}) => {
  await user.addCategory('Family', { name: 'Anna', resolved: true })
  await user.addCategories('Church')
  await categories.open()
  const { confirmDialog } = categories
  const family = categories.row('Family')
  await expect(family.root).toContainText('1 prayer')
  await expect(family.remove).toHaveCount(0)
  await expect(family.cannotRemove).toBeDisabled()
  await family.cannotRemove.click({ force: true })
  await categories.waitForAnnouncement('This category cannot be deleted because it contains prayers.')

  await categories.row('Church').remove.click()
  await expect(confirmDialog.root).toContainText(
    'Are you sure you want to delete the category "Church"? This action cannot be undone.',
  )
  await expect(confirmDialog.cancel).toBeFocused()
  await confirmDialog.cancel.click()
  await expect(categories.names).toHaveText(['Family', 'Church'])
  await categories.row('Church').remove.click()
  await confirmDialog.confirm.click()
  await expect(categories.names).toHaveText(['Family'])
  await expect(family.cannotRemove).toBeFocused()
  await expect.poll(() => user.categoryNames()).toEqual(['Family'])
})
