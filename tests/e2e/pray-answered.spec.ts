import type { Locator } from '@playwright/test'
import { pauseClock } from './fixtures/pause-clock.ts'
import { expect, test } from './test.ts'

test('"Answered" is undone for all that were just answered, and leads to recording the answer, also after the session', async ({
  page,
  user,
  answered,
  pray,
}) => {
  const resolved = async () => (await user.prayers()).map((prayer) => prayer.resolved)
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' }, { name: 'Clara' })
  await page.clock.install()
  await pray.open()
  await pray.begin.click()
  // Announcements stay while the clock is stopped.
  await pauseClock(page)
  await page.keyboard.press('a')
  await expect(pray.name).toHaveText('Ben')
  await expectRoom(pray.undo, pray.prayed, 0)
  await pray.answered.click()
  await expect(pray.name).toHaveText('Anna')
  await expect(page.getByRole('status').getByText('2 marked as resolved', { exact: true })).toBeAttached()
  await expect.poll(resolved).toEqual([false, true, true])
  await pray.undo.click()
  await expect.poll(resolved).toEqual([false, false, false])
  await pray.back.click()
  await expect(page.getByRole('article')).toHaveText(/^Family\s*Ben$/)

  await pray.answered.click()
  await expect(pray.name).toHaveText('Anna')
  await answered.recordAnswer.click()
  await page.clock.resume()
  await answered.dialog.answer.fill('s a u: keys typed here are text')
  await answered.dialog.save.click()
  await expect(answered.dialog.root).toBeHidden()
  await expect(pray.name).toBeFocused()
  // The dialog is no longer in the history, only the session: leaving it takes timers.
  await expect.poll(() => page.evaluate<unknown>('history.state.openDialogs')).toBe(1)
  await pauseClock(page)
  await pray.answered.click()
  await pray.done.click()
  await expect(pray.title).toBeVisible()
  await answered.recordAnswer.click()
  await page.clock.resume()
  await answered.dialog.answer.fill('Home again')
  await answered.dialog.answer.press('Control+Enter')
  await expect
    .poll(async () => (await user.answers()).map(({ answer }) => answer))
    .toEqual(['Home again', 's a u: keys typed here are text'])
})

test('Undo covers no button, also with large text', { tag: '@small' }, async ({ page, user, pray }) => {
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
  await page.clock.install()
  await pray.open()
  await pray.begin.tap()
  // Announcements stay while the clock is stopped.
  await pauseClock(page)
  const toast = pray.undo.locator('xpath=ancestor::*[contains(@class, "toast")]')
  for (const size of ['100%', '150%', '200%']) {
    await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
    for (const width of [375, 320]) {
      await page.setViewportSize({ width, height: 568 })
      await pray.answered.tap()
      await expect(pray.undo).toBeVisible()
      await expectRoom(toast, pray.prayed, 8)
      await pray.undo.tap()
      await pray.back.tap()
    }
  }
})

/** Expects room between two elements, once they have stopped moving. */
async function expectRoom(above: Locator, below: Locator, pixels: number): Promise<void> {
  const room = async () => {
    const [upper, lower] = await Promise.all([above.boundingBox(), below.boundingBox()])
    return upper && lower ? lower.y - upper.y - upper.height : null
  }
  await expect.poll(room).toBeGreaterThan(pixels)
}
