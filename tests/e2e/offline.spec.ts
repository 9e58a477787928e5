import type { Page } from '@playwright/test'
import { pauseClock } from './fixtures/pause-clock.ts'
import { textOnDevice } from './fixtures/text-on-device.ts'
import { expect, test } from './test.ts'

const offlineNotice = (page: Page) => page.getByRole('main').getByText('You are offline.')

test.beforeEach(async ({ page, user, consoleWatch }) => {
  consoleWatch.announceFailingServer()
  await user.addCategory('Family')
  await page.clock.install()
})

test('while the browser is offline, a notice shows; a change is sent at once, not only when it is next tried again', async ({
  page,
  context,
  user,
  dashboard,
}) => {
  const { prayerDialog } = dashboard
  const card = dashboard.card('Family')
  await dashboard.open()
  // Without a service worker, the chunk of the dialog cannot be loaded while the browser is offline.
  await card.addPrayer.click()
  await expect(prayerDialog.root).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(prayerDialog.root).toBeHidden()

  await context.setOffline(true)
  await expect(offlineNotice(page)).toHaveText('You are offline. Changes are kept on this device.')
  // Timers are stopped: the change is never tried again because of the time.
  await pauseClock(page)
  const endOfRound = page.waitForEvent('requestfailed', (request) => request.url().includes('/sync_state'))
  await dashboard.addPrayer('Family', 'Anna')
  await expect(prayerDialog.root).toBeHidden()
  await endOfRound
  await test.step('the notice stays in view, and covers neither the title nor the first card', async () => {
    await page.setViewportSize({ width: 375, height: 440 })
    await expect(offlineNotice(page)).toBeInViewport({ ratio: 1 })
    const button = await card.addPrayer.boundingBox()
    const notice = await offlineNotice(page).boundingBox()
    expect(notice?.y).toBeGreaterThan((button?.y ?? Infinity) + (button?.height ?? 0))
  })
  await context.setOffline(false)
  await expect.poll(() => user.prayers()).toHaveLength(1)
  await expect(offlineNotice(page)).toHaveCount(0)
})

test('a request without a response times out, and is repeated without adding the prayer twice', async ({
  page,
  server,
  user,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announceRepeatedInserts()
  await dashboard.open()
  const card = dashboard.card('Family')
  await card.addPrayer.click()
  await dashboard.prayerDialog.name.fill('Anna')
  server.pause()
  await dashboard.prayerDialog.addButton.click()
  await expect(dashboard.prayerDialog.root).toBeHidden()
  await expect(card.rows).toHaveText([/Anna/])
  await page.clock.runFor(20_000)
  const notice = page.getByRole('main').getByText('The server cannot be reached.')
  await expect(notice).toBeVisible()
  server.resume()
  await expect.poll(() => user.prayers()).toHaveLength(1)
  // The browser notices at once that the server is back, instead of a few seconds later.
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(notice).toHaveCount(0)
  await expect(card.rows).toHaveText([/Anna/])
  expect(await user.prayers()).toHaveLength(1)
})

test('while the server has no database, the app shows what is on the device, also when it is opened, and keeps changes', async ({
  page,
  server,
  user,
  dashboard,
}) => {
  const { rows } = dashboard.card('Family')
  await dashboard.open()
  await dashboard.addPrayer('Family', 'Anna')
  await expect.poll(() => textOnDevice(page)).toContain('Anna')
  const reconnect = await server.loseDatabase()
  await page.reload()
  const notice = page.getByRole('main').getByText('The server cannot be reached.')
  await expect(notice).toHaveText('The server cannot be reached. Changes are kept on this device.')
  await dashboard.addPrayer('Family', 'Ben')
  await expect(rows).toHaveText([/Ben/, /Anna/])
  await reconnect()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(() => user.prayers()).toHaveLength(2)
  await expect(notice).toHaveCount(0)
})
