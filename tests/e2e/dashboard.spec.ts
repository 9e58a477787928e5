import { expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { pauseClock } from './fixtures/pause-clock.ts'
import { expect, test } from './test.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('shows the visible categories in the order set by the user: the left column comes first, or there is only one', async ({
  page,
  user,
  dashboard,
}) => {
  await user.addCategories('Family', 'Secret', 'Church', 'Neighbours')
  await user.hideCategory(await user.addCategory('Hidden', { name: 'Not shown' }))
  await dashboard.open()
  await expect(dashboard.title).toBeVisible()
  for (const text of ['Track prayer requests and celebrate answers', '“Brethren, pray for us.”'])
    await expect(page.getByText(text)).toBeVisible()
  const names = dashboard.cards.getByRole('heading')
  await expect(names).toHaveText(['Family', 'Secret', 'Church', 'Neighbours'])
  const positions = () =>
    dashboard.cards.evaluateAll((cards) =>
      cards.slice(0, 3).map((card) => {
        const { x, y } = card.getBoundingClientRect()
        return { x, y }
      }),
    )
  const [first, second, third] = await positions()
  expect(second?.x).toBe(first?.x)
  expect(second?.y).toBeGreaterThan(first?.y ?? Infinity)
  expect(third?.y).toBe(first?.y)
  expect(third?.x).toBeGreaterThan(first?.x ?? Infinity)

  await page.setViewportSize({ width: 375, height: 740 })
  await expect.poll(async () => new Set((await positions()).map(({ x }) => x)).size).toBe(1)
  const heights = (await positions()).map(({ y }) => y)
  expect(heights).toEqual(heights.toSorted((a, b) => a - b))
})

test('renders the rows of a card when it comes near the visible area, and never scrolls sideways', async ({
  page,
  user,
  dashboard,
}) => {
  const long = (length: number) => 'Wolfeschlegelsteinhausenbergerdorff'.repeat(30).slice(0, length)
  await user.addCategory(
    long(100),
    { name: long(200), note: long(1000) },
    { name: long(200), resolved: true },
  )
  const names = Array.from({ length: 12 }, (_, index) => `Circle ${String(index + 1)}`)
  const prayers = Array.from({ length: 20 }, (_, index) => ({
    name: `Person ${String(index + 1)}`,
    ...(index % 2 === 0 && { note: 'A calm exam week' }),
  }))
  for (const id of await user.addCategories(...names)) await user.addPrayers(id, ...prayers)
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 740 })
    await dashboard.open()
    await expect(dashboard.card(long(100)).rows).toHaveCount(1)
    const last = dashboard.card('Circle 12')
    await expect(last.addPrayer).toBeAttached()
    await expect(last.rows).toHaveCount(0)
    await expectNoHorizontalScrolling(page)
    const height = async () => (await last.root.boundingBox())?.height ?? NaN
    const before = await height()
    await last.addPrayer.scrollIntoViewIfNeeded()
    await expect(last.rows).toHaveCount(20)
    // The placeholder has about the height of the rows.
    const growth = (await height()) / before
    expect(growth).toBeGreaterThan(0.8)
    expect(growth).toBeLessThan(1.2)
    await expectNoHorizontalScrolling(page)
  }
})

test('a resolved prayer leaves after a moment, and is restored by Undo, Ctrl+Z or its button', async ({
  page,
  user,
  dashboard,
}) => {
  await user.addCategory('Family', { name: 'Anna', note: 'A new job' }, { name: 'Ben' })
  await page.clock.install()
  await dashboard.open()
  const card = dashboard.card('Family')
  const anna = card.row('Anna')
  const resolved = async () => (await user.prayers()).map((prayer) => prayer.resolved)
  await expect(card.rows).toHaveText([/Anna/, /Ben/])
  // Undo is offered for some seconds only.
  await pauseClock(page)
  const resolve = async () => {
    await anna.resolve.click()
    await expect.poll(resolved).toEqual([true, false])
    await page.clock.runFor(2000)
    await expect(card.rows).toHaveText([/Ben/])
    // Its animation has a clock of its own. For a moment after it, presses in its place are ignored.
    await expect(card.root.locator('li')).toHaveCount(1)
    await expect
      .poll(async () => {
        await page.clock.runFor(500)
        return card.row('Ben').root.evaluate((row) => getComputedStyle(row).pointerEvents)
      })
      .toBe('auto')
  }
  for (const undo of [() => dashboard.undo.click(), () => page.keyboard.press('Control+z')]) {
    await resolve()
    await undo()
    await expect(card.rows).toHaveText([/Anna/, /Ben/])
    await expect(card.showResolved).toBeHidden()
    await expect.poll(resolved).toEqual([false, false])
  }

  await resolve()
  await card.showResolved.click()
  await expect(anna.resolvedBadge).toBeVisible()
  for (const [row, text, line] of [
    [anna, 'Anna', 'line-through'],
    [anna, 'A new job', 'line-through'],
    [card.row('Ben'), 'Ben', 'none'],
  ] as const)
    await expect(row.root.getByText(text, { exact: true })).toHaveCSS('text-decoration-line', line)
  await anna.unresolve.click()
  await expect(card.hideResolved).toBeHidden()
  await expect(card.rows).toHaveText([/Anna/, /Ben/])
  await expect.poll(resolved).toEqual([false, false])

  await resolve()
  await page.clock.resume()
  await page.reload()
  await expect(card.showResolved).toHaveText(/Show Resolved \(1\)/)
  await expect(card.rows).toHaveText([/Ben/])
})
