import { beforeLists } from './fixtures/before-lists.ts'
import { expect, test } from './test.ts'

test('shows its title, the Bible quote and a link to Manage Categories', async ({
  page,
  user,
  dashboard,
}) => {
  await user.addCategory('Family')
  await dashboard.open()
  await expect(dashboard.title).toBeVisible()
  await expect(page.getByText('Track prayer requests and celebrate answers')).toBeVisible()
  await expect(page.getByText('Brethren, pray for us.')).toBeVisible()
  await expect(page.getByText('1 Thessalonians 5:25')).toBeVisible()
  await expect(dashboard.manageCategories).toBeVisible()
})

test('shows "Loading prayers..." until the server has responded', async ({
  page,
  server,
  user,
  dashboard,
}) => {
  await user.addCategory('Family', { name: 'Anna' })
  const stopIntercepting = await beforeLists(page, () => server.pause())
  await dashboard.open()
  await expect(page.getByText('Loading prayers...').first()).toBeVisible()
  await expect(dashboard.welcomeCard).toBeHidden()
  await expect(page.getByText('No prayers yet')).toBeHidden()
  await stopIntercepting()
  server.resume()
  await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
  await expect(page.getByText('Loading prayers...')).toHaveCount(0)
})

test.describe('without visible categories', () => {
  test('welcomes the user, with a link for creating the first category', async ({
    page,
    user,
    dashboard,
    categories,
  }) => {
    expect(await user.categoryNames()).toEqual([])
    await dashboard.open()
    await expect(dashboard.welcomeCard).toBeVisible()
    await expect(page.getByRole('main')).toContainText(/Family.*Friends.*Church/)
    await expect(page.getByText(/hidden/i)).toHaveCount(0)
    await dashboard.createFirstCategory.click()
    await expect(categories.title).toBeVisible()
    await expect(page).toHaveURL('/manage-categories')
  })

  test('shows how many categories are hidden', async ({ page, user, dashboard, categories }) => {
    for (const name of ['Family', 'Friends']) await user.hideCategory(await user.addCategory(name))
    await dashboard.open()
    await expect(dashboard.welcomeCard).toBeVisible()
    await expect(page.getByRole('main').getByText(/2 .*hidden/)).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Manage Categories' }).last().click()
    await expect(categories.row('Friends').root).toBeVisible()
  })
})

test.describe('the grid of cards', () => {
  test('has one card per visible category, in the order set by the user: the left column comes first', async ({
    user,
    dashboard,
  }) => {
    await user.addCategories('Family', 'Secret', 'Church', 'Neighbours')
    const hidden = await user.addCategory('Hidden', { name: 'Not shown' })
    await user.hideCategory(hidden)
    await dashboard.open()
    await expect(dashboard.cards.getByRole('heading')).toHaveText([
      'Family',
      'Secret',
      'Church',
      'Neighbours',
    ])
    const [first, second, third] = await Promise.all(
      [0, 1, 2].map((index) => dashboard.cards.nth(index).boundingBox()),
    )
    expect(second?.x).toBe(first?.x)
    expect(second?.y).toBeGreaterThan(first?.y ?? Infinity)
    expect(third?.y).toBe(first?.y)
    expect(third?.x).toBeGreaterThan(first?.x ?? Infinity)
  })

  test('has one column on a small screen', { tag: '@small' }, async ({ user, dashboard }) => {
    await user.addCategories('Family', 'Church')
    await dashboard.open()
    await expect(dashboard.cards).toHaveCount(2)
    const [first, second] = await Promise.all([0, 1].map((index) => dashboard.cards.nth(index).boundingBox()))
    expect(second?.x).toBe(first?.x)
    expect(second?.y).toBeGreaterThan(first?.y ?? Infinity)
  })

  test('shows the newest prayer first, and the notes of prayers', async ({ user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna', note: 'A calm exam week' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.rows).toHaveText([/Anna.*A calm exam week/s, /Ben/])
  })

  test('shows "No prayers yet" in a card without prayers', async ({ user, dashboard }) => {
    await user.addCategory('Family')
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.empty).toBeVisible()
    await expect(card.root).toContainText('Add your first prayer and start making a difference')
    await expect(card.showResolved).toBeHidden()
  })

  test('does not show "No prayers yet" in a card whose prayers are all resolved', async ({
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna', resolved: true })
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.showResolved).toHaveText(/Show Resolved \(1\)/)
    await expect(card.empty).toBeHidden()
    await expect(card.root).toContainText(/resolved/i)
  })

  test(
    'does not scroll sideways with the longest names and notes',
    { tag: '@every-width' },
    async ({ page, user, dashboard }) => {
      const long = (length: number) => 'Wolfeschlegelsteinhausenbergerdorff'.repeat(300).slice(0, length)
      await user.addCategory(
        long(100),
        { name: long(200), note: long(1000) },
        { name: long(200), resolved: true },
      )
      await dashboard.open()
      await expect(dashboard.cards).toHaveCount(1)
      await expect(dashboard.cards.getByRole('button', { name: 'Edit prayer' })).toBeVisible()
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
    },
  )
})

