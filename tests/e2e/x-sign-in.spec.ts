import { readFile } from 'node:fs/promises'
import { RUTH } from '#tests/support/x-provider.ts'
import { leaveClosedDialogs } from './fixtures/closed-dialogs.ts'
import { expect, test } from './test-with-x.ts'

const AVATAR_PATH = '/profile_images/1/ruth_normal.png'
/** The avatar host of X, which the app uses directly if our server doesn't serve it. */
const X_AVATAR_ORIGIN = 'https://pbs.twimg.com'

test.beforeEach(async ({ page, x, consoleWatch, webApp }) => {
  consoleWatch.announce(new RegExp(`^foreign host: ${x.url}/`))
  if (webApp === 'together') return
  consoleWatch.announce(new RegExp(`^foreign host: ${X_AVATAR_ORIGIN}${AVATAR_PATH}$`))
  const body = await readAvatar()
  await page.route(X_AVATAR_ORIGIN + AVATAR_PATH, (route) =>
    route.fulfill({ contentType: 'image/png', body }),
  )
})

test.afterEach(({ x }) => {
  x.behaviour = { user: RUTH }
})

test('signs in with X, with the name and avatar from X, and the badge', async ({
  page,
  x,
  authScreen,
  dashboard,
  navigation,
  webApp,
}) => {
  const content = await readAvatar()
  const origin = webApp === 'apart' ? X_AVATAR_ORIGIN : x.url
  x.behaviour = {
    user: { ...RUTH, profile_image_url: origin + AVATAR_PATH },
    avatar: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(content),
  }
  await authScreen.open()
  const authorization = page.waitForRequest('**/auth/v1/authorize?**')
  await authScreen.signInWithX.click()
  const parameters = new URL((await authorization).url()).searchParams
  expect(parameters.get('provider')).toBe('twitter')
  expect(parameters.get('scopes')).toBe('tweet.read users.read offline.access email')
  expect(parameters.get('redirect_to')).toMatch(/\/auth\/callback$/)
  await expect(dashboard.title).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(navigation.menuButton).toContainText('Ruth Amsel')
  const avatar = navigation.menuButton.locator('img')
  await expect(avatar).toHaveAttribute('src', webApp === 'apart' ? origin + AVATAR_PATH : /^\/pictures\//)
  await expect(avatar, 'the content security policy allows it').not.toHaveJSProperty('naturalWidth', 0)
  await navigation.menuButton.click()
  await expect(navigation.twitterBadge).toBeVisible()
  await expect(page.getByText('ruth@example.org')).toBeVisible()
})

test('shows an error when the user declines at X, and leads back to the login', async ({
  page,
  x,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announce(/^console\.error/)
  x.behaviour = {
    user: RUTH,
    error: { error: 'access_denied', error_description: 'The user denied the request' },
  }
  await authScreen.open()
  await authScreen.signInWithX.click()
  await expect(page.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText('Authentication failed. Please try again.')
  await authScreen.backToLogin.click()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
})

test('shows an error when the server cannot be reached, and stays on the page', async ({
  server,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announceFailingServer()
  await authScreen.open()
  await server.stop()
  await authScreen.signInWithX.click()
  await expect(authScreen.error).toContainText('Failed to sign in with Twitter')
  await expect(authScreen.signInWithX).toBeEnabled()
})

test('explains that the X account needs an email address', async ({ page, x, authScreen, consoleWatch }) => {
  consoleWatch.announce(/^console\.error/)
  x.behaviour = { user: { id: '2', name: 'Nobody', username: 'nobody' } }
  await authScreen.open()
  await authScreen.signInWithX.click()
  await expect(page.getByRole('main')).toContainText(
    'Unable to sign in. Please make sure you have an email address linked to your X/Twitter account and try again.',
  )
})

test('after signing in with X, deletes the account without further proof, and shows a flash message', async ({
  page,
  consoleWatch,
  authScreen,
  dashboard,
  accountData,
}) => {
  consoleWatch.announce(/^status 403/, /^console\.error/)
  await authScreen.open()
  await authScreen.signInWithX.click()
  await expect(dashboard.title).toBeVisible()
  await accountData.open()
  await accountData.deleteButton.click()
  await expect(accountData.deletion.root).toContainText('the account ruth@example.org with nothing in it')
  await expect(accountData.deletion.password).toHaveCount(0)
  await accountData.deletion.confirm.click()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect(page.getByRole('status')).toContainText('Your account has been deleted')
})

test('returning from X to delete the account shows the confirmation dialog again', async ({
  page,
  authScreen,
  dashboard,
  accountData,
}) => {
  await authScreen.open()
  await authScreen.signInWithX.click()
  await expect(dashboard.title).toBeVisible()
  // Stored before the redirect to X.
  await page.evaluate(() => {
    const { user }: { user: { id: string } } = JSON.parse(localStorage.getItem('supabase-auth') ?? '')
    sessionStorage.setItem('intercede-deletion', JSON.stringify(user.id))
  })
  await accountData.open()
  await expect(accountData.deletion.root).toBeVisible()
  await accountData.deletion.cancel.click()
  await leaveClosedDialogs(page)
  await page.reload()
  await expect(accountData.title).toBeVisible()
  await expect(accountData.deletion.root).toBeHidden()
})

function readAvatar(): Promise<Buffer> {
  return readFile(new URL('../../web/public/apple-touch-icon.png', import.meta.url))
}
