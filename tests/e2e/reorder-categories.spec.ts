import { expect, test } from './test.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.beforeEach(async ({ user, categories }) => {
  await user.addCategories('Family', 'Friends', 'Church')
  await categories.open()
  await expect(categories.names).toHaveText(['Family', 'Friends', 'Church'])
})

test.describe('on a wide screen', () => {
  test.use({ hasTouch: true })

  test('a category is dragged by its handle, with a finger or the mouse', async ({
    user,
    dashboard,
    categories,
  }) => {
    await expect(categories.reorder).toBeHidden()
    await categories.dragByTouch('Church', 'Family')
    await expect(categories.names).toHaveText(['Church', 'Family', 'Friends'])
    await expect.poll(() => user.categoryNames()).toEqual(['Church', 'Family', 'Friends'])
    await categories.dragByMouse('Friends', 'Church')
    await expect(categories.names).toHaveText(['Friends', 'Church', 'Family'])
    await expect.poll(() => user.categoryNames()).toEqual(['Friends', 'Church', 'Family'])
    await categories.backToDashboard.click()
    await expect(dashboard.cards.getByRole('heading')).toHaveText(['Friends', 'Church', 'Family'])
  })
})

test(
  'Reorder Mode moves categories with arrow buttons, by touch and keyboard, and ends when the phone is turned',
  { tag: '@small' },
  async ({ page, user, categories }) => {
    const family = categories.row('Family')
    const church = categories.row('Church')
    await expect(family.handle).toBeHidden()
    await categories.reorder.tap()
    await expect(categories.reorderBar).toBeVisible()
    await expect(categories.reorder).toBeHidden()
    await expect(family.up).toBeDisabled()
    await expect(family.down).toBeEnabled()
    await expect(church.down).toBeDisabled()
    await family.down.tap()
    await expect(categories.names).toHaveText(['Friends', 'Family', 'Church'])
    await church.up.tap()
    await church.up.tap()
    await expect(categories.names).toHaveText(['Church', 'Friends', 'Family'])
    await expect(church.up).toBeDisabled()
    await categories.done.tap()
    await expect(categories.reorderBar).toBeHidden()
    await expect(church.down).toBeHidden()
    await expect.poll(() => user.categoryNames()).toEqual(['Church', 'Friends', 'Family'])

    await expect(categories.reorder).toBeFocused()
    await page.keyboard.press('Enter')
    for (const position of [2, 3]) {
      await expect(church.down).toBeFocused()
      await page.keyboard.press('Enter')
      await categories.waitForAnnouncement(`Church moved to position ${String(position)} of 3.`)
    }
    await expect(church.down).toBeFocused()
    await categories.done.focus()
    await page.keyboard.press('Enter')
    await expect(categories.reorder).toBeFocused()
    await expect.poll(() => user.categoryNames()).toEqual(['Friends', 'Family', 'Church'])

    await categories.reorder.tap()
    await expect(family.edit).toBeHidden()
    await page.setViewportSize({ width: 812, height: 375 })
    await expect(family.down).toBeHidden()
    await expect(family.edit).toBeVisible()
  },
)
