import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { type Device, SLOW_DOWN, withDevice } from './slow-device.ts'

/** Frames per second while scrolling. */
export interface ScrollRates {
  screen: number
  /** Of a page with lines of plain text only. */
  plain: number
}

const SCREENS = 6
const HEIGHT = 823
const PIXELS_PER_SECOND = 1200
const PLAIN_TEXT = `<main>${'<p>That the days ahead be lighter</p>'.repeat(2500)}</main>`
const COUNT_FRAMES = `
  window.seenFrames = { count: 0, started: performance.now() }
  const countFrame = () => { seenFrames.count += 1; requestAnimationFrame(countFrame) }
  requestAnimationFrame(countFrame)`
const READ_FRAMES = '(seenFrames.count / (performance.now() - seenFrames.started)) * 1000'

/** Scrolls the screen that `open` leads to, and a page of plain text, on a slow device. */
export async function measureScrolling(
  browser: Browser,
  context: BrowserContextOptions,
  open: (page: Page) => Promise<unknown>,
): Promise<ScrollRates> {
  const options = { context, slowDown: SLOW_DOWN }
  return {
    screen: await withDevice(browser, options, async (device) => {
      await open(device.page)
      return await scroll(device)
    }),
    plain: await withDevice(browser, options, async (device) => {
      await device.page.setContent(PLAIN_TEXT)
      return await scroll(device)
    }),
  }
}

async function scroll({ page, session }: Device): Promise<number> {
  await page.evaluate(COUNT_FRAMES)
  await session.send('Input.synthesizeScrollGesture', {
    x: 200,
    y: 600,
    yDistance: -SCREENS * HEIGHT,
    speed: PIXELS_PER_SECOND,
    gestureSourceType: 'mouse',
  })
  return await page.evaluate<number>(READ_FRAMES)
}
