import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { SLOW_DOWN, withDevice } from './slow-device.ts'

/** A first visit on a slow device, in milliseconds except `shift`. */
export interface VisitTiming {
  firstPaint: number
  largestPaint: number
  /** Cumulative layout shift. */
  shift: number
  /** The longest task after the load event; 0 if none took 50 ms. */
  longestTask: number
}

const WATCH_VISIT = `
  window.visit = { shift: 0, largestPaint: 0, tasks: [] }
  const watch = (type, callback) =>
    new PerformanceObserver((list) => list.getEntries().forEach(callback)).observe({ type, buffered: true })
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) visit.shift += entry.value })
  watch('largest-contentful-paint', (entry) => { visit.largestPaint = entry.startTime })
  watch('longtask', (entry) => visit.tasks.push({ start: entry.startTime, duration: entry.duration }))`
/** Two frames and an idle moment later, everything has been painted and reported. */
const SETTLED = `document.fonts.ready.then(() => new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve())))))`
const READ_VISIT = `(() => {
  const [page] = performance.getEntriesByType('navigation')
  const [first] = performance.getEntriesByName('first-contentful-paint')
  const late = visit.tasks.filter((task) => task.start >= page.loadEventEnd)
  return {
    firstPaint: first.startTime,
    largestPaint: visit.largestPaint,
    shift: visit.shift,
    longestTask: Math.max(0, ...late.map((task) => task.duration)),
  }
})()`

/** Opens a URL on a slow device with an empty cache, and waits until `usable` (a selector) is visible. */
export async function timeVisit(
  browser: Browser,
  { url, usable, context }: { url: string; usable: string; context: BrowserContextOptions },
): Promise<VisitTiming> {
  return await withDevice(browser, { context, slowDown: SLOW_DOWN, watch: WATCH_VISIT }, async ({ page }) => {
    await page.goto(url)
    await page.locator(usable).first().waitFor()
    await page.evaluate(SETTLED)
    return await page.evaluate<VisitTiming>(READ_VISIT)
  })
}

/** Cards of the full dashboard, one per category. */
export const FULL_CARDS = 60

/** Opens the full dashboard and waits until its cards are drawn. */
export async function openFullDashboard(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/dashboard`)
  await page
    .locator('main section')
    .nth(FULL_CARDS - 1)
    .waitFor({ state: 'attached' })
  await page.locator('main section li').first().waitFor()
  await page.evaluate(SETTLED)
}

/** The app holds a lock while it fetches and stores data. Versions that store nothing have none. */
export const WAIT_FOR_STORING = `
  navigator.locks.query().then(({ held }) =>
    Promise.all(held.map(({ name }) => navigator.locks.request(name, () => undefined))))`

/** Opens the full dashboard and waits until everything is stored: that takes seconds, in which the page responds later. */
export async function openStoredDashboard(page: Page, origin: string): Promise<void> {
  await openFullDashboard(page, origin)
  await page.evaluate(WAIT_FOR_STORING)
  await page.evaluate(SETTLED)
}

/** How the full dashboard opens, in milliseconds. */
export interface OpeningTiming {
  /** From the last response with prayers until a frame with all cards was painted and input would be handled. */
  usable: number
  /** The longest task after the first response with prayers. */
  longestTask: number
}

const WATCH_OPENING = `
  window.opening = { tasks: [], frames: [] }
  new PerformanceObserver((list) => list.getEntries().forEach((task) => opening.tasks.push(task)))
    .observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (document.getElementsByTagName('section').length >= ${String(FULL_CARDS)}) {
      setTimeout(() => opening.frames.push(performance.now()))
    }
    if (opening.frames.length < 1000) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`
const READ_OPENING = `(() => {
  const responses = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/rest/v1/prayers'))
  const ends = responses.map((response) => response.responseEnd)
  const first = Math.min(...ends)
  const last = Math.max(...ends)
  const late = opening.tasks.filter((task) => task.startTime + task.duration > first)
  return {
    usable: opening.frames.find((frame) => frame > last) - last,
    longestTask: Math.max(0, ...late.map((task) => task.duration)),
  }
})()`

/** Opens the full dashboard on a slow device with an empty cache. */
export async function timeOpening(
  browser: Browser,
  origin: string,
  context: BrowserContextOptions,
): Promise<OpeningTiming> {
  const options = { context, slowDown: SLOW_DOWN, watch: WATCH_OPENING }
  return await withDevice(browser, options, async ({ page }) => {
    await openFullDashboard(page, origin)
    return await page.evaluate<OpeningTiming>(READ_OPENING)
  })
}
