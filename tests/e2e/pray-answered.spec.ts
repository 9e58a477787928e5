import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { expect, test } from './test.ts'

test(
  'in a session, messages cover no prayer',
  { tag: '@small' },
  async ({ page, user, server, consoleWatch, pray }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family', { name: 'Anna', note: 'Peace before Thursday. '.repeat(60) })
    await pray.open()
    await pray.begin.tap()
    await server.stop()
    await pray.addUpdate.tap()
    await pray.updateText.fill('It went well')
    await pray.saveUpdate.tap()
    await expect(page.getByRole('status').getByText('Update added')).toBeVisible()
    await expect(page.getByText('No connection.')).toBeVisible()
    const bottomOf = (text: string) =>
      page.getByText(text).evaluate((element) => element.getBoundingClientRect().bottom)
    const top = await pray.name.evaluate((element) => element.getBoundingClientRect().top)
    expect(await bottomOf('Update added')).toBeLessThan(top)
    expect(await bottomOf('No connection.')).toBeLessThan(top)
  },
)

test.describe('axe finds no violations', { tag: '@small' }, () => {
  test('after a prayer was answered in a session, also with large text', async ({ page, user, pray }) => {
    await user.addCategory('Family', { name: 'Wolfeschlegelsteinhausenbergerdorff' })
    await pray.open()
    await pray.begin.click()
    await pray.answered.click()
    await expect(pray.answer).toBeVisible()
    await expectAccessible(page)
    await test.step('above the keyboard, the field and the buttons are in view', async () => {
      await page.setViewportSize({ width: 375, height: 440 })
      await pray.answer.tap()
      await expect(pray.answer).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('button', { name: 'Write it down' })).toBeInViewport({ ratio: 1 })
    })
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await expectNoHorizontalScrolling(page)
  })
})
