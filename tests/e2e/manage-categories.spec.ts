import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { beforeLists } from './fixtures/before-lists.ts'
import { expect, test } from './test.ts'

test('shows the title, the subtitle, the card and the tips', async ({ page, user, categories }) => {
  await user.addCategories('Family')
  await categories.open()
  await expect(categories.title).toBeVisible()
  await expect(page.getByText('Organize your prayers with custom categories')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your Categories' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Tips for Managing Categories' })).toBeVisible()
  await expect(categories.backToDashboard).toBeVisible()
  for (const tip of [/add/i, /reorder/i, /hide/i, /edit/i, /categories with prayers cannot be deleted/i]) {
    await expect(categories.tips.getByRole('listitem').filter({ hasText: tip }).first()).toBeVisible()
  }
})

test('shows "Loading categories..." until the server responds', async ({
  page,
  server,
  user,
  categories,
}) => {
  await user.addCategories('Family')
  const stopIntercepting = await beforeLists(page, () => server.pause(), 'manage-categories-screen')
  await categories.open()
  await expect(page.getByText('Loading categories...').first()).toBeVisible()
  await expect(categories.empty).toBeHidden()
  await stopIntercepting()
  server.resume()
  await expect(categories.row('Family').root).toBeVisible()
  await expect(page.getByText('Loading categories...')).toHaveCount(0)
})

test('shows that there are no categories yet', async ({ user, categories }) => {
  expect(await user.categoryNames()).toEqual([])
  await categories.open()
  await expect(categories.empty).toBeVisible()
})

test('shows the number of prayers of each category, including resolved ones', async ({
  user,
  categories,
}) => {
  await user.addCategory('None')
  await user.addCategory('One', { name: 'Anna', resolved: true })
  await user.addCategory('Two', { name: 'Ben' }, { name: 'Clara', resolved: true })
  await categories.open()
  await expect(categories.row('None').root).toContainText('0 prayers')
  await expect(categories.row('One').root).toContainText('1 prayer')
  await expect(categories.row('One').root).not.toContainText('prayers')
  await expect(categories.row('Two').root).toContainText('2 prayers')
})

test.describe('the first category', () => {
  for (const name of ['Family', 'Friends', 'Church']) {
    test(`can be ${name}, with one press`, async ({ user, categories }) => {
      await categories.open()
      await expect(categories.empty).toBeVisible()
      await categories.suggestion(name).click()
      await expect(categories.names).toHaveText([name])
      await expect(categories.empty).toBeHidden()
      await expect(categories.suggestion(name)).toHaveCount(0)
      await expect(categories.firstPrayer).toBeFocused()
      await expect.poll(() => user.categoryNames()).toEqual([name])
    })
  }

  test('is added once on a double click', async ({ page, user, categories }) => {
    await categories.open()
    await categories.suggestion('Friends').dblclick()
    await expect(categories.names).toHaveText(['Friends'])
    await expect(page).toHaveURL('/manage-categories')
    await expect.poll(() => user.categoryNames()).toEqual(['Friends'])
  })

  test('leads to the first prayer', async ({ user, categories, dashboard }) => {
    await user.addCategory('Family')
    await categories.open()
    await categories.firstPrayer.click()
    await expect(dashboard.prayerDialog.name).toBeFocused()
    await dashboard.prayerDialog.name.fill('Anna')
    await dashboard.prayerDialog.name.press('Enter')
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
    await dashboard.manageCategories.click()
    await expect(categories.row('Family').root).toContainText('1 prayer')
    await expect(categories.firstPrayer).toHaveCount(0)
  })
})

