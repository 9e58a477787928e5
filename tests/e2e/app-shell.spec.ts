import type { Page } from '@playwright/test'
import type { Releases } from './fixtures/releases.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { OLDER_KEY, PUBLISHABLE_KEY } from './fixtures/public-keys.ts'
import type { ServerSettings } from './fixtures/server-process.ts'
import { openWithWorker } from './fixtures/service-worker.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { expect, test as base } from './test.ts'

interface Fixtures {
  /** Replaces the web app by another release, and restarts the server. */
  publish: (release: Parameters<Releases['publish']>[0], changes?: ServerSettings) => Promise<void>
}

const test = base.extend<Fixtures>({
  publish: async ({ installation: { releases, server }, consoleWatch }, use) => {
    // Requests may meet the server while it restarts, and so may the browser's search for a new worker.
    consoleWatch.announceFailingServer()
    consoleWatch.announce(
      /^console\.error: (?:A bad HTTP response code \(503\)|An unknown error occurred) .*fetching the script/,
    )
    const publish: Fixtures['publish'] = async (release, changes) => {
      await server.stop()
      await releases?.publish(release)
      await server.restart(changes)
    }
    await use(publish)
    await publish('first', OLDER_KEY)
  },
})

test.use({
  webApp: 'released',
  serverSettings: OLDER_KEY,
  withServiceWorker: true,
})

/** The entry script of a page, whose name differs between builds. */
const entryOf = (page: Page) => page.locator('script[type=module]').getAttribute('src')

const newVersion = (page: Page) => page.getByText('A new version is ready')
const reloadButton = (page: Page) => page.getByRole('button', { name: 'Reload' })

test('without the network, every screen opens; the caches hold the page and the built files, never what the API returned', async ({
  page,
  server,
  user,
  dashboard,
  search,
  pray,
  prayer,
  consoleWatch,
}) => {
  consoleWatch.announceFailingServer()
  await user.addCategory('Family', { name: 'Miriam' })
  const { rows } = dashboard.card('Family')
  await openWithWorker(page, '/dashboard')
  await page.reload()
  await expect(rows).toHaveText([/Miriam/])
  await dashboard.addPrayer('Family', 'Ben', 'for peace')
  await expect(rows).toHaveText([/Ben/, /Miriam/])
  await expect.poll(() => user.prayers()).toHaveLength(2)
  const { paths, texts } = await page.evaluate(async () => {
    const stored = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) stored.push({ request, response: await cache.match(request) })
    }
    return {
      paths: stored.map(({ request }) => new URL(request.url).pathname),
      texts: await Promise.all(stored.map(async ({ response }) => (await response?.text()) ?? '')),
    }
  })
  expect(paths.filter((path) => !/^\/(?:assets\/.*)?$/.test(path))).toEqual([])
  expect(paths).toContain('/')
  expect(texts.join(' ')).not.toMatch(/for peace|Miriam/)

  await server.stop()
  await page.reload()
  await expect(rows).toHaveText([/Ben/, /Miriam/])
  await search.goto()
  await search.field.fill('peace')
  await expect(search.open.results).toHaveText([/Ben/])
  await pray.open()
  await pray.begin.click()
  await pray.prayed.click()
  await pray.prayed.click()
  await expect(pray.amen).toBeVisible()
  await pray.done.click()
  await expect(pray.title).toBeVisible()
  await page.goto('/prayer/00000000-0000-4000-8000-000000000000')
  await expect(prayer.notFound).toBeVisible()
  await page.goto('/terms')
  await expect(page.getByRole('heading', { name: 'Terms of Service' })).toBeVisible()
  await page.getByRole('link', { name: 'Privacy', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible()
  const leftToTheNetwork = [
    '/auth/v1/verify',
    '/rest/v1/',
    '/health',
    '/ready',
    '/metrics',
    '/auth/callback',
    '/nowhere',
  ]
  for (const path of leftToTheNetwork)
    await expect(page.goto(path), path).rejects.toThrow('ERR_CONNECTION_REFUSED')
})

test.describe('a new version', () => {
  test('is offered, interrupts typing in no tab, and starts when the user agrees; so does its withdrawal', async ({
    page,
    context,
    publish,
    user,
    dashboard,
  }) => {
    await user.addCategories('Family')
    await openWithWorker(page, '/dashboard')
    const first = await entryOf(page)
    const other = await context.newPage()
    await other.goto('/dashboard')
    const there = dashboardScreenOf(other)
    await there.card('Family').addPrayer.click()
    await there.prayerDialog.name.fill('Anna')
    await publish('second')
    // It does not start by itself, however often the page is loaded.
    for (let loads = 1; loads <= 2; loads += 1) {
      await page.reload()
      await expect(newVersion(page)).toBeVisible()
      expect(await entryOf(page), 'the version in use').toBe(first)
    }
    await expectAccessible(page)
    await reloadButton(page).click()
    await expect.poll(() => entryOf(page)).not.toBe(first)
    await expect(dashboard.card('Family').root).toBeVisible()
    await expect(newVersion(page)).toBeHidden()

    await expect(newVersion(other)).toBeVisible()
    await expect(there.prayerDialog.name).toHaveValue('Anna')
    await there.prayerDialog.addButton.click()
    await expect(there.card('Family').row('Anna').root).toBeVisible()
    await reloadButton(other).click()
    await expect.poll(async () => (await entryOf(other)) === (await entryOf(page))).toBe(true)
    await expect(there.card('Family').rows).toHaveText([/Anna/])
    await expect.poll(() => user.prayers()).toHaveLength(1)

    await publish('first')
    await page.reload()
    await reloadButton(page).click()
    await expect.poll(() => entryOf(page)).toBe(first)
  })

  test('leaves open pages the chunks of the old one, and starts once every window of it is closed', async ({
    page,
    context,
    publish,
    server,
  }) => {
    await openWithWorker(page)
    const before = await entryOf(page)
    await publish('second')
    await page.getByRole('link', { name: 'Terms' }).click()
    await expect(page.getByRole('heading', { name: 'Terms of Service' })).toBeVisible()
    expect(await entryOf(page)).toBe(before)
    await page.reload()
    await expect(newVersion(page)).toBeVisible()
    await page.close()
    // The browser takes a moment to notice that. A window that is opened meanwhile gets the old version, which then stays.
    await expect(async () => {
      const next = await context.newPage()
      await next.goto(server.url)
      const entry = await entryOf(next)
      await next.close()
      expect(entry).not.toBe(before)
    }).toPass()
  })
})

