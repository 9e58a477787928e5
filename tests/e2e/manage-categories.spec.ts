import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { tabTo } from './fixtures/tab-to.ts'
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

test.describe('the days of a category', () => {
  test(
    'are chosen in its row by keyboard, and cleared in the sheet of Today by touch or mouse',
    { tag: '@every-width' },
    async ({ page, user, categories, pray }) => {
      // A Sunday.
      await page.clock.install({ time: new Date('2025-11-23T12:00:00Z') })
      await user.addCategory('Colleagues and former colleagues', { name: 'Ben' })
      await user.addCategory('Family', { name: 'Anna' })
      await categories.open()
      const row = categories.row('Colleagues and former colleagues')
      await row.edit.press('Enter')
      const day = (name: string) => categories.list.getByRole('button', { name })
      for (const name of ['Monday', 'Thursday']) {
        await tabTo(page, day(name))
        await page.keyboard.press('Space')
      }
      await expect(categories.list).toContainText('Its prayers are in turn on Mondays and Thursdays.')
      const width = page.viewportSize()?.width ?? 0
      const expectFine = async () => {
        await page.setViewportSize({ width: 320, height: 800 })
        await expectNoHorizontalScrolling(page)
        await page.setViewportSize({ width, height: 800 })
        await expectAccessible(page)
      }
      await expectFine()
      await categories.nameInput.press('Enter')
      await expect(row.root).toContainText('Mondays and Thursdays')
      await expect(row.edit).toBeFocused()
      await expectFine()
      await expect.poll(() => user.categoryDays()).toEqual([9, null])

      await pray.open()
      await expect(pray.names).toHaveText([/Anna/])
      await expect(page.getByText('1 is in a category for other days.')).toBeVisible()
      await pray.change.click()
      await pray.choiceSheet.getByText('Days of the categories').click()
      await pray.choiceSheet.getByRole('button', { name: /Mondays and Thursdays$/ }).click()
      await expectFine()
      await pray.choiceSheet.getByRole('button', { name: 'Clear “Days of the week”' }).click()
      await pray.choiceSheet.getByRole('button', { name: 'Done' }).click()
      await expect(pray.names).toHaveText([/Anna/, /Ben/])
      await expect.poll(() => user.categoryDays()).toEqual([null, null])
    },
  )
})