test(
  'does not scroll sideways with many prayers, some of them in cards that are not visible yet',
  { tag: '@every-width' },
  async ({ page, user, dashboard }) => {
    const prayers = Array.from({ length: 25 }, (_, index) => ({ name: `Person ${String(index + 1)}` }))
    for (const id of await user.addCategories(
      ...Array.from({ length: 8 }, (_, at) => `Circle ${String(at + 1)}`),
    ))
      await user.addPrayers(id, ...prayers)
    await dashboard.open()
    await expect(dashboard.card('Circle 1').rows).toHaveCount(25)
    await expect(dashboard.cards).toHaveCount(8)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  },
)

test.describe('a card with more than 25 prayers', () => {
  const prayers = (count: number, name: string, resolved = false) =>
    Array.from({ length: count }, (_, index) => ({ name: `${name} ${String(index + 1)}`, resolved }))

  test('shows the first 25; "Show all" shows the others and moves the focus to the first of them', async ({
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', ...prayers(30, 'Person'))
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.rows).toHaveCount(25)
    await expect(card.rows.last()).toContainText('Person 25')
    await expect(card.showAll).toHaveText('Show all (30)')
    await card.showAll.press('Enter')
    await expect(card.rows).toHaveCount(30)
    await expect(card.showAll).toHaveCount(0)
    await expect(card.row('Person 26').resolve).toBeFocused()
    await expect(card.root.getByRole('status')).toHaveText('All 30 prayers are shown')
  })

  test('shows the first 25 resolved ones, too, when they are shown', async ({ user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' }, ...prayers(28, 'Person', true))
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.rows).toHaveText([/Anna/])
    await expect(card.showAllResolved).toHaveCount(0)
    await card.showResolved.click()
    await expect(card.rows).toHaveCount(26)
    await expect(card.showAll).toHaveCount(0)
    await card.showAllResolved.click()
    await expect(card.rows).toHaveCount(29)
    await expect(card.row('Person 26').unresolve).toBeFocused()
    await card.hideResolved.click()
    await expect(card.rows).toHaveText([/Anna/])
  })

  test('shows a new prayer at the top, and one that is restored by Undo', async ({ user, dashboard }) => {
    await user.addCategory('Family', ...prayers(30, 'Person'))
    await dashboard.open()
    const card = dashboard.card('Family')
    await dashboard.addPrayer('Family', 'Anna')
    await expect(card.rows.first()).toContainText('Anna')
    await expect(card.rows).toHaveCount(26)
    await expect(card.showAll).toHaveText('Show all (31)')
    await card.row('Person 25').resolve.click()
    await expect(card.row('Person 25').root).toHaveCount(0)
    await expect(card.showAll).toHaveText('Show all (30)')
    await dashboard.undo.click()
    await expect(card.row('Person 25').root).toBeVisible()
    await expect(card.showAll).toHaveText('Show all (31)')
  })
})

test('renders the rows of a card when it comes near the visible area', async ({ page, user, dashboard }) => {
  const names = Array.from({ length: 12 }, (_, index) => `Circle ${String(index + 1)}`)
  const prayers = Array.from({ length: 20 }, (_, index) => ({ name: `Person ${String(index + 1)}` }))
  for (const id of await user.addCategories(...names)) await user.addPrayers(id, ...prayers)
  await dashboard.open()
  await expect(dashboard.card('Circle 1').rows).toHaveCount(20)
  const last = dashboard.card('Circle 12')
  await expect(last.addPrayer).toBeAttached()
  await expect(last.rows).toHaveCount(0)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await last.addPrayer.scrollIntoViewIfNeeded()
  await expect(last.rows).toHaveCount(20)
  // The placeholder has about the height of the rows.
  const growth = (await page.evaluate(() => document.documentElement.scrollHeight)) / height
  expect(growth).toBeGreaterThan(0.9)
  expect(growth).toBeLessThan(1.1)
})

