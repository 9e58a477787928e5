import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, test } from './test.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** The heading of a month. */
const monthOf = (day: string) => `${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''} ${day.slice(0, 4)}`

/** When the pages of these tests are opened. */
const NOW = new Date('2025-11-22T12:00:00Z')

test.beforeEach(({ context }) => context.clock.install({ time: NOW }))

/** The day that is a number of days before today, in UTC. */
const daysAgo = (count: number) => new Date(NOW.getTime() - count * 86_400_000).toISOString().slice(0, 10)

/** Today's date in an earlier year. */
const yearsAgo = (count: number) => {
  const today = daysAgo(0)
  return `${String(Number(today.slice(0, 4)) - count)}${today.slice(4)}`
}

test(
  'the list has all categories, by month, with the anniversaries on top; it is accessible, and printed as a booklet',
  { tag: '@small' },
  async ({ page, user, answered, hasTouch }) => {
    const family = await user.addCategory('Family')
    await answered.open()
    await expect(answered.empty).toBeVisible()
    await expectAccessible(page)

    await user.addPrayers(
      family,
      { name: 'Anna', resolved: true, answeredOn: yearsAgo(1), answer: 'They talked for hours' },
      { name: 'Ben', resolved: true, answeredOn: yearsAgo(2) },
      { name: 'Mr. Okafor', resolved: true },
      { name: 'Still open' },
    )
    const lately = daysAgo(60)
    const work = await user.addCategory('Work', { name: 'The team', resolved: true, answeredOn: lately })
    await user.hideCategory(work)
    await answered.open()
    await expect(answered.entries).toHaveCount(6)
    const titles = page.getByRole('main').getByRole('heading', { level: 2 })
    await expect(titles).toHaveText([
      'A year ago today',
      'Two years ago today',
      monthOf(lately),
      monthOf(yearsAgo(1)),
      monthOf(yearsAgo(2)),
      'Earlier',
    ])
    await expect(answered.section('A year ago today')).toContainText('They talked for hours')
    await expect(answered.section(monthOf(lately))).toContainText('Work')
    await expectAccessible(page)
    const entry = answered.entry('Mr. Okafor')
    if (hasTouch) {
      await expect(entry.edit).toBeHidden()
      await entry.more.tap()
      await entry.editInMenu.tap()
    } else {
      await expect(entry.more).toBeHidden()
      // It shows when the entry is pointed at, or has the focus.
      const actions = entry.edit.locator('..')
      await expect(actions).toHaveCSS('opacity', '0')
      await entry.edit.focus()
      await expect(actions).toHaveCSS('opacity', '1')
      await entry.edit.click()
    }
    await expect(answered.dialog.answer).toBeVisible()
    await expectAccessible(page)
    await answered.dialog.cancel.click()
    await expect(answered.dialog.root).toBeHidden()

    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
    const printed = await page.evaluate(() => document.body.innerText.replaceAll(/\s+/g, ' ').trim())
    expect(printed).toMatch(/^Answered prayers /)
    expect(printed).toContain(`${monthOf(yearsAgo(1))} Anna Family · Answered`)
    expect(printed).toMatch(/Earlier Mr\. Okafor Family$/)
    expect(printed).not.toMatch(/Reopen|answer\b|Print|ago today/)
    // Pages break between entries, which have no frames.
    await expect(answered.entries.last()).toHaveCSS('break-inside', 'avoid')
    await expect(answered.entries.last()).toHaveCSS('padding-left', '0px')
    await expect(answered.entries.last().locator('xpath=../..')).toHaveCSS('border-top-width', '0px')
  },
)

test(
  'a year opens as a book, which is accessible, and printed with a page for its cover',
  { tag: '@small' },
  async ({ page, user, answered }) => {
    const createdAt = `${daysAgo(90)}T12:00:00Z`
    await user.addCategory(
      'Family',
      { name: 'Anna', createdAt, resolved: true, answeredOn: daysAgo(60), answer: 'They talked for hours' },
      { name: 'Ben', createdAt, prayedOn: [daysAgo(61)] },
      { name: 'Clara', createdAt, resolved: true, answeredOn: yearsAgo(1) },
    )
    await answered.open()
    const years = page.getByRole('navigation', { name: 'Your year' })
    await expect(years.getByRole('link')).toHaveText(['2025', '2024'])
    await years.getByRole('link', { name: '2025' }).click()
    await expect(page).toHaveURL('/answered/2025')
    await expect(page.getByRole('heading', { name: '2025', level: 1 })).toBeFocused()
    const cover = page.getByText('You prayed for 1 person; 1 prayer was answered.')
    await expect(cover).toBeVisible()
    await expectAccessible(page)

    await page.emulateMedia({ media: 'print' })
    const printed = await page.evaluate(() => document.body.innerText.replaceAll(/\s+/g, ' ').trim())
    expect(printed).toMatch(
      /^2025 You prayed for .* September Anna .* They talked for hours Still prayed for Family Ben$/,
    )
    await expect(cover.locator('..')).toHaveCSS('break-after', 'page')
    await expect(page.getByRole('article')).toHaveCSS('break-inside', 'avoid')
  },
)

test('renders a long list as it comes near the visible area, and prints all of it', async ({
  page,
  user,
  answered,
}) => {
  const people = Array.from({ length: 200 }, (_, index) => ({
    name: `Person ${String(index)}`,
    resolved: true,
  }))
  await user.addCategory('Family', ...people)
  await answered.open()
  await expect(answered.entry('Person 0').root).toBeVisible()
  expect(await answered.entries.count()).toBeLessThan(60)
  await page.keyboard.press('End')
  await expect(answered.entry('Person 199').root).toBeInViewport()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(answered.entries).toHaveCount(200)
})
