import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from '@playwright/test'
import { signedInContext, withBrowser } from './browser/slow-device.ts'
import { FULL_CARDS } from './browser/visit-timing.ts'
import { createDataFolder } from './fixed-data.ts'
import type { PartContext } from './part.ts'
import { startIntercede } from './processes.ts'

const USER = 1
/** As much as ten years of use leave behind; half of the prayers are answered. */
const AMOUNTS = { users: 1, categoriesEach: FULL_CARDS, prayersEach: 5000, updatesEach: 10_000 }

/** A browser, and the address and options with which it opens the full account. */
export interface FullAccount {
  browser: Browser
  origin: string
  /** Its number in the fixed data. */
  user: number
  signedIn: BrowserContextOptions
}

/** Runs `work` with a new account of 60 categories, 5,000 prayers and 10,000 updates. */
export async function withFullAccount(
  { project, folder }: PartContext,
  work: (account: FullAccount) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(folder, 'full-account-'))
  await createDataFolder(project, dataDir, AMOUNTS)
  const server = await startIntercede(project, { DATA_DIR: dataDir })
  await withBrowser(async (browser) => {
    const origin = server.url
    await work({ browser, origin, user: USER, signedIn: await signedInContext(origin, USER) })
  })
  await server.stop()
}
