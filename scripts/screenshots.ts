import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { type ServerProcess, startServer } from '#tests/e2e/fixtures/server-process.ts'
import { findBrowser } from '#tests/support/browser.ts'
import { accountDataScenes } from './scenes/account-data-scenes.ts'
import { categoryScenes } from './scenes/category-scenes.ts'
import { dashboardScenes } from './scenes/dashboard-scenes.ts'
import { GUEST_SCENES } from './scenes/guest-scenes.ts'
import { createSampleUsers } from './scenes/sample-users.ts'
import { type Scene, sceneContext } from './scenes/scene.ts'

const FOLDER = resolve(import.meta.dirname, '../screenshots')
const WIDTHS = [375, 768, 1280]
const THEMES = ['light', 'dark'] as const
/** Runs in the page: waits for the end of all finite animations. */
const WAIT_FOR_ANIMATIONS = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished),
)`

/** Takes screenshots of all scenes whose name contains `filter`, at each width and in each theme. */
async function takeScreenshots(filter: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const server = await startServer({})
  const { executablePath, args, env } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
  try {
    const users = await createSampleUsers(server.url)
    const scenes = [
      ...GUEST_SCENES,
      ...dashboardScenes(users),
      ...categoryScenes(users),
      ...accountDataScenes(users),
    ]
    for (const scene of scenes.filter(({ name }) => name.includes(filter)))
      await captureScene(scene, browser, server)
  } finally {
    await browser.close()
    await server.discard()
  }
}

async function captureScene(scene: Scene, browser: Browser, server: ServerProcess): Promise<void> {
  for (const width of scene.widths ?? WIDTHS) {
    for (const theme of THEMES) {
      const name = `${scene.name}.${String(width)}.${theme}`
      try {
        await capture(scene, { name, width, theme }, browser, server)
        console.log(name)
      } catch (error) {
        process.exitCode = 1
        console.error(`${name}: ${String(error)}`)
      }
    }
  }
}

interface Screenshot {
  name: string
  width: number
  theme: (typeof THEMES)[number]
}

async function capture(
  scene: Scene,
  { name, width, theme }: Screenshot,
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
    await scene.user?.signInOn(context)
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await scene.run(sceneContext(page, server))
    await page.locator('h1').first().waitFor()
    await page.evaluate(WAIT_FOR_ANIMATIONS)
    const path = resolve(FOLDER, `${name}.png`)
    await page.screenshot({ path, fullPage: scene.windowOnly !== true })
  } finally {
    server.resume()
    await context.close()
    await server.start()
  }
}

const filter = process.argv[2] ?? ''
if (filter === '') await rm(FOLDER, { recursive: true, force: true })
await takeScreenshots(filter)
