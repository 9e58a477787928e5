import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { type ServerProcess, startServer } from '#tests/e2e/fixtures/server-process.ts'
import { findBrowser } from '#tests/support/browser.ts'
import { inviteCast } from './scenes/cast.ts'
import { categoryScenes } from './scenes/category-scenes.ts'
import { dashboardScenes } from './scenes/dashboard-scenes.ts'
import { GUEST_SCENES } from './scenes/guest-scenes.ts'
import { ownDataScenes } from './scenes/own-data-scenes.ts'
import { type Scene, stageFor } from './scenes/scene.ts'

const FOLDER = resolve(import.meta.dirname, '../screenshots')
const WIDTHS = [375, 768, 1280]
const THEMES = ['light', 'dark'] as const
/** Runs in the page: waits until everything that moves to a place has come there. */
const STOP_MOVING = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished),
)`

/** Pictures of every screen in every state, at each width and in each theme; an argument picks scenes by their name. */
async function takeScreenshots(wanted: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const server = await startServer({})
  const { executablePath, args, env } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
  try {
    const cast = await inviteCast(server.url)
    const all = [...GUEST_SCENES, ...dashboardScenes(cast), ...categoryScenes(cast), ...ownDataScenes(cast)]
    for (const scene of all.filter(({ name }) => name.includes(wanted))) await shoot(scene, browser, server)
  } finally {
    await browser.close()
    await server.discard()
  }
}

async function shoot(scene: Scene, browser: Browser, server: ServerProcess): Promise<void> {
  for (const width of scene.widths ?? WIDTHS) {
    for (const theme of THEMES) {
      const name = `${scene.name}.${String(width)}.${theme}`
      try {
        await shootOnce(scene, { name, width, theme }, browser, server)
        console.log(name)
      } catch (error) {
        process.exitCode = 1
        console.error(`${name}: ${String(error)}`)
      }
    }
  }
}

interface Shot {
  name: string
  width: number
  theme: (typeof THEMES)[number]
}

async function shootOnce(
  scene: Scene,
  { name, width, theme }: Shot,
  browser: Browser,
  server: ServerProcess,
): Promise<void> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width, height: width < 500 ? 740 : 900 },
    hasTouch: width < 500,
    reducedMotion: 'reduce',
    colorScheme: theme,
  })
  try {
    await scene.person?.isSignedInOn(context)
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await scene.play(stageFor(page, server))
    await page.locator('h1').first().waitFor()
    await page.evaluate(STOP_MOVING)
    const path = resolve(FOLDER, `${name}.png`)
    await page.screenshot({ path, fullPage: scene.windowOnly !== true })
  } finally {
    server.goOn()
    await context.close()
    await server.start()
  }
}

const wanted = process.argv[2] ?? ''
if (wanted === '') await rm(FOLDER, { recursive: true, force: true })
await takeScreenshots(wanted)
