import { expect, test } from './test.ts'

test.describe('what the browser asks for', () => {
  test('from idle to the signed-in dashboard, nothing that is not needed', async ({
    page,
    newPerson,
    authScreen,
    dashboard,
  }) => {
    const person = await newPerson()
    await person.hasCategory('Family', { name: 'Anna' })
    const asked: string[] = []
    page.on('request', (request) => {
      asked.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })

    await authScreen.open()
    await authScreen.signIn(person.email, person.password)
    await expect(dashboard.card('Family').row('Anna').root).toBeVisible()

    const api = asked.filter((request) => /\/(?:auth|rest)\/v1\//.test(request))
    expect(api.toSorted()).toEqual(['GET /rest/v1/categories', 'GET /rest/v1/prayers', 'POST /auth/v1/token'])
    const files = asked.filter((request) => !api.includes(request))
    expect(files.filter((request) => !/^GET \/(?:$|assets\/|favicon)/.test(request))).toEqual([])
    // Browsers look for the icon whenever they like.
    const again = asked.filter(
      (request, index) => asked.indexOf(request) !== index && !request.includes('favicon'),
    )
    expect(again, 'asked for twice').toEqual([])
  })

  test('moving between the two screens asks for no list again', async ({
    page,
    person,
    dashboard,
    categories,
  }) => {
    await person.hasCategory('Family', { name: 'Anna' })
    await dashboard.open()
    await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))

    await dashboard.manageCategories.click()
    await expect(categories.row('Family').root).toBeVisible()
    await categories.backToDashboard.click()
    await expect(dashboard.card('Family').row('Anna').root).toBeVisible()

    expect(asked.filter((path) => path.startsWith('/rest/'))).toEqual([])
  })
  test('a look at the Terms asks for no list again, and loses nothing that was typed', async ({
    page,
    person,
    dashboard,
  }) => {
    await person.hasCategory('Family', { name: 'Anna' })
    await dashboard.open()
    const card = dashboard.card('Family')
    await card.addPrayer.click()
    await dashboard.prayerDialog.name.fill('Ben')
    await page.keyboard.press('Escape')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))

    await page.getByRole('link', { name: 'Terms' }).click()
    await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible()
    await page.goBack()
    await expect(card.row('Anna').root).toBeVisible()
    await card.addPrayer.click()
    await dashboard.prayerDialog.bringBack.click()
    await expect(dashboard.prayerDialog.name).toHaveValue('Ben')

    expect(asked.filter((path) => path.startsWith('/rest/'))).toEqual([])
  })

  test('the dialogs of the dashboard are there before they are asked for', async ({
    page,
    person,
    dashboard,
    consoleWatch,
  }) => {
    consoleWatch.announceFailingServer()
    await person.hasCategory('Family')
    const dialogs = page.waitForResponse(/\/assets\/dashboard-dialogs-/)
    await dashboard.open()
    await dialogs
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await dashboard.card('Family').addPrayer.click()
    await expect(dashboard.prayerDialog.name).toBeFocused()
  })

  test('a dialog that did not arrive says so, and trying again loads the page again', async ({
    page,
    server,
    person,
    dashboard,
    consoleWatch,
  }) => {
    consoleWatch.announceFailingServer()
    await person.hasCategory('Family')
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
})
