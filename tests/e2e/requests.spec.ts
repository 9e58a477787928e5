import { expect, test } from './test.ts'

test('from the sign-in screen to the dashboard, the browser requests only what is needed; other screens fetch no list again', async ({
  page,
  newUser,
  authScreen,
  dashboard,
  categories,
}) => {
  const user = await newUser()
  await user.addCategory('Family', { name: 'Anna' })
  const requests: string[] = []
  page.on('request', (request) => {
    requests.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  const card = dashboard.card('Family')
  await authScreen.open()
  await authScreen.signIn(user.email, user.password)
  await expect(card.row('Anna').root).toBeVisible()

  const api = () => requests.filter((request) => /\/(?:auth|rest)\/v1\//.test(request))
  const rows = ['GET /rest/v1/categories', 'GET /rest/v1/prayers', 'GET /rest/v1/prayer_updates']
  // The first rows are shown before it is known up to where they were received.
  await expect
    .poll(() => api().toSorted())
    .toEqual(['POST /auth/v1/token', 'GET /rest/v1/sync_state', ...rows, ...rows].toSorted())
  const files = requests.filter((request) => !api().includes(request))
  expect(files.filter((request) => !/^GET \/(?:$|assets\/|favicon)/.test(request))).toEqual([])
  // Browsers may request the icon at any time.
  const repeated = files.filter(
    (request, index) => files.indexOf(request) !== index && !request.includes('favicon'),
  )
  expect(repeated, 'requested twice').toEqual([])

  requests.length = 0
  await dashboard.manageCategories.click()
  await expect(categories.row('Family').root).toBeVisible()
  await categories.backToDashboard.click()
  await card.addPrayer.click()
  await dashboard.prayerDialog.name.fill('Ben')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Terms' }).click()
  await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(card.row('Anna').root).toBeVisible()
  await card.addPrayer.click()
  await dashboard.prayerDialog.bringBack.click()
  await expect(dashboard.prayerDialog.name).toHaveValue('Ben')
  expect(requests.filter((request) => request.includes('/rest/'))).toEqual([])
})

/** The browser counts as idle all the time. */
const ALWAYS_IDLE = 'window.requestIdleCallback = (run) => setTimeout(run)'

test('before anything is typed, the sign-in screen loads the dashboard without its dialogs and leaves a connection, then what asks for a prayer key', async ({
  page,
  authScreen,
}) => {
  await page.addInitScript({ content: ALWAYS_IDLE })
  const files: string[] = []
  page.on('request', (request) => files.push(new URL(request.url()).pathname))
  let sendDashboard = () => {}
  const dashboardMayArrive = new Promise<void>((resolve) => (sendDashboard = resolve))
  await page.route(/\/dashboard-[^/]+\.js$/, async (route) => {
    await dashboardMayArrive
    await route.continue()
  })
  await authScreen.open()
  await expect.poll(() => files.filter((file) => /(?:dashboard|sign-in)-.*\.js$/.test(file))).toHaveLength(2)
  // Browsers have six connections to a server without HTTP/2, one of which the sign-in needs.
  const later = files.filter(
    (file) => file.startsWith('/assets/') && !/\/(?:index|first-paint|auth-client|lora)-/.test(file),
  )
  expect(later.length).toBeLessThanOrEqual(5)
  expect(later.filter((file) => /dialogs|encryption/.test(file))).toEqual([])
  sendDashboard()
  await expect.poll(() => files.filter((file) => /encryption-.*\.js$/.test(file))).toHaveLength(1)
})

test('what is needed later, such as the dialogs, is loaded after the prayers, and before it is opened', async ({
  page,
  user,
  dashboard,
}) => {
  await user.addCategory('Family', { name: 'Anna' })
  await page.addInitScript({ content: ALWAYS_IDLE })
  const files: string[] = []
  page.on('request', (request) => files.push(new URL(request.url()).pathname))
  const later = () => files.filter((file) => /(?:dialogs|answered-screen|search-screen)-.*\.js$/.test(file))
  let respond = () => {}
  const responding = new Promise<void>((resolve) => (respond = resolve))
  await page.route('**/rest/v1/prayers?*', async (route) => {
    await responding
    await route.continue()
  })
  const requested = page.waitForRequest('**/rest/v1/prayers?*')
  await dashboard.open()
  await requested
  // Time for what would not wait for the rows.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 20; frame += 1) await new Promise(requestAnimationFrame)
  })
  expect(later()).toEqual([])
  const dialogs = page.waitForResponse(/\/assets\/dialogs-.*\.js$/)
  respond()
  await expect(dashboard.card('Family').row('Anna').root).toBeVisible()
  await dialogs
  await expect.poll(() => new Set(later()).size).toBe(3)
})
