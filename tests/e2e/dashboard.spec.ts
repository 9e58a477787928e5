import { expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
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

  const expectOneColumn = async () => {
    await expect.poll(async () => new Set((await positions()).map(({ x }) => x)).size).toBe(1)
    const heights = (await positions()).map(({ y }) => y)
    expect(heights).toEqual(heights.toSorted((a, b) => a - b))
  }
  await page.setViewportSize({ width: 375, height: 740 })
  await expectOneColumn()
  await page.setViewportSize({ width: 1024, height: 740 })
  await expect.poll(async () => new Set((await positions()).map(({ x }) => x)).size).toBe(2)
  await page.evaluate(() => (document.documentElement.dataset['textSize'] = 'larger'))
  await expectOneColumn()
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
