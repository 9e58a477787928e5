import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { nextPaint, WATCH_EVENTS } from './interaction-timing.ts'
import { scriptingTime, startTracing } from './scripting-time.ts'
import { fillDevice, FIRST_PRAYERS, openDashboard } from './second-visit.ts'
import { openSlowPage, SLOW_DOWN, withPhone } from './slow-device.ts'

/** The places in the order in which they are opened, each with what shows that it is open. */
const OPEN_PLACES = {
  Pray: '.today-row',
  Answered: 'main article',
  Search: 'main input[type=search]',
  Prayers: FIRST_PRAYERS,
  'a prayer': '.prayer-page .timeline',
}
type PlaceName = keyof typeof OPEN_PLACES
export const PLACE_NAMES: readonly PlaceName[] = ['Pray', 'Answered', 'Search', 'Prayers', 'a prayer']

/** Milliseconds of scripting for each place. */
export type PlaceTimes = Record<PlaceName, number>

/** Words of few and of many prayers, beginnings of words, several words, and one that no prayer has. */
const QUERIES = ['person 12', 'lighter days', 'news number 7', 'ahead of 4', 'anna']

/** Runs `work` with the device of a user who has opened the dashboard before: it has stored the app and the user's data. */
export async function withFilledDevice(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
  work: (device: BrowserContext) => Promise<void>,
): Promise<void> {
  await withPhone(browser, options, async (device) => {
    await fillDevice(device, origin)
    await work(device)
  })
}

/** Marks when the place was requested, and when it was painted. */
const WATCH_OPENING = (name: PlaceName) => `
  window.opened = new Promise((resolve) => addEventListener('click', () => {
    performance.mark('${name} requested')
    const finish = () => resolve(performance.mark('${name} opened').startTime)
    const look = () => {
      if (document.querySelector('${OPEN_PLACES[name]}')) setTimeout(finish)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, { capture: true, once: true }))`

/** Starts the app and opens one place after the other. Resolves to the scripting until each of them is painted. */
export async function timePlaces(
  browser: Browser,
  device: BrowserContext,
  origin: string,
): Promise<PlaceTimes> {
  const { page } = await openSlowPage(device, { slowDown: SLOW_DOWN })
  await openDashboard(page, origin)
  await page.waitForLoadState('networkidle')
  await startTracing(browser, page)
  for (const name of PLACE_NAMES) {
    await page.evaluate(`${WATCH_OPENING(name)}; undefined`)
    await openPlace(page, name)
    await page.evaluate('opened')
  }
  const trace = await browser.stopTracing()
  await page.close()
  const timeOf = (name: PlaceName) => scriptingTime(trace, `${name} requested`, `${name} opened`)
  return {
    Pray: timeOf('Pray'),
    Answered: timeOf('Answered'),
    Search: timeOf('Search'),
    Prayers: timeOf('Prayers'),
    'a prayer': timeOf('a prayer'),
  }
}

/** Milliseconds from each key of several queries until the next paint, from the moment the search opens. */
export async function timeSearchKeys(device: BrowserContext, origin: string): Promise<number[]> {
  const { page } = await openSlowPage(device, { slowDown: SLOW_DOWN, watch: WATCH_EVENTS })
  await openDashboard(page, origin)
  await openPlace(page, 'Search')
  const field = page.getByRole('searchbox')
  const times: number[] = []
  for (const query of QUERIES) {
    await field.fill('')
    for (const character of query) {
      const key = character === ' ' ? 'Space' : character
      times.push(await nextPaint(page, () => page.keyboard.press(key)))
    }
  }
  await page.close()
  return times
}

/** Opens the place of an app that is open, or a prayer of the list on the screen, and waits until it is shown. */
export async function openPlace(page: Page, name: PlaceName): Promise<void> {
  const places = page.getByRole('navigation', { name: 'Places' })
  const link =
    name === 'a prayer' ? page.locator('main .prayer-row a') : places.getByRole('link', { name, exact: true })
  await link.first().click()
  await page.locator(OPEN_PLACES[name]).first().waitFor()
}
