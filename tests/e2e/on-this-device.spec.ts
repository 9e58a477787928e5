import { expectAccessible } from './fixtures/accessibility.ts'
import { textOnDevice } from './fixtures/text-on-device.ts'
import { authScreenOf } from './screens/auth-screen.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { expect, test } from './test.ts'

test('after the server was restored from a backup, everything is hidden until the same user signs in, who is then where they were, and sent again what the backup lacks', async ({
  page,
  browser,
  baseURL,
  server,
  user,
  consoleWatch,
  dashboard,
  navigation,
  authScreen,
  categories,
}) => {
  consoleWatch.announceFailingServer()
  // Neither the access token nor the refresh token is known any more.
  consoleWatch.announce(/^status 401: \/rest\/v1\//, /^status 400: \/auth\/v1\/token/)
  const { rows } = dashboard.card('Family')
  const family = await user.addCategory('Family', { name: 'Anna' })
  const restore = await server.backUp()
  await user.addPrayers(family, { name: 'Ben', note: 'A calm exam week' })
  await dashboard.open()
  await expect.poll(() => textOnDevice(page), 'the rows are stored').toContain('A calm exam week')
  await expect(rows).toHaveText([/Ben/, /Anna/])
  await restore()
  await categories.open()
  await expect(page.getByText('because the server does not know this session')).toBeVisible()
  await expect(page.getByText(/^Prayers are kept on this device, hidden/)).toBeVisible()
  await expect(page.getByText('Anna')).toHaveCount(0)
  await expectAccessible(page)
  expect(await textOnDevice(page)).toContain('A calm exam week')

  const sentAgain = page.waitForResponse(
    (response) => response.status() === 201 && response.url().includes('/rest/v1/prayers'),
  )
  await authScreen.signIn(user.email, user.password)
  await expect(categories.title).toBeVisible()
  await categories.backToDashboard.click()
  await expect(rows).toHaveText([/Ben/, /Anna/])
  await sentAgain
  await expect(navigation.menuButton).not.toHaveAccessibleName(/waiting/)
  await expect(navigation.couldNotBeSaved).toHaveCount(0)
  const phone = await browser.newContext({ baseURL: baseURL ?? '' })
  const elsewhere = await phone.newPage()
  const phoneScreen = authScreenOf(elsewhere)
  await phoneScreen.open()
  await phoneScreen.signIn(user.email, user.password)
  await expect(dashboardScreenOf(elsewhere).card('Family').rows).toHaveText([/Ben/, /Anna/])
  await phone.close()
})
