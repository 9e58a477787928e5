import type { Locator } from '@playwright/test'
import { expect, test } from './test.ts'

test('login fits into a window of 1280 x 800, with its background, also after a wrong password', async ({
  page,
  newUser,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status 400: \/auth\/v1\/token/, /^console\.error/)
  const { email } = await newUser()
  const overflow = () =>
    page.evaluate('document.documentElement.scrollHeight - document.documentElement.clientHeight')
  await page.clock.setFixedTime(new Date('2025-11-22T12:00:00Z'))
  await authScreen.open()
  await expect(authScreen.signInWithX).toBeVisible()
  await expect(authScreen.email).toBeFocused()
  await expect(page.getByRole('banner')).toContainText('Intercede')
  await expect(page.getByRole('contentinfo')).toContainText('2025')
  await expect(page.locator('.dawn-landscape')).toHaveCSS('background-image', /^url\(.+\)$/)
  expect(await overflow()).toBe(0)

  await authScreen.signIn(email, 'not my password')
  await expect(authScreen.error).toContainText('Invalid login credentials')
  await expect(authScreen.email).toHaveValue(email)
  await expect(authScreen.password).toHaveValue('not my password')
  expect(await overflow()).toBe(0)
})

test('links in texts have an area as high as a finger', { tag: '@small' }, async ({ page, authScreen }) => {
  await authScreen.open()
  const tapBeside = async (link: Locator) => {
    const { x = 0, y = 0, height = 0 } = (await link.boundingBox()) ?? {}
    await page.touchscreen.tap(x + 10, y + height / 2 - 20)
  }
  await tapBeside(authScreen.toSignUp)
  await expect(authScreen.heading('Create account')).toBeVisible()
  await expect(authScreen.email, 'no keyboard covers the screen').not.toBeFocused()
  await tapBeside(authScreen.toLogin)
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await tapBeside(authScreen.forgotPassword)
  await expect(authScreen.heading('Reset your password')).toBeVisible()
})

test(
  'explains that X is not set up when the server has no X credentials',
  { tag: '@apart' },
  async ({ authScreen, consoleWatch }) => {
    // A web app at another origin than the server needs a request to find out.
    consoleWatch.announce(/^status 400: \/auth\/v1\/authorize/, /^console\.error: .*status of 400/)
    await authScreen.open()
    await authScreen.signInWithX.click()
    await expect(authScreen.error).toHaveText(
      'This server has no sign-in with X. Please use your email and password.',
    )
    await expect(authScreen.error).toBeInViewport()
    await expect(authScreen.signInWithX).toBeEnabled()
  },
)

test('sign-up with an address that has an account offers to sign in with it', async ({
  page,
  newUser,
  consoleWatch,
  authScreen,
  dashboard,
}) => {
  consoleWatch.announce(/^status 422: \/auth\/v1\/signup/, /^console\.error/)
  const user = await newUser()
  await authScreen.open('signup')
  await authScreen.signUp(user.email, 'another password')
  await expect(authScreen.error).toContainText('User already registered')
  await page.getByRole('link', { name: 'Sign in with this address' }).click()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await expect(authScreen.email).toHaveValue(user.email)
  await expect(authScreen.password).toBeFocused()
  await page.keyboard.type(user.password)
  await page.keyboard.press('Enter')
  await expect(dashboard.title).toBeVisible()
})

test('while the server cannot be reached, each form shows its own error, and works once it is back', async ({
  server,
  newUser,
  consoleWatch,
  authScreen,
  dashboard,
}) => {
  consoleWatch.announceFailingServer()
  const user = await newUser()
  // Loads the chunk of the form.
  await authScreen.open('reset')
  await authScreen.email.fill(user.email)
  await server.stop()
  await authScreen.sendResetLink.click()
  await expect(authScreen.error).toContainText('Failed to send reset password email')
  await authScreen.backToLogin.click()
  await authScreen.toSignUp.click()
  await authScreen.password.fill('a quiet hour')
  await authScreen.createAccountButton.click()
  await expect(authScreen.error).toContainText('Failed to sign up')
  await authScreen.toLogin.click()
  await authScreen.password.fill(user.password)
  await authScreen.signInButton.click()
  await expect(authScreen.error).toContainText('Failed to sign in')
  await expect(authScreen.email).toHaveValue(user.email)
  await expect(authScreen.password).toHaveValue(user.password)

  await server.start()
  await authScreen.signInButton.click()
  await expect(dashboard.title).toBeVisible()
})
