import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { type ServerProcess, startServer } from '#tests/e2e/fixtures/server-process.ts'
import { findBrowser } from '#tests/support/browser.ts'
import { settingsScenes } from './scenes/settings-scenes.ts'
import { answeredScenes } from './scenes/answered-scenes.ts'
import { categoryScenes } from './scenes/category-scenes.ts'
import { dashboardScenes } from './scenes/dashboard-scenes.ts'
import { deviceScenes } from './scenes/device-scenes.ts'
import { GUEST_SCENES } from './scenes/guest-scenes.ts'
import { prayerScenes } from './scenes/prayer-scenes.ts'
import { prayScenes } from './scenes/pray-scenes.ts'
import { searchScenes } from './scenes/search-scenes.ts'
import { plannedScenes } from './scenes/planned-scenes.ts'
import { createSampleUsers } from './scenes/sample-users.ts'
import { type Scene, sceneContext } from './scenes/scene.ts'

const FOLDER = resolve(import.meta.dirname, '../screenshots')
/** A phone, a phone with its keyboard up, a tablet, a laptop and a large screen. */
const SIZES = [
  { width: 375, height: 812 },
  { width: 375, height: 440 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const
const THEMES = ['light', 'dark'] as const
/** At these widths there are also screenshots with forced colours and with the text size doubled. */
const ADAPTED_WIDTHS: ReadonlySet<number> = new Set([375, 1280])
/** Runs in the page: waits for the end of all finite animations. */
const WAIT_FOR_ANIMATIONS = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished),
)`

/** Takes screenshots of the scenes whose names contain one of the filters, or of all, in each size and theme. */
async function takeScreenshots(filters: readonly string[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const server = await startServer({})
  const { executablePath, args, env } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
  try {
    const users = await createSampleUsers(server.url)
    const scenes = [
      ...GUEST_SCENES,
      ...dashboardScenes(users),
      ...plannedScenes(users),
      ...prayScenes(users),
      ...prayerScenes(users),
      ...answeredScenes(users),
      ...categoryScenes(users),
      ...settingsScenes(users),
      ...searchScenes(users),
      ...deviceScenes(users),
    ]
    const isWanted = ({ name }: Scene) =>
      filters.length === 0 || filters.some((filter) => name.includes(filter))
    for (const scene of scenes.filter(isWanted)) await captureScene(scene, browser, server)
  } finally {
    await browser.close()
    await server.discard()
  }
}

async function captureScene(scene: Scene, browser: Browser, server: ServerProcess): Promise<void> {
  for (const size of SIZES.filter(({ width }) => scene.widths?.includes(width) ?? true)) {
    const name = `${scene.name}.${String(size.width)}${size.height === 440 ? 'x440' : ''}`
    try {
      await capture(scene, { name, ...size }, browser, server)
      console.log(name)
    } catch (error) {
      process.exitCode = 1
      console.error(`${name}: ${String(error)}`)
    }
  }
}

interface Size {
  /** File name of the screenshots, without the theme. */
  name: string
  width: number
  height: number
}

/** Brings a page into the state of the scene once, and then takes a screenshot of each of its looks. */
async function capture(
  scene: Scene,
  { name, width, height }: Size,
  browser: Browser,
  server: ServerProcess,
): Promise<void> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width, height },
    hasTouch: width < 500,
    reducedMotion: 'reduce',
  })
  try {
    await scene.user?.signInOn(context)
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await scene.run(sceneContext(page, server))
    await page.locator('h1').first().waitFor({ state: 'attached' })
    const takeScreenshot = async (look: string) => {
      await page.evaluate(WAIT_FOR_ANIMATIONS)
      const fullPage = scene.windowOnly !== true && height !== 440
      await page.screenshot({ path: resolve(FOLDER, `${name}.${look}.png`), fullPage })
    }
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme })
      await takeScreenshot(theme)
    }
    if (!ADAPTED_WIDTHS.has(width) || height === 440) return
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await takeScreenshot('forced-colours')
    await page.emulateMedia({ forcedColors: 'none' })
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await takeScreenshot('large-text')
  } finally {
    server.resume()
    await context.close()
    await server.start()
  }
}

const USAGE = `npm run screenshots -- [filter]...
Takes screenshots of the scenes whose names contain one of the filters, or of all, into the folder screenshots.
`

const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h', default: false } },
})
if (values.help) {
  process.stdout.write(USAGE)
} else {
  if (filters.length === 0) await rm(FOLDER, { recursive: true, force: true })
  await takeScreenshots(filters)
}
