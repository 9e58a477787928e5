import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { loadShortcuts } from './fixtures/shortcuts.ts'
import { expect, test } from './test.ts'

test('in a session, "Answered" stays with the person, whose answer is written down, left for later or undone', async ({
  page,
  user,
  pray,
}) => {
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' }, { name: 'Clara' })
  await pray.open()
  await expect(pray.begin).toBeEnabled()
  await loadShortcuts(page)
  await pray.begin.click()
  await expect(pray.name).toHaveText('Clara')
  await page.keyboard.press('a')
  await expect(page.getByText('Thanks be to God.')).toBeVisible()
  await expect(pray.name).toHaveText('Clara')
  await expect(pray.answer).toBeFocused()
  await page.keyboard.type('s a u: keys typed here are text')
  await page.keyboard.press('Control+Enter')

  await expect(pray.name).toHaveText('Ben')
  await expect(pray.name).toBeFocused()
  await pray.answered.click()
  await pray.undo.click()
  await expect(pray.prayed).toBeVisible()
  await expect(pray.name).toHaveText('Ben')
  await pray.answered.click()
  await pray.answer.fill('Not quite')
  await pray.later.click()
  await expect(pray.name).toHaveText('Anna')
  await pray.done.click()
  await expect(pray.continueSession).toHaveText('Continue · 3 of 3')
  await expect
    .poll(() => user.answers())
    .toMatchObject([
      { person_name: 'Ben', answer: null },
      { person_name: 'Clara', answer: 's a u: keys typed here are text' },
    ])
})

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
    await expect(page.getByText('The server cannot be reached.')).toBeVisible()
    const bottomOf = (text: string) =>
      page.getByText(text).evaluate((element) => element.getBoundingClientRect().bottom)
    const top = await pray.name.evaluate((element) => element.getBoundingClientRect().top)
    expect(await bottomOf('Update added')).toBeLessThan(top)
    expect(await bottomOf('The server cannot be reached.')).toBeLessThan(top)
  },
)

test.describe('axe finds no violations', { tag: '@every-width' }, () => {
  test('after a prayer was answered in a session, also with large text', async ({ page, user, pray }) => {
    await user.addCategory('Family', { name: 'Wolfeschlegelsteinhausenbergerdorff' })
    await pray.open()
    await pray.begin.click()
    await pray.answered.click()
    await expect(pray.answer).toBeVisible()
    await expectAccessible(page)
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await expectNoHorizontalScrolling(page)
  })
})
