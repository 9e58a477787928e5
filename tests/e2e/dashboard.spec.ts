import { beforeLists } from './fixtures/before-lists.ts'
import { expect, test } from './test.ts'

test('greets with its title, the Bible quote and the way to Manage Categories', async ({
  page,
  person,
  dashboard,
}) => {
  await person.hasCategory('Family')
  await dashboard.open()
  await expect(dashboard.title).toBeVisible()
  await expect(page.getByText('Track your prayer requests and celebrate the answers')).toBeVisible()
  await expect(page.getByText('Brethren, pray for us.')).toBeVisible()
  await expect(page.getByText('1 Thessalonians 5:25')).toBeVisible()
  await expect(dashboard.manageCategories).toBeVisible()
})

test('says "Loading prayers..." until the server has answered', async ({
  page,
  server,
  person,
  dashboard,
}) => {
  await person.hasCategory('Family', { name: 'Anna' })
  await beforeLists(page, () => server.pause())
  await dashboard.open()
  await expect(page.getByText('Loading prayers...').first()).toBeVisible()
  await expect(dashboard.welcomeCard).toBeHidden()
  await expect(page.getByText('No prayers yet')).toBeHidden()
  server.goOn()
  await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
  await expect(page.getByText('Loading prayers...')).toHaveCount(0)
})

test.describe('without visible categories', () => {
  test('welcomes and leads to the first category', async ({ page, person, dashboard, categories }) => {
    expect(await person.categoryNames()).toEqual([])
    await dashboard.open()
    await expect(dashboard.welcomeCard).toBeVisible()
    await expect(page.getByRole('main')).toContainText(/Family.*Friends.*Church/)
    await expect(page.getByText(/hidden/i)).toHaveCount(0)
    await dashboard.createFirstCategory.click()
    await expect(categories.title).toBeVisible()
    await expect(page).toHaveURL('/manage-categories')
  })

  test('says how many are hidden', async ({ page, person, dashboard, categories }) => {
    for (const name of ['Family', 'Friends']) await person.hides(await person.hasCategory(name))
    await dashboard.open()
    await expect(dashboard.welcomeCard).toBeVisible()
    await expect(page.getByRole('main').getByText(/2 .*hidden/)).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Manage Categories' }).last().click()
    await expect(categories.row('Friends').root).toBeVisible()
  })
})

