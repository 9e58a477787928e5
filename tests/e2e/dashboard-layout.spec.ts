import type { Locator } from '@playwright/test'
import { expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { expect, test } from './test.ts'

const NOTE = 'That she finds words for her father, and he for her. They have not spoken since March.'

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Person ${String(index + 1)}`,
    ...(index % 2 === 0 && { note: NOTE }),
  }))

test.describe('on a phone', { tag: '@small' }, () => {
  test.use({ viewport: { width: 375, height: 812 } })

  test('with 80 prayers, the first begins within 220 px and six are in view', async ({ user, dashboard }) => {
    for (const name of ['Family', 'Friends', 'Church', 'Work']) await user.addCategory(name, ...people(20))
    await dashboard.open()
    await expect(dashboard.card('Family').rows).toHaveCount(20)
    expect((await dashboard.rows.first().boundingBox())?.y).toBeLessThanOrEqual(220)
    await expect(dashboard.rows.nth(5)).toBeInViewport({ ratio: 1 })
  })

  test('the name of the category stays in view, and does not cover what has the focus', async ({
    page,
    user,
    dashboard,
  }) => {
    // Smooth scrolling to one button would still be going on when the next one gets the focus.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await user.addCategory('Family', ...people(20))
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Person 19').edit.focus()
    const heading = page.getByRole('heading', { name: 'Family' })
    await expect(heading).toBeInViewport({ ratio: 1 })
    const topOf = async (locator: Locator) => (await locator.boundingBox())?.y ?? -Infinity
    for (const name of ['Person 12', 'Person 6']) {
      const button = card.row(name).edit
      await button.focus()
      await expect.poll(async () => (await topOf(button)) - (await topOf(heading))).toBeGreaterThan(40)
    }
    await page.setViewportSize({ width: 375, height: 440 })
    await card.row('Person 19').edit.focus()
    await expect(heading).not.toBeInViewport()
  })

  test('tapping the text of a prayer opens it for editing', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna', note: 'Peace' })
    await dashboard.open()
    await page.getByText('Peace').tap()
    await expect(dashboard.prayerDialog.name).toHaveValue('Anna')
  })

  test('with text of twice the size, notes have the width of the card, and nothing is cut off', async ({
    page,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna', note: NOTE, dueOn: '2030-01-01' })
    await dashboard.open()
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    const family = dashboard.card('Family')
    const boxOf = async (locator: Locator) =>
      (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const middleOf = async (locator: Locator) => {
      const { y, height } = await boxOf(locator)
      return y + height / 2
    }
    const [card, note] = await Promise.all([boxOf(family.root), boxOf(page.getByText(NOTE))])
    expect(note.width).toBeGreaterThan(card.width * 0.7)
    const name = await middleOf(page.getByText('Anna', { exact: true }))
    expect(Math.abs((await middleOf(family.row('Anna').resolve)) - name)).toBeLessThan(3)
    const product = page.getByRole('banner').getByText('Intercede')
    expect(await product.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)

    await family.row('Anna').edit.click()
    const date = dashboard.prayerDialog.root.getByLabel('On a specific date', { exact: true })
    expect((await boxOf(date)).width, 'ten characters and the icon').toBeGreaterThan(270)
  })

  test('every button is at least 44 px wide and high', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben', resolved: true })
    await dashboard.open()
    await dashboard.card('Family').showResolved.click()
    await expect(dashboard.rows).toHaveCount(2)
    const controls = await page.getByRole('main').locator('button, a').all()
    expect(controls.length).toBeGreaterThan(6)
    for (const control of controls) {
      const box = await control.boundingBox()
      expect.soft(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
  })

  test('beside a long name, "Add Prayer" is a plus with the same name', async ({ user, dashboard }) => {
    const name = 'Friends of the choir of Saint Bartholomew'
    await user.addCategory(name)
    await user.addCategory('Family')
    await dashboard.open()
    await expect(dashboard.card(name).addPrayer).toHaveAccessibleName('Add Prayer')
    const [plus, whole] = await Promise.all(
      [name, 'Family'].map((each) => dashboard.card(each).addPrayer.boundingBox()),
    )
    expect(plus?.width).toBeLessThan(64)
    expect(whole?.width).toBeGreaterThan(100)
    expect(plus?.height).toBe(44)
    const textTop = await dashboard.card(name).addPrayer.evaluate((button) => {
      const range = document.createRange()
      range.selectNodeContents(button.lastChild ?? button)
      return range.getBoundingClientRect().top
    })
    // Cut off completely.
    expect(textTop).toBeGreaterThan((plus?.y ?? Infinity) + 40)
  })
})

test('nothing moves when updates arrive, on the first visit and on the next', async ({
  page,
  user,
  dashboard,
}) => {
  const updates = [{ body: 'She has passed', createdAt: '2025-11-03T12:00:00Z' }]
  await user.addCategory('Family', { name: 'Anna', updates }, { name: 'Ben', updates }, { name: 'Clara' })
  await page.addInitScript(`
    window.shift = 0
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shift += entry.value }))
      .observe({ type: 'layout-shift', buffered: true })`)
  const paint = () => page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
  const expectNoShift = async () => {
    await expect(dashboard.rows.filter({ hasText: 'Updated ' })).toHaveCount(2)
    await paint()
    await paint()
    expect(await page.evaluate('shift')).toBe(0)
  }
  const prayers = page.waitForResponse(/\/rest\/v1\/prayers/)
  await page.route(/\/rest\/v1\/prayer_updates/, async (route) => {
    await (await prayers).finished()
    await paint()
    await paint()
    await route.continue()
  })
  await dashboard.open()
  await expectNoShift()
  await page.reload()
  await expectNoShift()
})

test('with a single category, the notes are beside the names', async ({ page, user, dashboard }) => {
  await user.addCategory('Family', { name: 'Anna', note: 'Peace' })
  await dashboard.open()
  const name = await page.getByText('Anna', { exact: true }).boundingBox()
  const note = await page.getByText('Peace').boundingBox()
  expect(note?.x).toBeGreaterThan((name?.x ?? 0) + (name?.width ?? 0))
  expect(note?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0))
})

test(
  'an error is in view, wherever the page is scrolled to, and corrects the announcement',
  {
    tag: '@every-width',
  },
  async ({ page, user, consoleWatch, dashboard }) => {
    consoleWatch.announce(/^console\.error/)
    for (const name of ['Family', 'Friends', 'Church']) await user.addCategory(name, ...people(20))
    await dashboard.open()
    await dashboard.card('Church').addPrayer.scrollIntoViewIfNeeded()
    const last = dashboard.card('Church').row('Person 20')
    await last.edit.scrollIntoViewIfNeeded()
    await user.deleteEverything()
    await last.resolve.click()
    await expect(dashboard.banner).toContainText('Prayer not found')
    await expect(dashboard.banner).toBeInViewport({ ratio: 1 })
    await expect(
      page.getByRole('status').filter({ hasText: 'Not saved: Person 20 marked as resolved' }),
    ).toHaveCount(1)
    await expect(dashboard.undo).toHaveCount(0)
  },
)

test('Undo reverts everything that was resolved in quick succession', async ({ user, dashboard }) => {
  await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' }, { name: 'Clara' })
  await dashboard.open()
  const card = dashboard.card('Family')
  await card.row('Anna').resolve.click()
  await card.row('Ben').resolve.click()
  await expect(dashboard.announcement.filter({ hasText: '2 marked as resolved' })).toHaveCount(1)
  await expect(card.rows).toHaveText([/Clara/])
  await dashboard.undo.click()
  await expect(card.rows).toHaveText([/Anna/, /Ben/, /Clara/])
})

test('moving a prayer says where it went', async ({ page, user, dashboard }) => {
  await user.addCategory('Family', { name: 'Anna' })
  await user.addCategory('Church')
  await dashboard.open()
  await dashboard.card('Family').row('Anna').edit.click()
  await dashboard.prayerDialog.category.selectOption('Church')
  await dashboard.prayerDialog.updateButton.click()
  await expect(page.getByRole('status').filter({ hasText: 'Moved to Church' })).toHaveCount(1)
  await expect(dashboard.card('Church').row('Anna').root).toBeVisible()
})

test('says how many categories are hidden, with a link to them', async ({
  page,
  user,
  dashboard,
  categories,
}) => {
  await user.addCategory('Family', { name: 'Anna' })
  for (const name of ['Friends', 'Church']) await user.hideCategory(await user.addCategory(name))
  await dashboard.open()
  await page.getByRole('link', { name: '2 categories hidden' }).click()
  await expect(categories.row('Friends').root).toBeVisible()
})

test(
  'keeps what is shown, and the scroll position, while the user is on another screen',
  {
    tag: '@every-width',
  },
  async ({ page, user, dashboard, categories }) => {
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
      expect(await position()).toBe(before)
    }
  },
)

test.describe('with more than twelve categories', { tag: '@every-width' }, () => {
  test('a menu jumps to the card of one', async ({ page, user, dashboard }) => {
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

  test('there is no such menu with twelve', async ({ page, user, dashboard }) => {
    await user.addCategories(...Array.from({ length: 12 }, (_, index) => `Circle ${String(index + 1)}`))
    await dashboard.open()
    await expect(dashboard.cards).toHaveCount(12)
    await expect(page.getByRole('button', { name: 'Jump to' })).toHaveCount(0)
  })
})

test(
  'a long note shows its first lines; links in it can be followed',
  { tag: '@every-width' },
  async ({ page, user, dashboard }) => {
    await user.addCategory('Family', {
      name: 'Anna',
      note: `See https://example.org/news. ${NOTE.repeat(100)}`,
    })
    await dashboard.open()
    const row = dashboard.card('Family').row('Anna')
    await expect(row.root.getByRole('link')).toHaveAttribute('href', 'https://example.org/news')
    const height = async () => (await row.root.boundingBox())?.height ?? 0
    expect(await height()).toBeLessThan(150)
    await page.getByRole('button', { name: 'more of the note for Anna' }).click()
    await expect.poll(height).toBeGreaterThan(500)
    await page.getByRole('button', { name: 'less of the note for Anna' }).click()
    await expect.poll(height).toBeLessThan(150)
  },
)

test('prints only the names, the notes and the categories', async ({ page, user, dashboard }) => {
  await user.addCategory('Family', { name: 'Anna', note: NOTE.repeat(20) })
  await dashboard.open()
  await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
  const printed = await page.evaluate(() => document.body.innerText.replaceAll(/\s+/g, ' ').trim())
  expect(printed).toBe(`Family Anna ${NOTE.repeat(20)}`)
})
