import type { Locator } from '@playwright/test'
import { expect, test } from './test.ts'

/** Expects room between two elements, once they have stopped moving. */
async function expectRoom(above: Locator, below: Locator, pixels: number): Promise<void> {
  const room = async () => {
    const [upper, lower] = await Promise.all([above.boundingBox(), below.boundingBox()])
    return upper && lower ? lower.y - upper.y - upper.height : null
  }
  await expect.poll(room).toBeGreaterThan(pixels)
}

test(
  '"Answered" resolves the prayer, and can be undone',
  { tag: '@every-width' },
  async ({ page, user, pray }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await pray.open()
    await pray.begin.click()
    await page.keyboard.press('a')
    await expect(pray.name).toHaveText('Anna')
    await expect
      .poll(async () => (await user.prayers()).map(({ resolved }) => resolved))
      .toEqual([false, true])
    await expectRoom(pray.undo, pray.prayed, 0)
    await pray.undo.click()
    await expect
      .poll(async () => (await user.prayers()).map(({ resolved }) => resolved))
      .toEqual([false, false])
    await pray.back.click()
    await expect(pray.name).toHaveText('Ben')
  },
)

for (const size of [150, 200])
  test(
    `Undo covers no button with text of ${String(size)} %`,
    { tag: '@small' },
    async ({ page, user, pray }) => {
      await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
      await pray.open()
      await page.evaluate(`document.documentElement.style.fontSize = '${String(size)}%'`)
      await pray.begin.tap()
      for (const width of [375, 320]) {
        await page.setViewportSize({ width, height: 568 })
        await pray.answered.tap()
        await expect(pray.undo).toBeVisible()
        const toast = pray.undo.locator('xpath=ancestor::*[contains(@class, "toast")]')
        await expectRoom(toast, pray.prayed, 8)
        await pray.undo.tap()
        await pray.back.tap()
      }
    },
  )

test('Undo covers all prayers that were just answered', async ({ page, user, pray }) => {
  const resolved = async () => (await user.prayers()).map((prayer) => prayer.resolved)
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' }, { name: 'Clara' })
  await pray.open()
  await pray.begin.click()
  await pray.answered.click()
  await expect(pray.name).toHaveText('Ben')
  await pray.answered.click()
  await expect(pray.name).toHaveText('Anna')
  await expect(page.getByRole('status').getByText('2 marked as answered', { exact: true })).toBeAttached()
  await expect.poll(resolved).toEqual([false, true, true])
  await pray.undo.click()
  await expect.poll(resolved).toEqual([false, false, false])
  await pray.back.click()
  await expect(page.getByRole('article')).toHaveText(/^Family\s*Ben$/)
})

test('the answer can be recorded during the session, and after leaving it', async ({
  page,
  user,
  answered,
  pray,
}) => {
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
  await pray.open()
  await pray.begin.click()
  await pray.answered.click()
  await answered.recordAnswer.click()
  await answered.dialog.answer.fill('s a u: keys typed here are text')
  await answered.dialog.save.click()
  await expect(answered.dialog.root).toBeHidden()
  await expect(pray.name).toBeFocused()
  await pray.answered.click()
  await pray.done.click()
  await expect(page).toHaveURL('/dashboard')
  await answered.recordAnswer.click()
  await answered.dialog.answer.fill('Home again')
  await answered.dialog.answer.press('Control+Enter')
  await expect
    .poll(async () => (await user.answers()).map(({ answer }) => answer))
    .toEqual(['Home again', 's a u: keys typed here are text'])
})
