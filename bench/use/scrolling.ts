import type { Browser } from '@playwright/test'
import type { Site } from '../page/site.ts'
import { openDashboard, SLOW_DOWN, type Telephone, withTelephone } from './full-dashboard.ts'

/** Frames a second that the page draws while it is scrolled. */
export interface Scrolling {
  dashboard: number
  /** Of a page of the same height with nothing in it but lines of text. */
  plain: number
}

const SCREENS = 6
const HEIGHT = 823
const PIXELS_A_SECOND = 1200
const PLAIN = `<main>${'<p>That the days ahead be lighter</p>'.repeat(2500)}</main>`
const COUNT = `
  window.framesSeen = { count: 0, started: performance.now() }
  const count = () => { framesSeen.count += 1; requestAnimationFrame(count) }
  requestAnimationFrame(count)`
const READ = 'framesSeen.count / (performance.now() - framesSeen.started) * 1000'

/** Scrolls down both, one after the other, at slow-down. */
export async function timeScrolling(browser: Browser, site: Site): Promise<Scrolling> {
  const slow = { slowDown: SLOW_DOWN }
  return {
    dashboard: await withTelephone(browser, site, slow, async (telephone) => {
      await openDashboard(telephone.page, site)
      return await scroll(telephone)
    }),
    plain: await withTelephone(browser, site, slow, async (telephone) => {
      await telephone.page.setContent(PLAIN)
      return await scroll(telephone)
    }),
  }
}

async function scroll({ page, session }: Telephone): Promise<number> {
  await page.evaluate(COUNT)
  await session.send('Input.synthesizeScrollGesture', {
    x: 200,
    y: 600,
    yDistance: -SCREENS * HEIGHT,
    speed: PIXELS_A_SECOND,
    gestureSourceType: 'mouse',
  })
  return await page.evaluate<number>(READ)
}
