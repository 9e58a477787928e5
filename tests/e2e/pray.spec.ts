import type { Page } from '@playwright/test'
import { expectAccessible } from './fixtures/accessibility.ts'
import { reloadWithDialog } from './fixtures/closed-dialogs.ts'
import { loadShortcuts } from './fixtures/shortcuts.ts'
import { tabTo } from './fixtures/tab-to.ts'
import type { Screens } from './screens/screens.ts'
import { expect, test } from './test.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Person ${String(index + 1)}` }))

/** Prays all prayers of a session; returns their names. */
async function prayAll(pray: Screens['pray'], count: number, next: () => Promise<void>): Promise<string[]> {
  const names: string[] = []
  for (let position = 1; position <= count; position += 1) {
    await expect(pray.position).toHaveText(`${String(position)} of ${String(count)}`)
    names.push(await pray.name.innerText())
    await next()
  }
  await expect(pray.amen).toBeVisible()
  return names
}

/** Swipes across the page with one finger, as the browser reports it. */
async function swipe(page: Page, direction: 'left' | 'right'): Promise<void> {
  const [from, to] = direction === 'left' ? [300, 80] : [80, 300]
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 200 }] })
  await touch('touchStart', from)
  await touch('touchMove', (from + to) / 2)
  await touch('touchMove', to)
  await touch('touchEnd')
}