test.describe('resolved prayers', () => {
  test('are shown on demand, struck through and with a badge', async ({ user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben', note: 'A new job', resolved: true })
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.rows).toHaveText([/Anna/])
    await card.showResolved.click()
    await expect(card.hideResolved).toHaveText(/Hide Resolved \(1\)/)
    await expect(card.rows).toHaveText([/Anna/, /Ben/])
    const ben = card.row('Ben')
    await expect(ben.resolvedBadge).toBeVisible()
    await expect(ben.root.getByText('Ben', { exact: true })).toHaveCSS('text-decoration-line', 'line-through')
    await expect(ben.root.getByText('A new job')).toHaveCSS('text-decoration-line', 'line-through')
    await expect(card.row('Anna').root.getByText('Anna', { exact: true })).toHaveCSS(
      'text-decoration-line',
      'none',
    )
    await card.hideResolved.click()
    await expect(card.rows).toHaveText([/Anna/])
  })

  test('disappear when they are marked as resolved, and Undo restores them', async ({ user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').resolve.click()
    await expect(card.rows).toHaveText([/Ben/])
    await expect(card.showResolved).toHaveText(/Show Resolved \(1\)/)
    await dashboard.undo.click()
    await expect(card.rows).toHaveText([/Anna/, /Ben/])
    await expect(card.showResolved).toBeHidden()
    await expect
      .poll(async () => (await user.prayers()).map((prayer) => prayer.resolved))
      .toEqual([false, false])
  })

  test('are restored by Ctrl+Z', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').resolve.click()
    await expect(card.rows).toHaveText([/Ben/])
    await page.keyboard.press('Control+z')
    await expect(card.rows).toHaveText([/Anna/, /Ben/])
    await expect
      .poll(async () => (await user.prayers()).map((prayer) => prayer.resolved))
      .toEqual([false, false])
  })

  test('can be reopened by their button; the toggle disappears with the last one', async ({
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna', resolved: true }, { name: 'Ben', resolved: true })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.showResolved.click()
    await card.row('Anna').unresolve.click()
    await expect(card.hideResolved).toHaveText(/Hide Resolved \(1\)/)
    await card.row('Ben').unresolve.click()
    await expect(card.hideResolved).toBeHidden()
    await expect(card.rows).toHaveText([/Anna/, /Ben/])
    await card.row('Ben').resolve.click()
    await expect(card.showResolved).toBeVisible()
    await expect(card.rows).toHaveText([/Anna/])
  })

  test('stay resolved after a reload', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').resolve.click()
    await expect.poll(async () => (await user.prayers()).map((prayer) => prayer.resolved)).toEqual([true])
    await page.reload()
    await expect(card.showResolved).toHaveText(/Show Resolved \(1\)/)
    await expect(card.rows).toHaveCount(0)
  })
})

test('shows "No prayers yet" 500 ms after the last prayer was deleted', async ({ page, user, dashboard }) => {
  await user.addCategory('Family', { name: 'Anna' })
  await page.clock.install()
  await dashboard.open()
  const card = dashboard.card('Family')
  await card.row('Anna').remove.click()
  await expect(dashboard.confirmDialog.root).toBeVisible()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await dashboard.confirmDialog.confirm.click()
  await page.clock.runFor(450)
  await expect(card.empty).toBeHidden()
  await page.clock.runFor(100)
  await expect(card.empty).toBeVisible()
})

test.describe('deleting a prayer', () => {
  test('asks for confirmation, with the focus on Cancel; Esc changes nothing', async ({
    page,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const row = dashboard.card('Family').row('Anna')
    await row.remove.click()
    await expect(dashboard.confirmDialog.root).toContainText(
      'Are you sure you want to delete this prayer? This action cannot be undone.',
    )
    await expect(dashboard.confirmDialog.cancel).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dashboard.confirmDialog.root).toBeHidden()
    await expect(row.remove).toBeFocused()
    expect(await user.prayers()).toHaveLength(1)
  })

  test('removes it from the dashboard and from the server', async ({ user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').remove.click()
    await dashboard.confirmDialog.confirm.click()
    await expect(card.rows).toHaveText([/Ben/])
    await expect(dashboard.announcement.filter({ hasText: /deleted/i }).first()).toBeAttached()
    await expect.poll(async () => (await user.prayers()).map((prayer) => prayer.person_name)).toEqual(['Ben'])
  })
})
