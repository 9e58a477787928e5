import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, test } from './test.ts'

test.describe('the requests of the browser', () => {
  test('from the sign-in screen to the dashboard are only those that are needed', async ({
    page,
    newUser,
    authScreen,
    dashboard,
  }) => {
    const user = await newUser()
    await user.addCategory('Family', { name: 'Anna' })
    const requests: string[] = []
    page.on('request', (request) => {
      requests.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })

    await authScreen.open()
    await authScreen.signIn(user.email, user.password)
    await expect(dashboard.card('Family').row('Anna').root).toBeVisible()

    const api = requests.filter((request) => /\/(?:auth|rest)\/v1\//.test(request))
    expect(api.toSorted()).toEqual([
      'GET /rest/v1/categories',
      'GET /rest/v1/prayer_updates',
      'GET /rest/v1/prayers',
      'GET /rest/v1/sync_state',
      'POST /auth/v1/token',
    ])
    const files = requests.filter((request) => !api.includes(request))
    expect(files.filter((request) => !/^GET \/(?:$|assets\/|favicon)/.test(request))).toEqual([])
    // Browsers may request the icon at any time.
    const repeated = requests.filter(
      (request, index) => requests.indexOf(request) !== index && !request.includes('favicon'),
    )
    expect(repeated, 'requested twice').toEqual([])
  })

  test('fetch no list again when switching between the dashboard and Manage Categories', async ({
    page,
    user,
    dashboard,
    categories,
  }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))

    await dashboard.manageCategories.click()
    await expect(categories.row('Family').root).toBeVisible()
    await categories.backToDashboard.click()
    await expect(dashboard.card('Family').row('Anna').root).toBeVisible()

    expect(requests.filter((path) => path.startsWith('/rest/'))).toEqual([])
  })

  test('fetch no list again after a visit to the Terms, and unsaved text is kept', async ({
    page,
    user,
    dashboard,
  }) => {
    await user.addCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.addPrayer.click()
    await dashboard.prayerDialog.name.fill('Ben')
    await page.keyboard.press('Escape')
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))

    await page.getByRole('link', { name: 'Terms' }).click()
    await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible()
    await page.goBack()
    await expect(card.row('Anna').root).toBeVisible()
    await card.addPrayer.click()
    await dashboard.prayerDialog.bringBack.click()
    await expect(dashboard.prayerDialog.name).toHaveValue('Ben')

    expect(requests.filter((path) => path.startsWith('/rest/'))).toEqual([])
  })

  test('for prayers come before those for what is needed later', async ({ page, user, dashboard }) => {
    await user.addCategory('Family', { name: 'Anna' })
    // The browser counts as idle all the time.
    await page.addInitScript({ content: 'window.requestIdleCallback = (run) => setTimeout(run)' })
    const files: string[] = []
    page.on('request', (request) => files.push(new URL(request.url()).pathname))
    const later = () => files.filter((file) => /dashboard-dialogs|record-answer|search-place/.test(file))
    let respond = () => {}
    const responding = new Promise<void>((resolve) => (respond = resolve))
    await page.route('**/rest/v1/prayers?*', async (route) => {
      await responding
      await route.continue()
    })
    // Loaded when the browser is idle, whether there are prayers or not.
    const shortcuts = page.waitForResponse(/\/assets\/shortcuts-.*\.js$/)
    await dashboard.open()
    await shortcuts
    expect(later()).toEqual([])
    respond()
    await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
    await expect.poll(() => new Set(later()).size).toBeGreaterThanOrEqual(3)
  })

  test('load the dialogs of the dashboard before one is opened', async ({
    page,
    user,
    dashboard,
    consoleWatch,
  }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family')
    const dialogs = page.waitForResponse(/\/assets\/dashboard-dialogs-/)
    await dashboard.open()
    await dialogs
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.prayerDialog.name).toBeFocused()
  })

  test('for a dialog that fail show an error, and trying again reloads the page', async ({
    page,
    server,
    user,
    dashboard,
    consoleWatch,
  }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family')
    await page.addInitScript({ content: 'window.requestIdleCallback = () => 0' })
    await dashboard.open()
    await expect(dashboard.card('Family').addPrayer).toBeVisible()
    await server.stop()
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.banner).toContainText('This could not be opened')
    await server.start()
    await dashboard.retry.click()
    await expect(dashboard.banner).toHaveCount(0)
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.prayerDialog.name).toBeFocused()
  })

  test('for a place that fail leave the navigation in place, and trying again reloads the page', async ({
    page,
    server,
    user,
    dashboard,
    consoleWatch,
  }) => {
    consoleWatch.announceFailingServer()
    await user.addCategory('Family')
    await page.addInitScript({ content: 'window.requestIdleCallback = () => 0' })
    await dashboard.open()
    await expect(dashboard.card('Family').addPrayer).toBeVisible()
    await server.stop()
    const answered = page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Answered' })
    await answered.click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('could not be loaded')
    await expect(answered).toHaveAttribute('aria-current', 'page')
    await expectAccessible(page)
    await server.start()
    await page.getByRole('button', { name: 'Load the page again' }).click()
    await expect(page.getByRole('heading', { name: 'Answered', level: 1 })).toBeVisible()
  })
})