test.describe('adding a category', () => {
  test('offers a name that was typed but not saved, also after a reload', async ({
    page,
    user,
    categories,
  }) => {
    await user.addCategories('Family')
    await categories.open()
    await categories.addCategory.click()
    await categories.dialog.name.fill('Neighbours')
    await page.goBack()
    await expect(categories.dialog.root).toBeHidden()
    await leaveClosedDialogs(page)
    await page.reload()
    await expect(categories.list).toContainText('New category: you had typed “Neighbours”')
    await categories.list.getByRole('button', { name: 'Bring it back' }).click()
    await expect(categories.dialog.name).toHaveValue('Neighbours')
    await categories.dialog.name.press('Enter')
    await expect.poll(() => user.categoryNames()).toEqual(['Family', 'Neighbours'])
    await page.reload()
    await expect(categories.names).toHaveText(['Family', 'Neighbours'])
    await expect(categories.list).not.toContainText('you had typed')
  })

  test('appends it to the list, with its name trimmed', async ({ user, categories }) => {
    await user.addCategories('Family')
    await categories.open()
    await categories.addCategory.click()
    await expect(categories.dialog.root).toContainText('Create a new category to organize your prayers')
    await expect(categories.dialog.name).toHaveAttribute('placeholder', 'Enter category name')
    await expect(categories.dialog.name).toBeFocused()
    await categories.dialog.name.fill('  Church  ')
    await categories.dialog.name.press('Enter')
    await expect(categories.dialog.root).toBeHidden()
    await expect(categories.names).toHaveText(['Family', 'Church'])
    await expect(categories.addCategory).toBeFocused()
    await expect.poll(() => user.categoryNames()).toEqual(['Family', 'Church'])
  })

  test('rejects a blank name', async ({ user, categories }) => {
    await categories.open()
    await categories.add('   ')
    await expect(categories.dialog.error).toHaveText('Please enter a category name')
    await expect(categories.dialog.name).toBeFocused()
    await categories.dialog.cancel.click()
    await expect(categories.dialog.root).toBeHidden()
    expect(await user.categoryNames()).toEqual([])
  })

  test('adds only one category on a double click', async ({ server, user, categories }) => {
    await categories.open()
    await categories.addCategory.click()
    await categories.dialog.name.fill('Family')
    server.pause()
    await categories.dialog.addButton.dblclick()
    server.resume()
    await expect(categories.names).toHaveText(['Family'])
    await expect.poll(() => user.categoryNames()).toEqual(['Family'])
  })

  test('makes the link to the dashboard shine after the first one', async ({ page, user, categories }) => {
    expect(await user.categoryNames()).toEqual([])
    await page.clock.install()
    await categories.open()
    const shining = () =>
      categories.backToDashboard.evaluate((link) => link.getAnimations({ subtree: true }).length > 0)
    await expect(categories.empty).toBeVisible()
    expect(await shining()).toBe(false)
    await categories.add('Family')
    await expect(categories.names).toHaveText(['Family'])
    await page.clock.runFor(400)
    await expect.poll(shining).toBe(true)
  })
})

