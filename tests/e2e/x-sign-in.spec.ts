import { readFile } from 'node:fs/promises'
import { RUTH } from '#tests/support/x-provider.ts'
import { expect, test } from './test-with-x.ts'

const PICTURE = '/profile_images/1/ruth_normal.png'
/** Where the page itself fetches pictures when our server does not stand behind it. */
const PICTURES_OF_X = 'https://pbs.twimg.com'

test.beforeEach(async ({ page, x, consoleWatch, webApp }) => {
  consoleWatch.announce(new RegExp(`^foreign host: ${x.url}/`))
  if (webApp === 'together') return
  consoleWatch.announce(new RegExp(`^foreign host: ${PICTURES_OF_X}${PICTURE}$`))
  const body = await pictureFile()
  await page.route(PICTURES_OF_X + PICTURE, (route) => route.fulfill({ contentType: 'image/png', body }))
})

test.afterEach(({ x }) => {
  x.behaviour = { user: RUTH }
})

test('signs in with X, under the name and the picture that X knows, with the badge', async ({
  page,
  x,
  authScreen,
  dashboard,
  navigation,
  webApp,
}) => {
  const content = await pictureFile()
  const origin = webApp === 'apart' ? PICTURES_OF_X : x.url
  x.behaviour = {
    user: { ...RUTH, profile_image_url: origin + PICTURE },
    avatar: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(content),
  }
  await authScreen.open()
  const authorization = page.waitForRequest('**/auth/v1/authorize?**')
  await authScreen.signInWithX.click()
  const asked = new URL((await authorization).url()).searchParams
  expect(asked.get('provider')).toBe('twitter')
  expect(asked.get('scopes')).toBe('tweet.read users.read offline.access email')
  expect(asked.get('redirect_to')).toMatch(/\/auth\/callback$/)
  await expect(dashboard.title).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(navigation.menuButton).toContainText('Ruth Amsel')
  const picture = navigation.menuButton.locator('img')
  await expect(picture).toHaveAttribute('src', webApp === 'apart' ? origin + PICTURE : /^\/pictures\//)
  await expect(picture, 'it is let through').not.toHaveJSProperty('naturalWidth', 0)
  await navigation.menuButton.click()
  await expect(navigation.twitterBadge).toBeVisible()
  await expect(page.getByText('ruth@example.org')).toBeVisible()
})

test('says that it failed when the person declines at X, and leads back', async ({
  page,
  x,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announce(/^console\.error/)
  x.behaviour = {
    user: RUTH,
    error: { error: 'access_denied', error_description: 'The person said no' },
  }
  await authScreen.open()
  await authScreen.signInWithX.click()
  await expect(page.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText('Authentication failed. Please try again.')
  await authScreen.backToLogin.click()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
})

test('says so when the server can not be reached, and stays on the page', async ({
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

test('asks for an e-mail address where X has none', async ({ page, x, authScreen, consoleWatch }) => {
  consoleWatch.announce(/^console\.error/)
  x.behaviour = { user: { id: '2', name: 'Nobody', username: 'nobody' } }
  await authScreen.open()
  await authScreen.signInWithX.click()
  await expect(page.getByRole('main')).toContainText(
    'Unable to sign in. Please make sure you have an email address linked to your X/Twitter account and try again.',
  )
})

test('deletes the account of who has just come by X after one question, with a last sentence', async ({
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

test('who has come back from X to delete the account finds the question again', async ({
  page,
  authScreen,
  dashboard,
  accountData,
}) => {
  await authScreen.open()
  await authScreen.signInWithX.click()
  await expect(dashboard.title).toBeVisible()
  // As it is left behind when setting out for X.
  await page.evaluate(() => {
    const { user }: { user: { id: string } } = JSON.parse(localStorage.getItem('supabase-auth') ?? '')
    sessionStorage.setItem('intercede-deletion', user.id)
  })
  await accountData.open()
  await expect(accountData.deletion.root).toBeVisible()
  await accountData.deletion.cancel.click()
  await page.reload()
  await expect(accountData.title).toBeVisible()
  await expect(accountData.deletion.root).toBeHidden()
})

function pictureFile(): Promise<Buffer> {
  return readFile(new URL('../../web/public/apple-touch-icon.png', import.meta.url))
}
