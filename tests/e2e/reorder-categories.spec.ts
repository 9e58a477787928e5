import { expect, test } from './test.ts'

test.describe('on a wide screen', () => {
  test.beforeEach(async ({ person, categories }) => {
    await person.hasCategories('Family', 'Friends', 'Church')
    await categories.open()
    await expect(categories.names).toHaveText(['Family', 'Friends', 'Church'])
  })

  test('the mouse drags a category to its place', async ({ page, person, categories }) => {
    const from = await categories.row('Church').handle.boundingBox()
    const to = await categories.row('Family').handle.boundingBox()
    if (from === null || to === null) throw new Error('The handles are not in view.')
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2 - 4, { steps: 12 })
    await page.mouse.up()
    await expect(categories.names).toHaveText(['Church', 'Family', 'Friends'])
    await expect.poll(() => person.categoryNames()).toEqual(['Church', 'Family', 'Friends'])
  })

  test('the keyboard lifts with Space, moves with the arrows and drops with Space, and each step is announced', async ({
    person,
    categories,
  }) => {
    await categories.lift('Family')
    await categories.move('ArrowDown', '2 of 3')
    await categories.move('ArrowDown', '3 of 3')
    await categories.drop()
    await expect(categories.names).toHaveText(['Friends', 'Church', 'Family'])
    await expect(categories.row('Family').handle).toBeFocused()
    await expect.poll(() => person.categoryNames()).toEqual(['Friends', 'Church', 'Family'])
  })

  test('Esc puts a lifted category back', async ({ page, person, categories }) => {
    await categories.lift('Family')
    await categories.move('ArrowDown', '2 of 3')
    await page.keyboard.press('Escape')
    await categories.hears('Family is back at position 1 of 3')
    await expect(categories.names).toHaveText(['Family', 'Friends', 'Church'])
    expect(await person.categoryNames()).toEqual(['Family', 'Friends', 'Church'])
  })

  test('there is no Reorder button', async ({ categories }) => {
    await expect(categories.reorder).toBeHidden()
  })

  test('the dashboard follows the order', async ({ dashboard, categories }) => {
    await categories.lift('Church')
    await categories.move('ArrowUp', '2 of 3')
    await categories.drop()
    await expect(categories.names).toHaveText(['Family', 'Church', 'Friends'])
    await categories.backToDashboard.click()
    await expect(dashboard.cards.getByRole('heading')).toHaveText(['Family', 'Church', 'Friends'])
  })
})

test.describe('Reorder Mode on a small screen', { tag: '@small' }, () => {
  test('moves categories with arrows, which end at the ends', async ({ person, categories }) => {
    await person.hasCategories('Family', 'Friends', 'Church')
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
    await expect.poll(() => person.categoryNames()).toEqual(['Church', 'Friends', 'Family'])
  })

  test('gives the Reorder button back about 320 ms after it ends', async ({ page, person, categories }) => {
    await person.hasCategories('Family', 'Friends')
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

  test('needs more than one category', async ({ person, categories }) => {
    await person.hasCategories('Family')
    await categories.open()
    await expect(categories.row('Family').root).toBeVisible()
    await expect(categories.reorder).toBeHidden()
  })
})
