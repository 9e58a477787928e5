import type { Browser, Page, Route } from '@playwright/test'
import { build } from 'vite'
import type { Contents } from '#web/sync/storage.ts'
import type { CreateDevice, Tab } from './device.ts'
import { type Network, ORIGIN } from './network.ts'
import type { Rows } from './page.ts'

interface BrowserTab extends Tab {
  page: Page
  /** Reads what the tab shows, if it is new. Resolves to whether a round runs that does not wait for the network. */
  read: () => Promise<boolean>
  stored: () => Promise<Contents>
}

/** The script of a page that has the app's synchronisation, but shows nothing. */
export async function bundlePage(): Promise<string> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      rolldownOptions: { input: `${import.meta.dirname}/page.ts`, output: { format: 'iife' } },
    },
  })
  const outputs = [result].flat().flatMap((built) => ('output' in built ? built.output : []))
  const [script] = outputs.flatMap((file) => (file.type === 'chunk' ? file.code : []))
  if (script === undefined) throw new Error('The page was not built.')
  return script
}

/**
 * Creates devices with a real browser's IndexedDB, Web Locks and BroadcastChannel. Their timers never fire, so that rounds
 * run when the history wants, and their requests go through the history's network.
 *
 * @param script from `bundlePage`
 */
export function createBrowserDevices(browser: Browser, script: string): CreateDevice {
  return async ({ userId, network, newId, now, hasLocks, hasChannel, isEncrypted }) => {
    const origin = hasLocks || isEncrypted ? 'http://localhost' : 'http://not-secure.test'
    const context = await browser.newContext()
    await context.clock.install({ time: now() })
    await context.clock.pauseAt(now())
    await context.route('**/*', async (route) => {
      if (route.request().url().startsWith(`${origin}/rest/`)) await forward(route, network)
      else await route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })
    })
    if (!hasLocks) await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'))
    if (!hasChannel) await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'BroadcastChannel'))
    let tabs: readonly BrowserTab[] = []

    const isQuiet = async () => {
      const active = (await Promise.all(tabs.map((tab) => tab.read()))).filter(Boolean).length
      // The rounds of the others start when that of the tab with the lock ends.
      return active === 0 || active <= (await countWaitingForLock(tabs))
    }
    const quiet = async () => {
      while (!(await isQuiet()));
    }
    const openTab = async (): Promise<BrowserTab> => {
      const page = await context.newPage()
      await page.goto(`${origin}/`)
      await page.addScriptTag({ content: script })
      const ids = [userId, newId()] as const
      const handle = await page.evaluateHandle(([user, pageId]) => openData(user, pageId), ids)
      let snapshot = await handle.evaluate((data) => data.snapshot())
      const tab: BrowserTab = {
        page,
        read: async () => {
          const newer = await handle.evaluate((data, known) => data.newerSnapshot(known), snapshot.changes)
          snapshot = newer ?? snapshot
          return snapshot.status.fetching && !network.isWaiting(page)
        },
        sync: {
          rows: (table) => {
            const rows: Rows = JSON.parse(snapshot.rows)
            return rows[table]
          },
          status: () => snapshot.status,
          refresh: async () => {
            await page.evaluate(() => dispatchEvent(new Event('focus')))
            await quiet()
          },
          discard: (id) => handle.evaluate((data, rejectedId) => data.discard(rejectedId), id),
        },
        encryption: async () => {
          const account = await handle.evaluateHandle((data) => data.encryption())
          return {
            begin: (prayerKey) => account.evaluate((own, key) => own.begin(key), prayerKey),
            enter: (typed) => account.evaluate((own, key) => own.enter(key), typed),
            turnOff: () => account.evaluate((own) => own.turnOff()),
            goOnWithout: () => account.evaluate((own) => own.goOnWithout()),
            encryptAgain: () => account.evaluate((own) => own.encryptAgain()),
            findPlainTexts: () => account.evaluate((own) => own.findPlainTexts()),
            sealPlainTexts: (found) => account.evaluate((own, texts) => own.sealPlainTexts(texts), found),
          }
        },
        startSync: () => void handle.evaluate((data) => data.startSync()),
        change: async (...made) => {
          const changes = [JSON.stringify(made), made.map(() => newId())] as const
          await handle.evaluate((data, [json, changeIds]) => data.change(json, changeIds), changes)
          return { accepted: Promise.resolve() }
        },
        tryAgain: async (rejectedId) => {
          const change = [rejectedId, newId()] as const
          await handle.evaluate((data, [rejected, id]) => data.tryAgain(rejected, id), change)
          return { accepted: Promise.resolve() }
        },
        stopWaiting: () => {},
        kill: async () => {
          tabs = tabs.filter((each) => each !== tab)
          network.cutOff(page)
          await page.close()
        },
        stored: () => handle.evaluate((data) => data.stored()),
      }
      return tab
    }
    return {
      get tabs() {
        return tabs
      },
      failingWrites: 0,
      storesFailingWrites: false,
      deleteSiteData: () => {},
      open: async () => {
        const tab = await openTab()
        tabs = [...tabs, tab]
        await quiet()
        return tab
      },
      quiet,
      stored: async () => {
        const [tab] = tabs
        if (!tab) throw new Error('Reading what is stored needs an open tab.')
        return tab.stored()
      },
      discard: () => context.close(),
    }
  }
}

async function forward(route: Route, network: Network): Promise<void> {
  const request = route.request()
  const send = network.sendFor(request.frame().page())
  try {
    const { pathname, search } = new URL(request.url())
    const response = await send(new URL(pathname + search, ORIGIN), {
      method: request.method(),
      headers: request.headers(),
      body: request.postData(),
    })
    const headers = Object.fromEntries(response.headers)
    await route.fulfill({ status: response.status, headers, body: await response.text() })
  } catch {
    await route.abort()
  }
}

async function countWaitingForLock([tab]: readonly BrowserTab[]): Promise<number> {
  const state = await tab?.page.evaluate(() => {
    const { locks }: Partial<Navigator> = navigator
    return locks?.query()
  })
  return state?.pending?.length ?? 0
}
