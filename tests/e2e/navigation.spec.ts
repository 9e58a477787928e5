import type { Locator, Page } from '@playwright/test'
import { expectNoHorizontalScrolling } from './fixtures/accessibility.ts'
import { pauseClock } from './fixtures/pause-clock.ts'
import { expect, test } from './test.ts'

const placesOf = (page: Page) => page.getByRole('navigation', { name: 'Places' })
/** The texts of the links to the places that are filled, or whose icons are. */
const filledPlaces = (page: Page) =>
  placesOf(page)
    .getByRole('link')
    .evaluateAll((links) =>
      links
        .filter((link) =>
          [link, ...link.children].some(
            (element) => getComputedStyle(element).backgroundColor !== 'rgba(0, 0, 0, 0)',
          ),
        )
        .map(({ textContent }) => textContent),
    )
const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not visible.')
  return { ...box, bottom: box.y + box.height }
}

test.beforeEach(async ({ user }) => {
  const names = Array.from({ length: 20 }, (_, index) => ({ name: `Person ${String(index + 1)}` }))
  await user.addCategory('Family', ...names)
})

test('is part of the bar at the top of wide screens, leads to the places, marks the current one and moves the focus to its heading', async ({
  page,
  dashboard,
  navigation,
  pray,
}) => {
  await dashboard.open()
  const places = placesOf(page)
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(places).toBeVisible()
    const [inner, bar] = await Promise.all([boxOf(places), boxOf(navigation.bar)])
    expect(inner.y).toBeGreaterThanOrEqual(bar.y)
    expect(inner.bottom).toBeLessThanOrEqual(bar.bottom)
    await expectNoHorizontalScrolling(page)
  }
  await expect.poll(() => filledPlaces(page)).toEqual(['Prayers'])
  await places.getByRole('link', { name: 'Pray', exact: true }).click()
  await expect(pray.title).toBeFocused()
  await expect(page).toHaveTitle('Pray · Intercede')
  await expect(page).toHaveURL('/pray')
  await expect.poll(() => filledPlaces(page)).toEqual(['Pray'])
  await places.getByRole('link', { name: 'Prayers', exact: true }).click()
  await expect(dashboard.title).toBeFocused()
  await page.goBack()
  await expect(pray.title).toBeFocused()
})

test.describe('on a phone', { tag: '@small' }, () => {
  test.use({ viewport: { width: 375, height: 812 } })

  test('is a bar of 56 px at the bottom, which covers neither the rows nor the end of the page nor messages', async ({
    page,
    context,
    consoleWatch,
    dashboard,
    pray,
  }) => {
    consoleWatch.announceFailingServer()
    await page.clock.install()
    await dashboard.open()
    await expect(dashboard.rows).toHaveCount(20)
    expect(await filledPlaces(page)).toEqual(['Prayers'])
    const bar = await boxOf(placesOf(page))
    expect(bar).toMatchObject({ x: 0, width: 375, bottom: 812 })
    expect(Math.round(bar.height)).toBe(57)
    for (const link of await placesOf(page).getByRole('link').all()) {
      const { width, height } = await boxOf(link)
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    }
    await dashboard.rows.last().getByTitle('Edit prayer').focus()
    await expect.poll(async () => (await boxOf(dashboard.rows.last())).bottom).toBeLessThanOrEqual(bar.y)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    // What is written there: the height of the page is rounded to whole pixels.
    const lastLink = page.getByRole('contentinfo').getByRole('link').last()
    await expect.poll(async () => (await boxOf(lastLink)).bottom).toBeLessThanOrEqual(bar.y)

    // The announcement stays while the clock is stopped.
    await pauseClock(page)
    await dashboard.card('Family').row('Person 20').resolve.click()
    expect((await boxOf(dashboard.undo)).bottom).toBeLessThan(bar.y)
    await page.clock.resume()

    const notice = page.getByRole('main').getByText('You are offline.')
    await context.setOffline(true)
    await expect(notice).toBeVisible()
    expect((await boxOf(notice)).bottom).toBeLessThanOrEqual(bar.y)
    await dashboard.card('Family').row('Person 19').resolve.click()
    expect((await boxOf(dashboard.undo)).bottom).toBeLessThan((await boxOf(notice)).y)
    await context.setOffline(false)
    await expect(notice).toHaveCount(0)
    await pray.open()
    await pray.begin.click()
    await context.setOffline(true)
    await expect(notice).toBeVisible()
    expect((await boxOf(notice)).bottom).toBeLessThan((await boxOf(pray.prayed)).y)
  })

  test('is hidden while a dialog, Reorder Mode or a session is open, and above the keyboard', async ({
    page,
    user,
    dashboard,
    categories,
    pray,
  }) => {
    await user.addCategories('Church')
    const places = placesOf(page)
    await dashboard.open()
    await expect(places).toBeVisible()
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.prayerDialog.name).toBeVisible()
    await expect(page.locator('.places')).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(places).toBeVisible()
    await categories.open()
    await expect(places).toBeVisible()
    expect(await filledPlaces(page)).toEqual([])
    await categories.reorder.tap()
    await expect(places).toBeHidden()
    await page.getByRole('button', { name: 'Done' }).tap()
    await expect(places).toBeVisible()

    await categories.row('Family').edit.tap()
    await expect(categories.nameInput).toBeFocused()
    await expect(places).toBeVisible()
    await page.setViewportSize({ width: 375, height: 440 })
    await expect(places).toBeHidden()
    await page.setViewportSize({ width: 375, height: 812 })

    await places.getByRole('link', { name: 'Pray', exact: true }).tap()
    await pray.begin.tap()
    await expect(pray.name).toBeVisible()
    await expect(places).toBeHidden()
    await pray.done.tap()
    await expect(places).toBeVisible()
  })
})
