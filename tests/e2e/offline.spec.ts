import type { Page } from '@playwright/test'
import { DashboardScreen } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

test.describe('while the server cannot be reached', () => {
  test.beforeEach(({ consoleWatch }) => consoleWatch.announceFailingServer())

  test('changes of prayers are made at once, and sent when it is back', async ({
    page,
    server,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna' }, { name: 'Ben' }, { name: 'Clara' })
    await dashboard.open()
    const { prayerDialog } = dashboard
    const card = dashboard.card('Family')
    await expect(card.rows).toHaveText([/Anna/, /Ben/, /Clara/])
    await loadDialogs(dashboard)
    await server.stop()

    await dashboard.addPrayer('Family', 'Dan', 'A calm exam week')
    await expect(prayerDialog.root).toBeHidden()
    await card.row('Anna').edit.click()
    await prayerDialog.name.fill('Anna Maria')
    await prayerDialog.updateButton.click()
    await expect(prayerDialog.root).toBeHidden()
    await card.row('Ben').resolve.click()
    await card.row('Clara').remove.click()
    await dashboard.confirmDialog.confirm.click()
    await expect(card.rows).toHaveText([/Dan/, /Anna Maria/])
    await expect(offlineNotice(page)).toBeVisible()
    await expect(dashboard.banner).toHaveCount(0)

    await server.start()
    await reconnect(page)
    await expect
      .poll(() => user.prayers())
      .toEqual([
        { person_name: 'Dan', note: 'A calm exam week', resolved: false },
        { person_name: 'Anna Maria', note: null, resolved: false },
        { person_name: 'Ben', note: null, resolved: true },
      ])
    await expect(offlineNotice(page)).toHaveCount(0)
    await expect(card.rows).toHaveText([/Dan/, /Anna Maria/])
  })

  test('changes of categories are made at once, and sent when it is back', async ({
    page,
    server,
    user,
    categories,
  }) => {
    await user.addCategories('Famly', 'Church', 'Friends')
    await categories.open()
    await expect(categories.names).toHaveText(['Famly', 'Church', 'Friends'])
    await server.stop()

    await categories.addCategory.click()
    await categories.dialog.name.fill('Neighbours')
    await categories.dialog.addButton.click()
    await expect(categories.dialog.root).toBeHidden()
    await categories.row('Famly').edit.click()
    await categories.nameInput.fill('Family')
    await categories.nameInput.press('Enter')
    await categories.row('Friends').remove.click()
    await categories.confirmDialog.confirm.click()
    await categories.row('Church').hide.click()
    await categories.lift('Family')
    await categories.move('ArrowDown', '2 of 3')
    await categories.drop()
    await expect(categories.names).toHaveText(['Church', 'Family', 'Neighbours'])
    await expect(categories.row('Church').show).toBeVisible()
    await expect(categories.banner).toHaveCount(0)

    await server.start()
    await reconnect(page)
    await expect.poll(() => user.categoryNames()).toEqual(['Church', 'Family', 'Neighbours'])
    await page.reload()
    await expect(categories.names).toHaveText(['Church', 'Family', 'Neighbours'])
    await expect(categories.row('Church').show).toBeVisible()
  })

  test('a change is kept when the tab is closed, and sent by the next one', async ({
    page,
    context,
    server,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family')
    await dashboard.open()
    await loadDialogs(dashboard)
    await server.stop()
    await dashboard.addPrayer('Family', 'Anna')
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
    await page.close()
    await server.start()
    expect(await user.prayers()).toEqual([])
    const next = new DashboardScreen(await context.newPage())
    await next.open()
    await expect(next.card('Family').rows).toHaveText([/Anna/])
    await expect.poll(() => user.prayers()).toHaveLength(1)
  })

  test('signing out asks first if changes have not been sent', async ({
    page,
    server,
    user,
    dashboard,
    navigation,
    authScreen,
  }) => {
    await user.addCategory('Family')
    await dashboard.open()
    await loadDialogs(dashboard)
    await server.stop()
    await dashboard.addPrayer('Family', 'Anna')
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
    await navigation.signOut()
    const question = page.getByRole('alertdialog', { name: 'Sign out' })
    await expect(question).toContainText('One change has not been saved on the server yet')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(dashboard.card('Family').rows).toHaveText([/Anna/])
    await navigation.signOut()
    await question.getByRole('button', { name: 'Sign out' }).click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
  })
})

/** Opens a dialog once: without a service worker, its chunk cannot be loaded while the server is stopped. */
async function loadDialogs(dashboard: DashboardScreen): Promise<void> {
  await dashboard.card('Family').addPrayer.click()
  await expect(dashboard.prayerDialog.root).toBeVisible()
  await dashboard.page.keyboard.press('Escape')
  await expect(dashboard.prayerDialog.root).toBeHidden()
}

test('a request without a response times out, and is repeated without adding the prayer twice', async ({
  page,
  server,
  user,
  dashboard,
  consoleWatch,
}) => {
  consoleWatch.announceFailingServer()
  consoleWatch.announce(/^status 409/)
  await user.addCategory('Family')
  await page.clock.install()
  await dashboard.open()
  const card = dashboard.card('Family')
  await card.addPrayer.click()
  await dashboard.prayerDialog.name.fill('Anna')
  server.pause()
  await dashboard.prayerDialog.addButton.click()
  await expect(dashboard.prayerDialog.root).toBeHidden()
  await expect(card.rows).toHaveText([/Anna/])
  await page.clock.runFor(20_000)
  await expect(offlineNotice(page)).toBeVisible()
  server.resume()
  await expect.poll(() => user.prayers()).toHaveLength(1)
  await reconnect(page)
  await expect(offlineNotice(page)).toHaveCount(0)
  await expect(card.rows).toHaveText([/Anna/])
  expect(await user.prayers()).toHaveLength(1)
})

test.describe('a change is sent at once, not only when it is next tried again, when', () => {
  test.beforeEach(async ({ page, consoleWatch, user }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family')
    await page.clock.install()
  })

  /** Adds a prayer that cannot be sent. Timers are stopped: it is never tried again because of the time. */
  const addWithoutConnection = async (page: Page, dashboard: DashboardScreen) => {
    const endOfRound = page.waitForEvent('requestfailed', (request) => request.url().includes('/sync_state'))
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
    await dashboard.addPrayer('Family', 'Anna')
    await expect(dashboard.prayerDialog.root).toBeHidden()
    await endOfRound
    await expect(offlineNotice(page)).toBeVisible()
  }

  test('the browser has a connection again', async ({ page, context, user, dashboard }) => {
    await dashboard.open()
    await loadDialogs(dashboard)
    await context.setOffline(true)
    await addWithoutConnection(page, dashboard)
    await context.setOffline(false)
    await expect.poll(() => user.prayers()).toHaveLength(1)
    await expect(offlineNotice(page)).toHaveCount(0)
  })

  test('the user returns to the window', async ({ page, server, user, dashboard }) => {
    await dashboard.open()
    await loadDialogs(dashboard)
    await server.stop()
    await addWithoutConnection(page, dashboard)
    await server.start()
    expect(await user.prayers()).toEqual([])
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expect.poll(() => user.prayers()).toHaveLength(1)
    await expect(offlineNotice(page)).toHaveCount(0)
  })
})

test('a notice shows while the browser is offline', async ({
  page,
  context,
  user,
  dashboard,
  consoleWatch,
}) => {
  // The next screen may be preloading.
  consoleWatch.announceFailingServer()
  await user.addCategory('Family')
  await dashboard.open()
  await expect(dashboard.card('Family').root).toBeVisible()
  await context.setOffline(true)
  await expect(offlineNotice(page)).toHaveText('You are offline. Changes are kept on this device.')
  // It stays in view, and covers neither the title nor the first card.
  await page.setViewportSize({ width: 375, height: 440 })
  await expect(offlineNotice(page)).toBeInViewport({ ratio: 1 })
  const card = await dashboard.card('Family').addPrayer.boundingBox()
  const noticeBox = await offlineNotice(page).boundingBox()
  expect(noticeBox?.y).toBeGreaterThan((card?.y ?? Infinity) + (card?.height ?? 0))
  await context.setOffline(false)
  await expect(offlineNotice(page)).toHaveCount(0)
})

const offlineNotice = (page: Page) => page.getByRole('main').getByText('You are offline.')

/** The browser notices at once that the server is back, instead of a few seconds later. */
async function reconnect(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('online')))
}
