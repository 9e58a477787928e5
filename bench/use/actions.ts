import type { Browser, Locator, Page } from '@playwright/test'
import type { Site } from '../page/site.ts'
import { openDashboard, SLOW_DOWN, withTelephone } from './full-dashboard.ts'
import { nextPaint, WATCH_EVENTS } from './next-paint.ts'

/** What a person does again and again, each with the times until the next paint of all its presses and keys. */
export type Actions = Record<'add' | 'edit' | 'resolve' | 'toggle' | 'reorder', number[]>

/** Does everything `rounds` times, round the first cards, and then moves a category down as often. */
export async function timeActions(browser: Browser, site: Site, rounds: number): Promise<Actions> {
  return await withTelephone(
    browser,
    site,
    { slowDown: SLOW_DOWN, watch: WATCH_EVENTS },
    async ({ page }) => {
      const times: Actions = { add: [], edit: [], resolve: [], toggle: [], reorder: [] }
      await openDashboard(page, site)
      for (let round = 0; round < rounds; round += 1) {
        const card = page.locator('main section').nth(round % 3)
        const first = card.locator('li[data-prayer]').first()
        await card.getByRole('button', { name: 'Add Prayer' }).scrollIntoViewIfNeeded()
        times.add.push(...(await fillDialog(page, card.getByRole('button', { name: 'Add Prayer' }))))
        times.edit.push(...(await fillDialog(page, first.getByTitle('Edit prayer'))))
        times.resolve.push(await nextPaint(page, () => first.getByTitle('Mark as resolved').click()))
        const toggle = card.getByRole('button', { name: /Resolved \(/ })
        times.toggle.push(await nextPaint(page, () => toggle.click()))
        times.toggle.push(await nextPaint(page, () => toggle.click()))
      }
      await page.getByRole('link', { name: 'Manage Categories' }).click()
      await page.getByRole('button', { name: 'Reorder', exact: true }).click()
      for (let round = 0; round < rounds; round += 1) {
        const down = page.getByRole('button', { name: 'Move down' }).nth(round % 5)
        times.reorder.push(await nextPaint(page, () => down.click()))
      }
      return times
    },
  )
}

const PLAIN = '<button onclick="textContent += 1">0</button>'

/** The same of a page with nothing in it but one button: what the browser and the machine take by themselves. */
export async function timePlainPresses(browser: Browser, site: Site, rounds: number): Promise<number[]> {
  const watched = { slowDown: SLOW_DOWN, watch: WATCH_EVENTS }
  return await withTelephone(browser, site, watched, async ({ page }) => {
    await page.goto('about:blank')
    await page.setContent(PLAIN)
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      times.push(await nextPaint(page, () => page.getByRole('button').click()))
    }
    return times
  })
}

/** Opens the dialog, types a letter into the name, which has the focus, and saves. */
async function fillDialog(page: Page, opener: Locator): Promise<number[]> {
  const dialog = page.locator('dialog[open]')
  const times = [await nextPaint(page, () => opener.click())]
  await dialog.waitFor()
  times.push(await nextPaint(page, () => page.keyboard.press('e')))
  times.push(await nextPaint(page, () => page.keyboard.press('Enter')))
  await dialog.waitFor({ state: 'hidden' })
  return times
}
