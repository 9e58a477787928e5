import { beforeLists } from './fixtures/before-lists.ts'
import { expect, test } from './test.ts'

for (const { path, loading, empty, error, row } of [
  {
    path: '/dashboard',
    loading: 'Loading prayers...',
    empty: /Welcome to|No prayers yet/,
    error: /Failed to fetch (?:prayers|categories)/,
    row: 'Anna',
  },
  {
    path: '/manage-categories',
    loading: 'Loading categories...',
    empty: /don't have any categories/,
    error: 'Failed to fetch categories',
    row: 'Family',
  },
])
  test(`${path} shows that it is loading, then an error and a way to try again if the server fails, and never an empty list`, async ({
    page,
    server,
    user,
    consoleWatch,
    dashboard: { banner, retry },
  }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family', { name: 'Anna' })
    await page.clock.install()
    // Time passes only until the screen has appeared: then the page does not try again by itself.
    await page.clock.pauseAt(Date.now() + 60_000)
    const stopIntercepting = await beforeLists(page, loading, async () => {
      // Without the fonts, the page would not be loaded, which starts another attempt.
      await page.waitForLoadState()
      server.pause()
    })
    await page.goto(path)
    await expect
      .poll(async () => {
        await page.clock.runFor(100)
        return page.getByText(loading).first().isVisible()
      })
      .toBe(true)
    await expect(page.getByText(empty)).toHaveCount(0)
    await server.kill()
    await expect(banner).toContainText(error)
    await expect(page.getByText(empty)).toHaveCount(0)
    await expect(page.getByText(loading)).toHaveCount(0)
    await stopIntercepting()
    await server.start()
    await retry.click()
    await expect(page.getByText(row, { exact: true })).toBeVisible()
    await expect(page.getByText(loading)).toHaveCount(0)
    await expect(banner).toHaveCount(0)
  })
