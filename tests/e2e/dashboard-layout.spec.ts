import type { Locator } from '@playwright/test'
import { expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { firstLineOf, lastLineOf } from './fixtures/lines.ts'
import { pauseClock } from './fixtures/pause-clock.ts'
import { expect, test } from './test.ts'

const NOTE = 'That she finds words for her father, and he for her. They have not spoken since March.'

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Person ${String(index + 1)}`,
    ...(index % 2 === 0 && { note: NOTE }),
  }))

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not visible.')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

test.describe('on a phone', { tag: '@small' }, () => {
  test.use({ viewport: { width: 360, height: 812 } })

  test('with 80 prayers, the first begins within 220 px and six are in view, and the name of the category stays there', async ({
    page,
    user,
    dashboard,
  }) => {
    for (const name of ['Family', 'Friends', 'Church', 'Work']) await user.addCategory(name, ...people(20))
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.rows).toHaveCount(20)
    expect((await boxOf(dashboard.rows.first())).y).toBeLessThanOrEqual(220)
    expect((await boxOf(dashboard.manageCategories)).width, 'it has a label').toBeGreaterThan(88)
    await expect(dashboard.rows.nth(5)).toBeInViewport({ ratio: 1 })

    await card.row('Person 19').edit.focus()
    const heading = page.getByRole('heading', { name: 'Family' })
    await expect(heading).toBeInViewport({ ratio: 1 })
    for (const name of ['Person 12', 'Person 6']) {
      const button = card.row(name).edit
      await button.focus()
      await expect
        .poll(async () => (await boxOf(button)).y - (await boxOf(heading)).y, 'it does not cover the button')
        .toBeGreaterThan(40)
    }
    await page.setViewportSize({ width: 375, height: 440 })
    await card.row('Person 19').edit.focus()
    await expect(heading).not.toBeInViewport()
  })

  test('every button is at least 44 px wide and high; beside a long name, "Add Prayer" is a plus with the same name', async ({
    page,
    user,
    dashboard,
  }) => {
    const longName = 'Friends of the choir of Saint Bartholomew'
    await user.addCategory(longName)
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben', resolved: true })
    await dashboard.open()
    await dashboard.card('Family').showResolved.click()
    await expect(dashboard.rows).toHaveCount(2)
    // The text of a row can be pressed as a whole, and is more than the link in it.
    const controls = await page.getByRole('main').locator('button, a:not(.prayer-text a), .prayer-text').all()
    expect(controls.length).toBeGreaterThan(6)
    for (const control of controls) {
      const { width, height } = await boxOf(control)
      expect.soft(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    }

    /** Whether the text is in the first line of the button; what is below is cut off. */
    const showsText = (category: string) =>
      dashboard.card(category).addPrayer.evaluate((button) => {
        const text = document.createRange()
        text.selectNodeContents(button.lastChild ?? button)
        return text.getBoundingClientRect().top < button.getBoundingClientRect().top + 40
      })
    expect(await showsText('Family')).toBe(true)
    expect(await showsText(longName)).toBe(false)
    const plus = dashboard.card(longName).addPrayer
    await expect(plus).toHaveAccessibleName('Add Prayer')
    expect(await boxOf(plus)).toMatchObject({ height: 44 })
    expect((await boxOf(plus)).width).toBeLessThan(64)
  })

  test('names have six lines at most and notes two, and a note that is cut ends before its button', async ({
    user,
    dashboard,
  }) => {
    await user.addCategory(
      'Family',
      { name: 'Saint '.repeat(33).trim(), note: `${NOTE} `.repeat(3) },
      { name: 'W'.repeat(200), note: 'W'.repeat(600) },
    )
    await dashboard.open()
    await expect(dashboard.rows).toHaveCount(2)
    for (const row of await dashboard.rows.all()) {
      const [name, note] = [row.locator('p').first(), row.locator('p').last()]
      const button = await boxOf(row.getByRole('button', { name: /^more of the note/ }))
      const lines = (text: Locator) =>
        text.evaluate((element) => element.clientHeight / parseFloat(getComputedStyle(element).lineHeight))
      expect(await lines(name)).toBeCloseTo(6, 1)
      expect(await lines(note)).toBeCloseTo(2, 1)
      const { end } = await lastLineOf(note)
      expect(button.x - end).toBeGreaterThanOrEqual(0)
      expect(button.x - end, 'it is right behind the text').toBeLessThan(24)
      // The note has the whole width below the name and its buttons.
      expect((await boxOf(note)).width).toBeGreaterThan(270)
      const before = await firstLineOf(note)
      await row.getByRole('button', { name: /^more of the note/ }).click()
      await expect(row.getByRole('button', { name: /^less of the note/ })).toBeFocused()
      expect(await firstLineOf(note), 'opening it does not break the lines anew').toEqual(before)
    }
  })

  test('an error is in view wherever the page is scrolled to, and corrects the announcement', async ({
    page,
    context,
    user,
    consoleWatch,
    dashboard,
  }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family', ...people(20), { name: 'Zoe' })
    await page.clock.install()
    await dashboard.open()
    const last = dashboard.card('Family').row('Zoe')
    await last.edit.scrollIntoViewIfNeeded()
    // The announcement is shown for some seconds only.
    await pauseClock(page)
    // Offline, the page does not notice that the prayer has been deleted.
    await context.setOffline(true)
    await user.deletePrayers('Zoe')
    await last.resolve.click()
    await expect(dashboard.undo).toBeVisible()
    await context.setOffline(false)
    await expect(dashboard.banner).toContainText('Prayer not found')
    await expect(dashboard.banner).toBeInViewport({ ratio: 1 })
    await expect(dashboard.announcement.filter({ hasText: 'Not saved: Zoe: answered' })).toHaveCount(1)
    await expect(dashboard.undo).toHaveCount(0)
  })

  test('a menu jumps to one of more than twelve categories', async ({ page, user, dashboard }) => {
    const names = Array.from({ length: 13 }, (_, index) => `Circle ${String(index + 1)}`)
    for (const id of await user.addCategories(...names)) await user.addPrayers(id, ...people(12))
    await dashboard.open()
    await page.getByRole('button', { name: 'Jump to' }).click()
    await page.getByRole('menuitem', { name: 'Circle 12' }).click()
    const heading = page.getByRole('heading', { name: 'Circle 12' })
    await leaveClosedDialogs(page)
    await expect(heading).toBeInViewport()
    await expect(heading).toBeFocused()
    await expectNoHorizontalScrolling(page)
  })
})

/**
 * Runs in the page, before each frame: where each row is in its card and how large, when it is first seen, and each row
 * that is elsewhere later. What is above the card may move while a font loads.
 */
const WATCH_ROWS = `
  const first = new Map()
  window.movedRows = []
  window.watchRows = () => {
    for (const row of document.querySelectorAll('section li')) {
      const name = row.querySelector('p').textContent
      const card = row.closest('section').getBoundingClientRect()
      const { left, top, width, height } = row.getBoundingClientRect()
      const place = [left - card.left, top - card.top, width, height]
      if (!first.has(name)) first.set(name, place)
      if (place.some((value, index) => Math.abs(value - first.get(name)[index]) >= 1))
        movedRows.push([name, 'from', ...first.get(name), 'to', ...place].join(' '))
    }
    requestAnimationFrame(watchRows)
    return first.size
  }
  requestAnimationFrame(watchRows)`

test('nothing moves when updates arrive, on the first visit and on the next', async ({
  page,
  user,
  dashboard,
}) => {
  const updates = [{ body: 'She has passed', createdAt: '2025-11-03T12:00:00Z' }]
  await user.addCategory('Family', { name: 'Anna', updates }, { name: 'Ben', updates }, { name: 'Clara' })
  await page.addInitScript(WATCH_ROWS)
  const paint = () => page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
  const expectNothingMoved = async () => {
    await expect(dashboard.rows.filter({ hasText: 'Updated ' })).toHaveCount(2)
    expect(await page.evaluate('watchRows()'), 'rows that were watched').toBe(3)
    expect(await page.evaluate('movedRows')).toEqual([])
  }
  const prayers = page.waitForResponse(/\/rest\/v1\/prayers/)
  await page.route(/\/rest\/v1\/prayer_updates/, async (route) => {
    await (await prayers).finished()
    await paint()
    await paint()
    await route.continue()
  })
  await dashboard.open()
  await expectNothingMoved()
  await page.reload()
  await expectNothingMoved()
})

test('keeps what is shown, and the scroll position, while the user is on another screen', async ({
  page,
  user,
  dashboard,
  categories,
}) => {
  await user.addCategory('Family', ...people(25), { name: 'Clara', resolved: true })
  await user.addCategory('Friends', ...people(25))
  await dashboard.open()
  const card = dashboard.card('Family')
  await card.showResolved.click()
  await expect(card.row('Clara').root).toBeInViewport()
  const position = () => page.evaluate(() => scrollY)
  const before = await position()
  expect(before).toBeGreaterThan(0)
  for (const goBack of [() => categories.backToDashboard.click(), () => page.goBack()]) {
    await page.evaluate('document.querySelector("main a[href=\'/manage-categories\']").click()')
    await expect(categories.title).toBeVisible()
    await goBack()
    await expect(card.row('Clara').root).toBeInViewport()
    await expect.poll(position).toBe(before)
  }
})

test('with a single category, a note is beside the name; it shows two lines, and is printed as a whole', async ({
  page,
  user,
  dashboard,
}) => {
  const note = `See https://example.org/news. ${NOTE.repeat(100)}`
  await user.addCategory('Family', { name: 'Anna', note })
  await dashboard.open()
  const shown = page.getByText('See https')
  const [name, text] = await Promise.all([boxOf(page.getByText('Anna', { exact: true })), boxOf(shown)])
  expect(text.x).toBeGreaterThan(name.right)
  expect(text.y).toBeLessThan(name.bottom)

  const lines = () =>
    shown.evaluate((element) => element.clientHeight / parseFloat(getComputedStyle(element).lineHeight))
  await expect.poll(lines).toBeLessThan(2.5)
  await page.getByRole('button', { name: 'more of the note for Anna' }).click()
  await expect.poll(lines).toBeGreaterThan(20)
  await page.getByRole('button', { name: 'less of the note for Anna' }).click()
  await expect.poll(lines).toBeLessThan(2.5)

  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
  const printed = await page.evaluate(() => document.body.innerText.replaceAll(/\s+/g, ' ').trim())
  expect(printed, 'only names, notes and categories').toBe(`Family Anna ${note}`)
})
