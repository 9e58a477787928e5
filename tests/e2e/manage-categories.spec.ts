import { expect, test } from './test.ts'

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
