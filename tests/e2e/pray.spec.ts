import type { Page } from '@playwright/test'
import { expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { loadShortcuts } from './fixtures/shortcuts.ts'
import type { PrayScreen } from './screens/pray-screen.ts'
import { expect, test } from './test.ts'

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Person ${String(index + 1)}` }))

/** Prays all prayers of a session; returns their names. */
async function prayAll(pray: PrayScreen, count: number, next: () => Promise<void>): Promise<string[]> {
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

test('with the keyboard alone: three sessions of 10 contain each of 30 prayers once', async ({
  page,
  user,
  dashboard,
  pray,
}) => {
  await user.addCategory('Family', ...people(30))
  await dashboard.open()
  await expect(dashboard.title).toBeVisible()
  await loadShortcuts(page)
  const seen: string[] = []
  for (let session = 1; session <= 3; session += 1) {
    await page.keyboard.press('p')
    await expect(pray.title).toBeFocused()
    await expect(pray.choice).toHaveText('10 of 30 prayers, those longest unprayed first')
    await pray.begin.focus()
    await page.keyboard.press('Enter')
    const keys = ['Space', 'Enter', 'ArrowRight']
    seen.push(
      ...(await prayAll(pray, 10, async () => page.keyboard.press(keys[seen.length % keys.length] ?? ''))),
    )
    await expect(page.getByText('You prayed for 10 people.')).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(dashboard.title).toBeVisible()
  }
  expect(new Set(seen).size).toBe(30)
  await expect
    .poll(async () => (await user.prayedDays()).map(({ times }) => times))
    .toEqual(Array(30).fill(1))
})

test('by touch alone, with buttons and swipes', { tag: '@small' }, async ({ page, user, pray }) => {
  await user.addCategory('Family', ...people(4))
  await pray.open()
  await page
    .getByRole('navigation', { name: 'Places' })
    .getByRole('link', { name: 'Pray', exact: true })
    .tap()
  await pray.begin.tap()
  await expect(pray.name).toHaveText('Person 4')
  await swipe(page, 'left')
  await expect(pray.name).toHaveText('Person 3')
  await swipe(page, 'right')
  await expect(pray.name).toHaveText('Person 4')
  await swipe(page, 'left')
  await expect(pray.name).toHaveText('Person 3')
  // Chromium ignores a tap that follows a swipe within a tenth of a second.
  await page.reload()
  await pray.continueSession.tap()
  await expect(pray.name).toHaveText('Person 3')
  await pray.prayed.tap()
  await expect(pray.name).toHaveText('Person 2')
  await pray.skip.tap()
  await expect(pray.name).toHaveText('Person 1')
  await pray.prayed.tap()
  await expect(page.getByText('You prayed for 3 people.')).toBeVisible()
  await pray.done.tap()
  await expect(page).toHaveURL('/dashboard')
})

test(
  'a session is continued where it was left, also after a reload',
  { tag: '@every-width' },
  async ({ page, user, pray }) => {
    await user.addCategory('Family', ...people(5))
    await pray.open()
    await pray.begin.click()
    await pray.prayed.click()
    await expect(pray.name).toHaveText('Person 4')
    await pray.skip.click()
    await expect(pray.name).toHaveText('Person 3')
    await page.reload()
    await expect(pray.continueSession).toHaveText('Continue where you left off (3 of 5)')
    await pray.continueSession.click()
    await expect(pray.name).toHaveText('Person 3')
    await page.keyboard.press('Escape')
    await expect(pray.continueSession).toBeVisible()
    await leaveClosedDialogs(page)
    await pray.continueSession.click()
    await page.goBack()
    await expect(pray.title).toBeVisible()
    await expect(page).toHaveURL('/pray')
  },
)

test('shows one prayer in a quiet layout, with its category, note and newest updates', async ({
  page,
  user,
  navigation,
  pray,
}) => {
  await user.addCategory('Family', { name: 'Anna', note: 'Peace, see https://example.org/news' })
  await pray.open()
  await expect(pray.choice).toHaveText('1 prayer')
  await pray.begin.click()
  await expect(pray.name).toBeFocused()
  await expect(page.getByText('Family')).toBeVisible()
  await expect(page.getByRole('link', { name: 'https://example.org/news' })).toBeVisible()
  await expect(navigation.bar).toBeHidden()
  await page.keyboard.press('u')
  await pray.updateText.fill('s a u: keys typed here are text')
  await page.keyboard.press('Control+Enter')
  await expect(pray.updateDialog).toBeHidden()
  await expect(page.getByRole('article')).toContainText('s a u: keys typed here are text')
  await pray.prayed.click()
  await expect(page.getByText('You prayed for 1 person.')).toBeVisible()
})

test('swiping in the dialog for an update does not swipe the prayer', async ({ page, user, pray }) => {
  await user.addCategory('Family', ...people(2))
  await pray.open()
  await pray.begin.click()
  await pray.addUpdate.click()
  await expect(pray.updateText).toBeFocused()
  // Chromium takes it for an attempt to scroll the dialog; other browsers report the whole movement.
  const finger = { pointerType: 'touch', isPrimary: true, clientY: 200 }
  await pray.updateText.dispatchEvent('pointerdown', { ...finger, clientX: 300 })
  await pray.updateText.dispatchEvent('pointerup', { ...finger, clientX: 80 })
  await page.keyboard.press('Escape')
  await expect(pray.updateDialog).toBeHidden()
  await expect(pray.name).toHaveText('Person 2')
})

test('the keys of a session press the focused button first, and letters can be switched off', async ({
  page,
  user,
  pray,
}) => {
  await user.addCategory('Family', ...people(3))
  await pray.open()
  await expect(pray.begin).toBeEnabled()
  await loadShortcuts(page)
  await pray.begin.click()
  await pray.skip.focus()
  await page.keyboard.press('Space')
  await expect(pray.name).toHaveText('Person 2')
  await page.keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await shortcuts.getByRole('checkbox').uncheck()
  await page.keyboard.press('Escape')
  await expect(shortcuts).toBeHidden()
  await page.keyboard.press('s')
  await page.keyboard.press('?')
  await expect(pray.name).toHaveText('Person 2')
  await page.keyboard.press('ArrowRight')
  await expect(pray.name).toHaveText('Person 1')
  await expect(shortcuts).toBeHidden()
})

test('remembers the number and the categories', async ({ page, user, pray }) => {
  await user.addCategory('Family', ...people(7))
  await user.addCategory('Church', { name: 'Clara' })
  await pray.open()
  await pray.number('5').check({ force: true })
  await pray.category('Family').check({ force: true })
  await expect(pray.choice).toHaveText('5 of 7 prayers, those longest unprayed first')
  await page.reload()
  await expect(pray.choice).toHaveText('5 of 7 prayers, those longest unprayed first')
  await expect(pray.category('All categories')).not.toBeChecked()
  await pray.category('Family').uncheck({ force: true })
  await pray.number('All').check({ force: true })
  await expect(pray.choice).toHaveText('All 8 prayers, those longest unprayed first')
})

test('passes over prayers that were deleted elsewhere, and says so if one is shown', async ({
  page,
  user,
  pray,
}) => {
  await user.addCategory('Family', ...people(2))
  await user.addCategory('Church', { name: 'Clara' })
  await pray.open()
  await pray.begin.click()
  await expect(pray.position).toHaveText('1 of 3')
  await user.deletePrayers()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByRole('heading', { name: 'This prayer was deleted.' })).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(pray.amen).toBeVisible()
  await expect(page.getByText('You prayed for')).toHaveCount(0)
})

test('still says the category of a prayer when it is hidden elsewhere', async ({ page, user, pray }) => {
  const family = await user.addCategory('Family', ...people(2))
  await user.addCategory('Church', { name: 'Clara' })
  await pray.open()
  await pray.begin.click()
  await expect(pray.name).toHaveText('Person 2')
  await user.hideCategory(family)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(pray.position).toHaveText('1 of 2')
  await expect(page.getByText('Family')).toBeVisible()
})

test('keeps the text of an update when its prayer is deleted elsewhere', async ({
  page,
  user,
  consoleWatch,
  pray,
}) => {
  consoleWatch.announce(/add update/)
  await user.addCategory('Family', { name: 'Anna' })
  await pray.open()
  await pray.begin.click()
  await pray.addUpdate.click()
  await pray.updateText.fill('She can walk again')
  await user.deletePrayers()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByText('This prayer was deleted.')).toBeVisible()
  await expect(pray.updateText).toHaveValue('She can walk again')
  await pray.saveUpdate.click()
  await expect(pray.updateDialog.getByRole('alert')).toHaveText('Prayer not found')
  await expect(pray.updateText).toHaveValue('She can walk again')
})

test('works without the network; what was prayed is sent later', async ({
  page,
  server,
  user,
  consoleWatch,
  pray,
}) => {
  consoleWatch.announceFailingServer()
  await user.addCategory('Family', ...people(2))
  await pray.open()
  await expect(pray.begin).toBeEnabled()
  await server.stop()
  await pray.begin.click()
  await prayAll(pray, 2, () => page.keyboard.press('Space'))
  await server.start()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(async () => (await user.prayedDays()).map(({ times }) => times)).toEqual([1, 1])
})

test('counts a prayer for the day on which it was prayed, also after midnight', async ({
  page,
  user,
  pray,
}) => {
  await user.addCategory('Family', ...people(2))
  const today = new Date()
  const tomorrow = new Date(today.getTime() + 24 * 60 * 60 * 1000)
  await page.clock.install({ time: today.setHours(23, 59, 30) })
  await pray.open()
  await pray.begin.click()
  await pray.prayed.click()
  await expect(pray.name).toHaveText('Person 1')
  await page.clock.fastForward('01:00')
  await pray.prayed.click()
  await expect(pray.amen).toBeVisible()
  const dayOf = (date: Date) => date.toLocaleDateString('sv', { timeZone: 'Europe/London' })
  await expect
    .poll(async () => (await user.prayedDays()).map(({ last }) => last))
    .toEqual([dayOf(tomorrow), dayOf(today)])
})

test('a session that is continued the next day leaves out prayers of the day before', async ({
  page,
  user,
  pray,
}) => {
  // A Sunday.
  await page.clock.install({ time: new Date('2025-11-23T21:00:00Z') })
  await user.addCategory(
    'Family',
    { name: 'Anna' },
    { name: 'Ben', prayDays: 64 },
    { name: 'Clara', prayDays: 64 },
  )
  await pray.open()
  await pray.begin.click()
  await expect(pray.name).toHaveText('Clara')
  await expect(pray.position).toHaveText('1 of 3')
  await pray.prayed.click()
  await expect(pray.name).toHaveText('Ben')
  await pray.done.click()
  await page.clock.fastForward('12:00:00')
  await expect(pray.continueSession).toHaveText('Continue where you left off (2 of 2)')
  await pray.continueSession.click()
  await expect(pray.name).toHaveText('Anna')
})

test('signing out removes what is remembered about sessions', async ({
  page,
  user,
  navigation,
  authScreen,
  pray,
}) => {
  await user.addCategory('Family', ...people(2))
  await pray.open()
  await pray.begin.click()
  await pray.prayed.click()
  const stored = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('pray')))
  expect(await stored()).not.toEqual([])
  await pray.done.click()
  await navigation.signOut()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect.poll(stored).toEqual([])
})

test('without prayers, leads to adding one', async ({ page, pray, user, dashboard }) => {
  await user.addCategory('Family')
  await pray.open()
  await page.getByRole('link', { name: 'Add a prayer' }).click()
  await expect(dashboard.title).toBeVisible()
})

test.describe('axe finds no violations', { tag: '@every-width' }, () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('on the choice, in a session, in its dialogs and at its end', async ({ page, user, pray }) => {
    await user.addCategory('Family', { name: 'Anna', note: 'Peace' })
    await user.addCategory('Church', { name: 'Ben' })
    await pray.open()
    await expect(pray.begin).toBeEnabled()
    await loadShortcuts(page)
    await expectAccessible(page)
    await expectNoHorizontalScrolling(page)
    await pray.begin.click()
    await expect(pray.name).toBeVisible()
    await expectAccessible(page)
    await expectNoHorizontalScrolling(page)
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
