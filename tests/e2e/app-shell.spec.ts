import type { Page } from '@playwright/test'
import type { Releases } from './fixtures/releases.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { OLDER_KEY, PUBLISHABLE_KEY } from './fixtures/public-keys.ts'
import type { ServerSettings } from './fixtures/server-process.ts'
import { openWithWorker } from './fixtures/service-worker.ts'
import { DashboardScreen } from './screens/dashboard-screen.ts'
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

test.use({ webApp: 'released', serverSettings: OLDER_KEY, withServiceWorker: true })

/** The entry script of a page, whose name differs between builds. */
const entryOf = (page: Page) => page.locator('script[type=module]').getAttribute('src')

const newVersion = (page: Page) => page.getByText('A new version is ready')
const reloadButton = (page: Page) => page.getByRole('button', { name: 'Reload' })

test.describe('without the network', () => {
  test.beforeEach(({ consoleWatch }) => consoleWatch.announceFailingServer())

  test('a page that was opened before opens again, and so does every other screen', async ({
    page,
    server,
    authScreen,
  }) => {
    await openWithWorker(page)
    await server.stop()
    await page.reload()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await page.goto('/terms')
    await expect(page.getByRole('heading', { name: 'Terms of Service' })).toBeVisible()
    await page.getByRole('link', { name: 'Privacy', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible()
  })

  test('a signed-in user gets the app', async ({ page, server, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await openWithWorker(page, '/dashboard')
    await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
    await server.stop()
    await page.reload()
    await expect(dashboard.title).toBeVisible()
  })

  test('paths of the server and unknown paths are left to the network', async ({ page, server }) => {
    await openWithWorker(page)
    await server.stop()
    for (const path of [
      '/auth/v1/verify',
      '/rest/v1/',
      '/health',
      '/ready',
      '/metrics',
      '/auth/callback',
      '/nowhere',
    ])
      await expect(page.goto(path), path).rejects.toThrow('ERR_CONNECTION_REFUSED')
  })
})

test('the caches hold the page and the built files, never what the API returned', async ({
  page,
  user,
  dashboard,
}) => {
  await user.addCategory('Family', { name: 'Anna' })
  await openWithWorker(page, '/dashboard')
  await page.reload()
  await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
  await dashboard.addPrayer('Family', 'Ben', 'for peace')
  await expect(dashboard.card('Family').row('Ben').root).toBeVisible()
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
  expect(texts.join(' ')).not.toMatch(/for peace|Anna/)
})

test.describe('a new version', () => {
  test('is offered, and starts when the user agrees', async ({ page, publish, dashboard, user }) => {
    await user.addCategories('Family')
    await openWithWorker(page, '/dashboard')
    const before = await entryOf(page)
    await publish('second')
    await page.reload()
    await expect(newVersion(page)).toBeVisible()
    await expectAccessible(page)
    expect(await entryOf(page), 'the version in use').toBe(before)
    await page.reload()
    await expect(newVersion(page)).toBeVisible()
    expect(await entryOf(page), 'the version in use').toBe(before)
    await reloadButton(page).click()
    await expect.poll(() => entryOf(page)).not.toBe(before)
    await expect(dashboard.card('Family').root).toBeVisible()
    await expect(newVersion(page)).toBeHidden()
  })

  test('starts by itself once every window of the old one is closed', async ({
    page,
    context,
    publish,
    server,
  }) => {
    await openWithWorker(page)
    const before = await entryOf(page)
    await publish('second')
    await page.reload()
    await expect(newVersion(page)).toBeVisible()
    await page.close()
    const next = await context.newPage()
    await next.goto(server.url)
    await expect.poll(() => entryOf(next)).not.toBe(before)
  })

  test('does not interrupt typing, in any tab', async ({ page, context, publish, user, dashboard }) => {
    await user.addCategories('Family')
    await openWithWorker(page, '/dashboard')
    const other = await context.newPage()
    await other.goto('/dashboard')
    const there = new DashboardScreen(other)
    await there.card('Family').addPrayer.click()
    await there.prayerDialog.name.fill('Anna')
    await publish('second')
    await page.reload()
    await reloadButton(page).click()
    await expect(dashboard.card('Family').root).toBeVisible()
    await expect(newVersion(other)).toBeVisible()
    await expect(there.prayerDialog.name).toHaveValue('Anna')
    await there.prayerDialog.addButton.click()
    await expect(there.card('Family').row('Anna').root).toBeVisible()
    await reloadButton(other).click()
    await expect.poll(async () => (await entryOf(other)) === (await entryOf(page))).toBe(true)
  })

  test('that is withdrawn is replaced by the older one again', async ({ page, publish }) => {
    await openWithWorker(page)
    const first = await entryOf(page)
    await publish('second')
    await page.reload()
    await reloadButton(page).click()
    await expect.poll(() => entryOf(page)).not.toBe(first)
    await publish('first')
    await page.reload()
    await reloadButton(page).click()
    await expect.poll(() => entryOf(page)).toBe(first)
  })

  test('leaves the chunks of the old one usable in pages that are open', async ({ page, publish }) => {
    await openWithWorker(page)
    const before = await entryOf(page)
    await publish('second')
    await page.getByRole('link', { name: 'Terms' }).click()
    await expect(page.getByRole('heading', { name: 'Terms of Service' })).toBeVisible()
    expect(await entryOf(page)).toBe(before)
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

for (const release of ['with a broken worker', 'with an incomplete worker'] as const) {
  test(`a release ${release} works all the same`, async ({
    page,
    publish,
    authScreen,
    newUser,
    dashboard,
  }) => {
    await publish(release)
    const user = await newUser()
    await user.addCategories('Family')
    await authScreen.open()
    await authScreen.signIn(user.email, user.password)
    await expect(dashboard.card('Family').root).toBeVisible()
    await page.reload()
    await expect(dashboard.card('Family').root).toBeVisible()
  })
}

test.describe('the stored page', () => {
  test('is brought up to date at each start, for the next one', async ({ page, publish }) => {
    await openWithWorker(page)
    await publish('first', { PRODUCT_NAME: 'Vigil' })
    await page.reload()
    await expect(page).toHaveTitle(/Intercede$/)
    const stored = () =>
      page.evaluate(async () => {
        const name = (await caches.keys()).find((cache) => cache.startsWith('intercede-page-'))
        return (await (await caches.open(name ?? '')).match('/'))?.text()
      })
    await expect.poll(stored).toContain('<title>Vigil</title>')
    await page.reload()
    await expect(page).toHaveTitle(/Vigil$/)
    await publish('first', { PRODUCT_NAME: 'Intercede' })
  })

  test('is not used if a file is missing that it starts with', async ({ page, authScreen }) => {
    await openWithWorker(page)
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

  test('is not used if it is damaged', async ({ page, authScreen }) => {
    await openWithWorker(page)
    await page.evaluate(async () => {
      for (const name of await caches.keys())
        if (name.startsWith('intercede-page-'))
          await (await caches.open(name)).put('/', new Response('<html>'))
    })
    await page.reload()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
  })

  test('is replaced at once when the server rejects its API key', async ({
    page,
    publish,
    consoleWatch,
    user,
    dashboard,
  }) => {
    consoleWatch.announce(/^status 401: /)
    await user.addCategory('Family', { name: 'Anna' })
    await openWithWorker(page, '/dashboard')
    await publish('first', { ANON_KEY: PUBLISHABLE_KEY })
    // Only a page that has not just been reloaded may reload itself.
    await page.goto('/dashboard')
    await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
  })

  test('with a rejected API key is replaced only when the user agrees, while they are typing', async ({
    page,
    publish,
    consoleWatch,
    newUser,
    authScreen,
    dashboard,
  }) => {
    consoleWatch.announce(/^status 401: /)
    const user = await newUser()
    await user.addCategories('Family')
    await openWithWorker(page)
    await publish('first', { ANON_KEY: PUBLISHABLE_KEY })
    await authScreen.email.fill(user.email)
    await authScreen.password.fill(user.password)
    await page.keyboard.press('Enter')
    await expect(newVersion(page)).toBeVisible()
    await expect(authScreen.email).toHaveValue(user.email)
    const reloaded = page.waitForEvent('load')
    await reloadButton(page).click()
    await reloaded
    await authScreen.signIn(user.email, user.password)
    await expect(dashboard.card('Family').root).toBeVisible()
  })
})