test.describe('the grid', () => {
  test('has one card per visible category, in the order of the person, two side by side', async ({
    person,
    dashboard,
  }) => {
    await person.hasCategories('Family', 'Secret', 'Church', 'Neighbours')
    const hidden = await person.hasCategory('Hidden', { name: 'Nobody sees me' })
    await person.hides(hidden)
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
    expect(second?.y).toBe(first?.y)
    expect(second?.x).toBeGreaterThan(first?.x ?? Infinity)
    expect(third?.y).toBeGreaterThan(first?.y ?? Infinity)
  })

  test(
    'has its cards below each other on a small screen',
    { tag: '@small' },
    async ({ person, dashboard }) => {
      await person.hasCategories('Family', 'Church')
      await dashboard.open()
      await expect(dashboard.cards).toHaveCount(2)
      const [first, second] = await Promise.all(
        [0, 1].map((index) => dashboard.cards.nth(index).boundingBox()),
      )
      expect(second?.x).toBe(first?.x)
      expect(second?.y).toBeGreaterThan(first?.y ?? Infinity)
    },
  )

  test('shows the newest prayer first, each with its note', async ({ person, dashboard }) => {
    await person.hasCategory('Family', { name: 'Anna', note: 'A calm exam week' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.rows).toHaveText([/Anna.*A calm exam week/s, /Ben/])
  })

  test('an empty card says "No prayers yet"', async ({ person, dashboard }) => {
    await person.hasCategory('Family')
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.empty).toBeVisible()
    await expect(card.root).toContainText('Add your first prayer and start making a difference')
    await expect(card.showResolved).toBeHidden()
  })

  test('a card whose prayers are all resolved says that, and not that there are none', async ({
    person,
    dashboard,
  }) => {
    await person.hasCategory('Family', { name: 'Anna', resolved: true })
    await dashboard.open()
    const card = dashboard.card('Family')
    await expect(card.showResolved).toHaveText(/Show Resolved \(1\)/)
    await expect(card.empty).toBeHidden()
    await expect(card.root).toContainText(/resolved/i)
  })

  test(
    'keeps the longest names and notes inside their card',
    { tag: '@every-width' },
    async ({ page, person, dashboard }) => {
      const long = (length: number) => 'Wolfeschlegelsteinhausenbergerdorff'.repeat(300).slice(0, length)
      await person.hasCategory(
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
  'a very full list stays inside the screen, with cards that are not in view yet',
  { tag: '@every-width' },
  async ({ page, person, dashboard }) => {
    const prayers = Array.from({ length: 25 }, (_, index) => ({ name: `Person ${String(index + 1)}` }))
    for (const id of await person.hasCategories(
      ...Array.from({ length: 8 }, (_, at) => `Circle ${String(at + 1)}`),
    ))
      await person.hasPrayers(id, ...prayers)
    await dashboard.open()
    await expect(dashboard.card('Circle 1').rows).toHaveCount(25)
    await expect(dashboard.cards).toHaveCount(8)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  },
)

test.describe('resolved prayers', () => {
  test('are hidden until shown, struck through, with a badge', async ({ person, dashboard }) => {
    await person.hasCategory('Family', { name: 'Anna' }, { name: 'Ben', note: 'A new job', resolved: true })
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

  test('leave the view with one press, and come back with Undo', async ({ person, dashboard }) => {
    await person.hasCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').resolve.click()
    await expect(card.rows).toHaveText([/Ben/])
    await expect(card.showResolved).toHaveText(/Show Resolved \(1\)/)
    await dashboard.undo.click()
    await expect(card.rows).toHaveText([/Anna/, /Ben/])
    await expect(card.showResolved).toBeHidden()
    await expect
      .poll(async () => (await person.prayers()).map((prayer) => prayer.resolved))
      .toEqual([false, false])
  })

  test('come back with Ctrl+Z, too', async ({ page, person, dashboard }) => {
    await person.hasCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').resolve.click()
    await expect(card.rows).toHaveText([/Ben/])
    await page.keyboard.press('Control+z')
    await expect(card.rows).toHaveText([/Anna/, /Ben/])
    await expect
      .poll(async () => (await person.prayers()).map((prayer) => prayer.resolved))
      .toEqual([false, false])
  })

  test('can be taken back by their own button, and the toggle switches itself off with the last one', async ({
    person,
    dashboard,
  }) => {
    const id = await person.hasCategory(
      'Family',
      { name: 'Anna', resolved: true },
      { name: 'Ben', resolved: true },
    )
    expect(id).not.toBe('')
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

  test('stay resolved after a reload', async ({ page, person, dashboard }) => {
    await person.hasCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').resolve.click()
    await expect.poll(async () => (await person.prayers()).map((prayer) => prayer.resolved)).toEqual([true])
    await page.reload()
    await expect(card.showResolved).toHaveText(/Show Resolved \(1\)/)
    await expect(card.rows).toHaveCount(0)
  })
})

test('a list that has become empty stays for 500 ms before "No prayers yet"', async ({
  page,
  person,
  dashboard,
}) => {
  await person.hasCategory('Family', { name: 'Anna' })
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
  test('asks first, with Cancel in focus, and Esc changes nothing', async ({ page, person, dashboard }) => {
    await person.hasCategory('Family', { name: 'Anna' })
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
    expect(await person.prayers()).toHaveLength(1)
  })

  test('removes it from the view and from the server', async ({ person, dashboard }) => {
    await person.hasCategory('Family', { name: 'Anna' }, { name: 'Ben' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.row('Anna').remove.click()
    await dashboard.confirmDialog.confirm.click()
    await expect(card.rows).toHaveText([/Ben/])
    await expect(dashboard.announcement.filter({ hasText: /deleted/i }).first()).toBeAttached()
    await expect
      .poll(async () => (await person.prayers()).map((prayer) => prayer.person_name))
      .toEqual(['Ben'])
  })
})