test('with the keyboard alone: names are ticked, the choice is remembered, and a second session goes on with the others', async ({
  page,
  user,
  pray,
}) => {
  // Both sessions are on the same day.
  await page.clock.install({ time: new Date('2025-11-24T12:00:00Z') })
  await user.addCategory('Family', ...people(7))
  await user.addCategory('Church', { name: 'Clara' })
  await pray.open()
  await expect(pray.choice).toContainText('8 in turn')
  await expect(pray.names).toHaveCount(8)
  await tabTo(page, pray.change)
  await page.keyboard.press('Enter')
  await pray.number('10').focus()
  await page.keyboard.press('ArrowLeft')
  await pray.category('Family').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await expect(pray.change).toBeFocused()
  await expect(pray.names).toHaveText([/Person 7/, /Person 6/, /Person 5/, /Person 4/, /Person 3/])
  await page.reload()
  await expect(pray.choice).toContainText('5 in turn from Family')
  await tabTo(page, pray.circle('Person 7'))
  await page.keyboard.press('Space')
  await expect(pray.circle('Person 7')).toHaveAttribute('aria-pressed', 'true')
  await tabTo(page, pray.circle('Person 5'))
  await page.keyboard.press('Enter')
  await expect(pray.circle('Person 5')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Person 5' })).toBeFocused()

  await loadShortcuts(page)
  await pray.begin.focus()
  await page.keyboard.press('Enter')
  const keys = ['Space', 'Enter', 'ArrowRight']
  const seen: string[] = []
  const pressNext = async () => page.keyboard.press(keys[seen.length % keys.length] ?? '')
  seen.push(...(await prayAll(pray, 3, pressNext)))
  expect(seen).toEqual(['Person 6', 'Person 4', 'Person 3'])
  await expect(page.getByText('You prayed for 3 people.')).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(pray.title).toBeFocused()
  await expect(page.getByText("You have prayed for everyone on today's page.")).toBeVisible()
  await tabTo(page, pray.more)
  await page.keyboard.press('Enter')
  await expect(pray.circle('Person 2')).toBeFocused()
  await pray.begin.focus()
  await page.keyboard.press('Enter')
  expect(await prayAll(pray, 2, pressNext)).toEqual(['Person 2', 'Person 1'])
  const once = { times: 1 }
  await expect
    .poll(() => user.prayedDays())
    .toMatchObject([{ times: 0 }, once, once, once, once, once, once, once])
})

test(
  'on a phone, names begin near the top, also below the longest verse, and Begin stays in view',
  { tag: '@small' },
  async ({ page, user, pray }) => {
    await page.clock.install({ time: new Date('2025-11-07T12:00:00Z') })
    await user.addCategory('Family', ...people(20))
    await pray.open()
    await expect(pray.names).toHaveCount(10)
    const top = await pray.names.first().evaluate((row) => row.getBoundingClientRect().top)
    expect(top).toBeLessThanOrEqual(220)
    await expect(pray.begin).toBeInViewport()
    await pray.names.nth(4).evaluate((row) => row.scrollIntoView({ block: 'center' }))
    await expect(pray.begin).toBeInViewport()
  },
)

test('by touch alone, with circles, buttons and swipes', { tag: '@small' }, async ({ page, user, pray }) => {
  await user.addCategory('Family', ...people(5))
  await pray.open()
  await page
    .getByRole('navigation', { name: 'Places' })
    .getByRole('link', { name: 'Pray', exact: true })
    .tap()
  await pray.circle('Person 5').tap()
  await expect(pray.circle('Person 5')).toHaveAttribute('aria-pressed', 'true')
  await pray.begin.tap()
  await expect(pray.name).toHaveText('Person 4')
  await test.step('swiping in the dialog for an update does not swipe the prayer', async () => {
    await pray.addUpdate.tap()
    await expect(pray.updateText).toBeFocused()
    // Chromium takes it for an attempt to scroll the dialog; other browsers report the whole movement.
    const finger = { pointerType: 'touch', isPrimary: true, clientY: 200 }
    await pray.updateText.dispatchEvent('pointerdown', { ...finger, clientX: 300 })
    await pray.updateText.dispatchEvent('pointerup', { ...finger, clientX: 80 })
    await page.keyboard.press('Escape')
    await expect(pray.updateDialog).toBeHidden()
    await expect(pray.name).toHaveText('Person 4')
  })
  await swipe(page, 'left')
  await expect(pray.name).toHaveText('Person 3')
  await swipe(page, 'right')
  await expect(pray.name).toHaveText('Person 4')
  await swipe(page, 'left')
  await expect(pray.name).toHaveText('Person 3')
  // Chromium ignores a tap that follows a swipe within a tenth of a second.
  await reloadWithDialog(page)
  await pray.continueSession.tap()
  await expect(pray.name).toHaveText('Person 3')
  await pray.prayed.tap()
  await expect(pray.name).toHaveText('Person 2')
  await pray.skip.tap()
  await expect(pray.name).toHaveText('Person 1')
  await pray.prayed.tap()
  await expect(page.getByText('You prayed for 3 people.')).toBeVisible()
  await pray.done.tap()
  await expect(pray.title).toBeVisible()
  await expect(page).toHaveURL('/pray')
})

test.describe('axe finds no violations', { tag: '@small' }, () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('without prayers, on today’s page, in a session, in its dialogs and at its end', async ({
    page,
    user,
    dashboard,
    navigation,
    pray,
  }) => {
    await pray.open()
    await expect(page.getByRole('group', { name: 'Suggested categories' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Friends' }).click()
    await page.getByRole('link', { name: 'Add Your First Prayer' }).click()
    await expect(dashboard.prayerDialog.name).toBeFocused()
    await page.keyboard.press('Escape')
    await user.addCategory('Family', { name: 'Anna', note: 'Peace', prayDays: 127 })
    await user.addCategory('Church', { name: 'Ben' })
    await pray.open()
    await expect(pray.begin).toBeEnabled()
    await loadShortcuts(page)
    await expectAccessible(page)
    for (const name of ['Anna', 'Ben']) await pray.circle(name).click()
    await expect(page.getByText("You have prayed for everyone on today's page.")).toBeVisible()
    await expectAccessible(page)
    await pray.change.click()
    await expect(pray.choiceSheet).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    for (const name of ['Anna', 'Ben']) await pray.circle(name).click()
    await pray.begin.click()
    await expect(pray.name).toBeVisible()
    await expect(navigation.bar).toBeHidden()
    await expectAccessible(page)
    await pray.addUpdate.click()
    await pray.saveUpdate.click()
    await expect(pray.updateDialog.getByRole('alert')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowRight')
    await expect(pray.position).toHaveText('2 of 2')
    await pray.prayed.click()
    await expect(pray.amen).toBeVisible()
    await expectAccessible(page)
  })
})
