import type { Locator, Page } from '@playwright/test'
import { doubleTextSize, expectAccessible, expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { prayerScreenOf } from './screens/prayer-screen.ts'
import { expect, test } from './test.ts'

const people = (count: number, given: { resolved?: boolean; note?: string; answer?: string } = {}) =>
  Array.from({ length: count }, (_, index) => ({ name: `Person ${String(index + 1)}`, ...given }))

const topOf = async (locator: Locator) => (await locator.boundingBox())?.y

/** Opens the page of a prayer by its link, and expects that "back" leads to the same place. */
async function expectWayBack(page: Page, link: Locator, name: string): Promise<void> {
  const prayer = prayerScreenOf(page)
  // Only now: what comes into view is rendered then, and can move the link once more.
  const pressed = await link.evaluateHandle((element) => {
    const at = { top: NaN }
    element.addEventListener('click', () => (at.top = element.getBoundingClientRect().top), { once: true })
    return at
  })
  await link.click()
  await expect(prayer.title).toHaveText(name)
  const before = (await pressed.jsonValue()).top
  for (const goBack of [() => prayer.back.click(), () => page.goBack()]) {
    await goBack()
    await expect(link).toBeFocused()
    // Browsers scroll by whole pixels.
    await expect.poll(async () => Math.abs(((await topOf(link)) ?? NaN) - before)).toBeLessThan(2)
    await page.goForward()
    await expect(prayer.title).toHaveText(name)
  }
}

test(
  'rows, search results, names on Today and answers lead to the page, and back to the same place',
  {
    tag: '@small',
  },
  async ({ page, user, dashboard, search, pray, answered, prayer }) => {
    await user.addCategory('Family', ...people(60, { note: 'Peace' }))
    await user.addCategory('Church', ...people(60, { resolved: true, answer: 'Home again' }))
    await dashboard.open()
    const family = dashboard.card('Family')
    await family.showAll.click()
    await expectWayBack(page, family.root.getByRole('link', { name: 'Person 47', exact: true }), 'Person 47')
    await expect(prayer.title).toBeFocused()
    await expect(page).toHaveTitle('Prayer · Intercede')

    await search.goto()
    await search.field.fill('peace')
    await search.open.showAll.click()
    await expectWayBack(page, search.open.result('Person 53'), 'Person 53')
    await search.goto()
    await search.field.fill('home')
    await search.answered.showAll.click()
    await expectWayBack(page, search.answered.result('Person 52'), 'Person 52')

    await pray.open()
    await pray.change.click()
    await pray.number('All').check()
    await page.keyboard.press('Escape')
    await expectWayBack(page, prayer.linkTo('Person 40'), 'Person 40')

    await answered.open()
    await expect(answered.entries.first()).toBeVisible()
    // Entries are rendered as they come near the window.
    await page.keyboard.press('End')
    await expectWayBack(page, prayer.linkTo('Person 58'), 'Person 58')
  },
)

test('a press on the note of a row opens the page, but selecting text does not', async ({
  page,
  user,
  dashboard,
  prayer,
}) => {
  await user.addCategory('Family', { name: 'Anna', note: 'Peace before the operation' })
  await dashboard.open()
  const note = page.getByText('Peace before the operation')
  await note.dragTo(note, { sourcePosition: { x: 2, y: 8 }, targetPosition: { x: 60, y: 8 } })
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('Peace')
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('heading', { level: 1 }).click()
  await note.click()
  await expect(prayer.title).toHaveText('Anna')
})

test('the category leads back to its card', async ({ page, user, dashboard, prayer }) => {
  await user.addCategory('Family', ...people(20))
  await user.addCategory('Friends', ...people(20))
  await user.addCategory('Church', ...people(20), { name: 'Anna' })
  await dashboard.open()
  await prayer.linkTo('Anna').click()
  await prayer.category.click()
  const heading = page.getByRole('heading', { name: 'Church' })
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport({ ratio: 1 })
})

test(
  '“Prayed today” and “Answered” stay in view with a long note, above the places on a phone',
  { tag: '@every-width' },
  async ({ page, user, dashboard, prayer }) => {
    await user.addCategory('Family', {
      name: 'Anna',
      note: 'That she finds words for her father. '.repeat(200),
    })
    await dashboard.open()
    await prayer.linkTo('Anna').click()
    await expect(prayer.title).toBeFocused()
    const places = page.getByRole('navigation', { name: 'Places' })
    const isBelow = (page.viewportSize()?.width ?? 0) < 768
    for (const key of ['Home', 'PageDown', 'End']) {
      await page.keyboard.press(key)
      for (const button of [prayer.prayedToday, prayer.answered]) {
        await expect(button).toBeInViewport({ ratio: 1 })
        const box = await button.boundingBox()
        if (isBelow)
          expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual((await topOf(places)) ?? NaN)
      }
    }
  },
)

test(
  'is accessible in its states, also with text of twice the size',
  { tag: '@small' },
  async ({ page, user, dashboard, answered, prayer }) => {
    // High enough that the buttons that stay in view cover none of those that are scrolled.
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 2000 })
    const longName = 'Wolfeschlegelsteinhausen'.repeat(8)
    await user.addCategory(
      'Family',
      {
        name: 'Anna',
        note: `See https://example.org/${'a'.repeat(200)}`,
        dueOn: '2031-11-27',
        prayDays: 9,
        updates: [
          { body: 'a'.repeat(300), createdAt: '2025-03-02T09:00:00Z' },
          { body: 'Home', createdAt: '2025-03-03T09:00:00Z', answeredOn: '2025-02-03' },
        ],
      },
      { name: longName },
      { name: 'Ben', resolved: true, answer: 'At peace' },
    )
    await dashboard.open()
    await prayer.linkTo('Anna').click()
    await prayer.prayedToday.click()
    await expect(prayer.prayedToday).toHaveAttribute('aria-pressed', 'true')
    await expectAccessible(page)
    await prayer.addUpdate.click()
    await expectAccessible(page)
    await expectNoHorizontalScrolling(page)
    await doubleTextSize(page)
    await expectNoHorizontalScrolling(page)
    await page.goBack()
    await prayer.linkTo(longName).click()
    await expect(prayer.title).toHaveText(longName)
    await expectNoHorizontalScrolling(page)
    await answered.open()
    await prayer.linkTo('Ben').click()
    await expect(prayer.reopen).toBeVisible()
    await expectAccessible(page)
    await prayer.share.click()
    await expect(prayer.shareText).toBeVisible()
    await expectAccessible(page)
  },
)
