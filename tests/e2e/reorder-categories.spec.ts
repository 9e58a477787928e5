import { expect, test } from './test.ts'

test.describe('on a wide screen', () => {
  test.beforeEach(async ({ user, categories }) => {
    await user.addCategories('Family', 'Friends', 'Church')
    await categories.open()
    await expect(categories.names).toHaveText(['Family', 'Friends', 'Church'])
  })

  test('a category can be dragged with the mouse', async ({ user, categories }) => {
    await categories.dragByMouse('Church', 'Family')
    await expect(categories.names).toHaveText(['Church', 'Family', 'Friends'])
    await expect.poll(() => user.categoryNames()).toEqual(['Church', 'Family', 'Friends'])
  })

  test('Space lifts and drops a category, arrow keys move it, and each step is announced', async ({
    user,
    categories,
  }) => {
    await categories.lift('Family')
    await categories.move('ArrowDown', '2 of 3')
    await categories.move('ArrowDown', '3 of 3')
    await categories.drop()
    await expect(categories.names).toHaveText(['Friends', 'Church', 'Family'])
    await expect(categories.row('Family').handle).toBeFocused()
    await expect.poll(() => user.categoryNames()).toEqual(['Friends', 'Church', 'Family'])
  })

  test('no key is lost when keys are pressed in quick succession', async ({ page, user, categories }) => {
    await categories.row('Family').handle.focus()
    for (const key of ['Space', 'ArrowDown', 'ArrowDown', 'Space']) await page.keyboard.press(key)
    await expect(categories.names).toHaveText(['Friends', 'Church', 'Family'])
    await expect.poll(() => user.categoryNames()).toEqual(['Friends', 'Church', 'Family'])
  })

  test('a lifted category returns to its place when it loses the focus', async ({
    page,
    user,
    categories,
  }) => {
    await categories.lift('Family')
    await categories.move('ArrowDown', '2 of 3')
    await page.keyboard.press('Tab')
    await categories.waitForAnnouncement('Family is back at position 1 of 3')
    await expect(categories.names).toHaveText(['Family', 'Friends', 'Church'])
    expect(await user.categoryNames()).toEqual(['Family', 'Friends', 'Church'])
  })

  test('Esc returns a lifted category to its place', async ({ page, user, categories }) => {
    await categories.lift('Family')
    await categories.move('ArrowDown', '2 of 3')
    await page.keyboard.press('Escape')
    await categories.waitForAnnouncement('Family is back at position 1 of 3')
    await expect(categories.names).toHaveText(['Family', 'Friends', 'Church'])
    expect(await user.categoryNames()).toEqual(['Family', 'Friends', 'Church'])
  })

  test('there is no Reorder button', async ({ categories }) => {
    await expect(categories.reorder).toBeHidden()
  })

  test('the dashboard shows the new order', async ({ dashboard, categories }) => {
    await categories.lift('Church')
    await categories.move('ArrowUp', '2 of 3')
    await categories.drop()
    await expect(categories.names).toHaveText(['Family', 'Church', 'Friends'])
    await categories.backToDashboard.click()
    await expect(dashboard.cards.getByRole('heading')).toHaveText(['Family', 'Church', 'Friends'])
  })
})

test.describe('on a wide screen with touch', () => {
  test.use({ hasTouch: true })

  test('a category can be dragged by its handle', async ({ user, categories }) => {
    await user.addCategories('Family', 'Friends', 'Church')
    await categories.open()
    await categories.dragByTouch('Church', 'Family')
    await expect(categories.names).toHaveText(['Church', 'Family', 'Friends'])
    await expect.poll(() => user.categoryNames()).toEqual(['Church', 'Family', 'Friends'])
  })
})

test.describe('Reorder Mode on a small screen', { tag: '@small' }, () => {
  test('moves categories with arrow buttons, which are disabled at both ends', async ({
    user,
    categories,
  }) => {
    await user.addCategories('Family', 'Friends', 'Church')
    await categories.open()
    await expect(categories.row('Family').handle).toBeHidden()
    await categories.reorder.tap()
    await expect(categories.reorderBar).toBeVisible()
    await expect(categories.reorder).toBeHidden()
    await expect(categories.row('Family').up).toBeDisabled()
    await expect(categories.row('Family').down).toBeEnabled()
    await expect(categories.row('Church').down).toBeDisabled()
    await categories.row('Family').down.tap()
    await expect(categories.names).toHaveText(['Friends', 'Family', 'Church'])
    await categories.row('Church').up.tap()
    await categories.row('Church').up.tap()
    await expect(categories.names).toHaveText(['Church', 'Friends', 'Family'])
    await expect(categories.row('Church').up).toBeDisabled()
    await categories.done.tap()
    await expect(categories.reorderBar).toBeHidden()
    await expect(categories.row('Church').down).toBeHidden()
    await expect.poll(() => user.categoryNames()).toEqual(['Church', 'Friends', 'Family'])
  })

  test('keeps the focus where it is needed, and announces every move', async ({ page, user, categories }) => {
    await user.addCategories('Family', 'Friends', 'Church')
    await categories.open()
    await categories.reorder.focus()
    await page.keyboard.press('Enter')
    await expect(categories.row('Family').down).toBeFocused()
    await page.keyboard.press('Enter')
    await categories.waitForAnnouncement('Family moved to position 2 of 3.')
    await expect(categories.row('Family').down).toBeFocused()
    await page.keyboard.press('Enter')
    await categories.waitForAnnouncement('Family moved to position 3 of 3.')
    await expect(categories.row('Family').down).toBeFocused()
    await categories.done.focus()
    await page.keyboard.press('Enter')
    await expect(categories.reorder).toBeFocused()
    await expect.poll(() => user.categoryNames()).toEqual(['Friends', 'Church', 'Family'])
  })

  test('does not trap the user when the phone is turned', async ({ page, user, categories }) => {
    await user.addCategories('Family', 'Friends')
    await categories.open()
    await categories.reorder.tap()
    await expect(categories.row('Family').edit).toBeHidden()
    await page.setViewportSize({ width: 812, height: 375 })
    await expect(categories.row('Family').down).toBeHidden()
    await expect(categories.row('Family').edit).toBeVisible()
  })

  test('shows the Reorder button again about 320 ms after it ends', async ({ page, user, categories }) => {
    await user.addCategories('Family', 'Friends')
    await page.clock.install()
    await categories.open()
    await categories.reorder.tap()
    await expect(categories.done).toBeVisible()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await categories.done.tap()
    await page.clock.runFor(290)
    await expect(categories.reorder).toBeHidden()
    await page.clock.runFor(60)
    await expect(categories.reorder).toBeVisible()
  })

  test('needs more than one category', async ({ user, categories }) => {
    await user.addCategories('Family')
    await categories.open()
    await expect(categories.row('Family').root).toBeVisible()
    await expect(categories.reorder).toBeHidden()
  })
})
