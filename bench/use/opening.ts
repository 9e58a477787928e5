import type { Browser } from '@playwright/test'
import type { Site } from '../page/site.ts'
import { openDashboard, SLOW_DOWN, withTelephone } from './full-dashboard.ts'

/** How a dashboard with full lists opens, in milliseconds. */
export interface Opening {
  /** From the last answer with prayers until a frame that shows all cards has been painted, and a press would be answered. */
  usable: number
  /** The longest task after the first answer with prayers. */
  longestTask: number
}

const CATEGORIES = 60
const WATCH = `
  window.openingSeen = { tasks: [], frames: [] }
  new PerformanceObserver((list) => list.getEntries().forEach((task) => openingSeen.tasks.push(task)))
    .observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (document.getElementsByTagName('section').length >= ${String(CATEGORIES)}) {
      setTimeout(() => openingSeen.frames.push(performance.now()))
    }
    if (openingSeen.frames.length < 1000) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`
const READ = `(() => {
  const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/rest/v1/prayers'))
  const arrived = answers.map((answer) => answer.responseEnd)
  const first = Math.min(...arrived)
  const last = Math.max(...arrived)
  const late = openingSeen.tasks.filter((task) => task.startTime + task.duration > first)
  return {
    usable: openingSeen.frames.find((frame) => frame > last) - last,
    longestTask: Math.max(0, ...late.map((task) => task.duration)),
  }
})()`

/** Opens the dashboard with an empty cache, at slow-down. */
export async function timeOpening(browser: Browser, site: Site): Promise<Opening> {
  return await withTelephone(browser, site, { slowDown: SLOW_DOWN, watch: WATCH }, async ({ page }) => {
    await openDashboard(page, site)
    return await page.evaluate<Opening>(READ)
  })
}