test.describe('renaming a category', () => {
  test('saves with Enter', async ({ user, categories }) => {
    await user.addCategories('Famly')
    await categories.open()
    await categories.row('Famly').edit.click()
    await expect(categories.nameInput).toBeFocused()
    await expect(categories.nameInput).toHaveValue('Famly')
    await categories.nameInput.fill(' Family ')
    await categories.nameInput.press('Enter')
    await expect(categories.names).toHaveText(['Family'])
    await expect(categories.row('Family').edit).toBeFocused()
    await expect.poll(() => user.categoryNames()).toEqual(['Family'])
  })

  test('saves with the Save button', async ({ user, categories }) => {
    await user.addCategories('Famly')
    await categories.open()
    await categories.row('Famly').edit.click()
    await categories.nameInput.fill('Family')
    await categories.saveName.click()
    await expect(categories.names).toHaveText(['Family'])
    await expect.poll(() => user.categoryNames()).toEqual(['Family'])
  })

  test('changes nothing on Esc or Cancel', async ({ user, categories }) => {
    await user.addCategories('Family')
    await categories.open()
    await categories.row('Family').edit.click()
    await categories.nameInput.fill('Something else')
    await categories.nameInput.press('Escape')
    await expect(categories.names).toHaveText(['Family'])
    await categories.row('Family').edit.click()
    await categories.nameInput.fill('Something else')
    await categories.cancelName.click()
    await expect(categories.names).toHaveText(['Family'])
    expect(await user.categoryNames()).toEqual(['Family'])
  })

  test('ignores a blank name and keeps editing', async ({ user, categories }) => {
    await user.addCategories('Family')
    await categories.open()
    await categories.row('Family').edit.click()
    await categories.nameInput.fill('   ')
    await categories.nameInput.press('Enter')
    await expect(categories.nameInput).toBeFocused()
    expect(await user.categoryNames()).toEqual(['Family'])
  })

  test('is possible for one category at a time', async ({ user, categories }) => {
    await user.addCategories('Family', 'Church')
    await categories.open()
    await categories.row('Family').edit.click()
    await expect(categories.nameInput).toHaveValue('Family')
    await categories.row('Church').edit.click()
    await expect(categories.nameInput).toHaveCount(1)
    await expect(categories.nameInput).toHaveValue('Church')
  })

  test('keeps what was typed when another category is renamed, also after a reload', async ({
    page,
    user,
    categories,
  }) => {
    await user.addCategories('Family', 'Church')
    await categories.open()
    await categories.row('Family').edit.click()
    await categories.nameInput.fill('Parents and sisters')
    await categories.row('Church').edit.click()
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

  test('shows the text of the field where the name was', async ({ page, user, categories }) => {
    await user.addCategories('Family', 'Church')
    await categories.open()
    const { nameText } = categories.row('Church')
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
      await categories.row('Church').edit.click()
      expect(await textPosition(categories.nameInput)).toEqual(before)
      await categories.nameInput.press('Escape')
      await expect(nameText).toBeVisible()
    }
  })
})

test('hides and shows a category: dimmed here, absent from the dashboard and the category select', async ({
  user,
  dashboard,
  categories,
}) => {
  await user.addCategories('Family', 'Church')
  await categories.open()
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
  await dashboard.card('Family').addPrayer.click()
  await expect(dashboard.prayerDialog.category.getByRole('option')).toHaveText([
    'Select a category',
    'Family',
  ])
  await dashboard.prayerDialog.cancel.click()

  await dashboard.manageCategories.click()
  await church.show.click()
  await expect(church.hide).toBeVisible()
  await categories.backToDashboard.click()
  await expect(dashboard.cards.getByRole('heading')).toHaveText(['Family', 'Church'])
})

test.describe('deleting a category', () => {
  test('asks for confirmation, with the name of the category and the focus on Cancel', async ({
    user,
    categories,
  }) => {
    await user.addCategories('Family', 'Church')
    await categories.open()
    await categories.row('Church').remove.click()
    await expect(categories.confirmDialog.root).toContainText(
      'Are you sure you want to delete the category "Church"? This action cannot be undone.',
    )
    await expect(categories.confirmDialog.cancel).toBeFocused()
    await categories.confirmDialog.cancel.click()
    await expect(categories.names).toHaveText(['Family', 'Church'])
    await categories.row('Church').remove.click()
    await categories.confirmDialog.confirm.click()
    await expect(categories.names).toHaveText(['Family'])
    await expect.poll(() => user.categoryNames()).toEqual(['Family'])
  })

  test('is disabled while it contains prayers', async ({ user, categories }) => {
    await user.addCategory('Family', { name: 'Anna', resolved: true })
    await categories.open()
    await expect(categories.row('Family').cannotRemove).toBeDisabled()
    await expect(categories.row('Family').remove).toHaveCount(0)
  })

  test('is explained when it is pressed for a category with prayers', async ({ user, categories }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await categories.open()
    await categories.row('Family').cannotRemove.click({ force: true })
    await categories.waitForAnnouncement('This category cannot be deleted because it contains prayers.')
    await expect(categories.names).toHaveText(['Family'])
  })
})