test.describe('without a worker', () => {
  test.use({ withServiceWorker: false })

  test('a page whose chunk is gone from the server is loaded again', async ({
    page,
    publish,
    consoleWatch,
  }) => {
    consoleWatch.announce(/^status 404: \/assets\//)
    await page.goto('/')
    const before = await entryOf(page)
    await publish('second')
    await page.getByRole('link', { name: 'Terms' }).click()
    await expect(page.getByRole('heading', { name: 'Terms of Service' })).toBeVisible()
    expect(await entryOf(page)).not.toBe(before)
  })
})

test('a release without a worker removes the installed one', async ({ page, publish, consoleWatch }) => {
  consoleWatch.announce(/^status 404: \/sw\.js/, /^console\.error: A bad HTTP response code \(404\)/)
  await openWithWorker(page)
  const before = await entryOf(page)
  await publish('without a worker')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const left = () =>
    page.evaluate(async () => ({
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      pages: (await caches.keys()).filter((name) => name.startsWith('intercede-page-')),
    }))
  await expect.poll(left).toEqual({ workers: 0, pages: [] })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await entryOf(page)).not.toBe(before)
})

test('a release with a broken or incomplete worker works all the same', async ({
  user,
  publish,
  dashboard,
}) => {
  await user.addCategories('Family')
  for (const release of ['with a broken worker', 'with an incomplete worker'] as const) {
    await publish(release)
    // The first page starts the new worker, which must not serve the second one.
    for (let loads = 1; loads <= 2; loads += 1) {
      await dashboard.open()
      await expect(dashboard.card('Family').root).toBeVisible()
    }
  }
})

test('the stored page is brought up to date at each start, for the next one', async ({ page, publish }) => {
  await openWithWorker(page)
  await publish('first', { PRODUCT_NAME: 'Vigil' })
  await page.reload()
  await expect(page).toHaveTitle(/Intercede$/)
  await expect.poll(() => storedPage(page)).toContain('<title>Vigil</title>')
  await page.reload()
  await expect(page).toHaveTitle(/Vigil$/)
  await publish('first', { PRODUCT_NAME: 'Intercede' })
})

test('the stored page is not used if it is damaged, or if a file is missing that it starts with', async ({
  page,
  authScreen,
}) => {
  await openWithWorker(page)
  await page.evaluate(async () => {
    for (const name of await caches.keys())
      if (name.startsWith('intercede-page-')) await (await caches.open(name)).put('/', new Response('<html>'))
  })
  await page.reload()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect.poll(() => storedPage(page), 'the worker replaces it').not.toBe('<html>')

  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) if (request.url.endsWith('.js')) await cache.delete(request)
      const copy = await cache.match('/')
      if (copy) await cache.put('/', new Response(`${await copy.text()}<!-- stored -->`, copy))
    }
  })
  await page.reload()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  expect(await page.content()).not.toContain('stored')
})

test('when the server rejects its API key, the stored page is replaced: at once, or if the user is typing, when they agree', async ({
  page,
  publish,
  consoleWatch,
  newUser,
  authScreen,
  dashboard,
}) => {
  consoleWatch.announce(/^status 401: /)
  const user = await newUser()
  await user.addCategory('Family', { name: 'Anna' })
  await openWithWorker(page)
  await publish('first', { ANON_KEY: PUBLISHABLE_KEY })
  await authScreen.fill(user.email, user.password)
  await page.keyboard.press('Enter')
  await expect(newVersion(page)).toBeVisible()
  await expect(authScreen.email).toHaveValue(user.email)
  const reloaded = page.waitForEvent('load')
  await reloadButton(page).click()
  await reloaded
  await authScreen.signIn(user.email, user.password)
  await expect(dashboard.card('Family').row('Anna').root).toBeVisible()

  await publish('first', OLDER_KEY)
  await user.addCategories('Church')
  // Only a page that has not just been reloaded may reload itself.
  await page.goto('/dashboard')
  await expect(dashboard.card('Church').root).toBeVisible()
})

/** The copy of the page in the cache. */
async function storedPage(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => {
    const name = (await caches.keys()).find((cache) => cache.startsWith('intercede-page-'))
    return (await (await caches.open(name ?? '')).match('/'))?.text()
  })
}
