import type { Locator, Page } from '@playwright/test'
import { AuthScreen } from './screens/auth-screen.ts'
import { expect, test } from './test.ts'

test('mentions at sign-up that a password is one of the most common, and accepts it', async ({
  page,
  authScreen,
  dashboard,
}) => {
  await authScreen.open('signup')
  await expect(authScreen.password).toHaveAccessibleDescription('At least 6 characters')
  await authScreen.fill('common@example.org', 'password1')
  await expect(authScreen.password).toHaveAccessibleDescription(/^This is one of the most common passwords/)
  await authScreen.fill('common@example.org', 'password1 of mine')
  await expect(authScreen.password).toHaveAccessibleDescription('At least 6 characters')
  await authScreen.signUp('common@example.org', 'password1')
  await expect(dashboard.title).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})

test.describe('the email field', () => {
  for (const mode of ['login', 'signup', 'reset'] as const) {
    test(`has the focus at ${mode} with a mouse, but not on a touch screen`, async ({
      browser,
      authScreen,
      baseURL,
    }) => {
      await authScreen.open(mode)
      await expect(authScreen.email).toBeFocused()
      const phone = await browser.newContext({ baseURL: baseURL ?? '', hasTouch: true, isMobile: true })
      const there = new AuthScreen(await phone.newPage())
      await there.open(mode)
      await expect(there.email).toBeVisible()
      await expect(there.email).not.toBeFocused()
      await phone.close()
    })
  }
})

test('login fits into a window of 1280 x 800, also with an error', async ({
  page,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announce(/400/)
  await page.setViewportSize({ width: 1280, height: 800 })
  await authScreen.open()
  await expect(authScreen.signInWithX).toBeVisible()
  const overflow = 'document.documentElement.scrollHeight - document.documentElement.clientHeight'
  expect(await page.evaluate(overflow)).toBe(0)
  await authScreen.signIn('nobody@example.org', 'not my password')
  await expect(authScreen.error).toBeVisible()
  expect(await page.evaluate(overflow)).toBe(0)
})

test('links in texts have an area as high as a finger', { tag: '@small' }, async ({ page, authScreen }) => {
  await authScreen.open()
  const tapBeside = async (link: Locator) => {
    const { x = 0, y = 0, height = 0 } = (await link.boundingBox()) ?? {}
    await page.touchscreen.tap(x + 10, y + height / 2 - 20)
  }
  await tapBeside(authScreen.toSignUp)
  await expect(authScreen.heading('Create account')).toBeVisible()
  await tapBeside(authScreen.toLogin)
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await tapBeside(authScreen.forgotPassword)
  await expect(authScreen.heading('Reset your password')).toBeVisible()
})

test.describe('login', () => {
  test('shows "Welcome back" and the name of the product', async ({ page, authScreen }) => {
    await authScreen.open()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await expect(page.getByText('Login to your Intercede account')).toBeVisible()
    await expect(page.getByText("Don't have an account? Sign up")).toBeVisible()
    await expect(page.getByText('Or continue with')).toBeVisible()
    await expect(authScreen.signInWithX).toBeVisible()
    await expect(page.getByRole('banner')).toContainText('Intercede')
    await expect(page.getByRole('contentinfo')).toContainText(String(new Date().getFullYear()))
  })

  test('has a background picture', async ({ page, authScreen }) => {
    await authScreen.open()
    await expect(page.locator('.dawn-landscape')).toHaveCSS('background-image', /^url\(.+\)$/)
  })

  test('explains that X is not set up when the server has no X credentials', async ({
    authScreen,
    consoleWatch,
  }) => {
    // A web app at another origin than the server needs a request to find out.
    consoleWatch.announce(/^status 400: \/auth\/v1\/authorize/, /^console\.error: .*status of 400/)
    await authScreen.open()
    await authScreen.signInWithX.click()
    await expect(authScreen.error).toHaveText(
      'This server has no sign-in with X. Please use your email and password.',
    )
    await expect(authScreen.error).toBeInViewport()
    await expect(authScreen.signInWithX).toBeEnabled()
  })

  test('has an email field and a password field that password managers recognise', async ({ authScreen }) => {
    await authScreen.open()
    await expect(authScreen.email).toHaveAttribute('type', 'email')
    await expect(authScreen.email).toHaveAttribute('autocomplete', /email|username/)
    await expect(authScreen.password).toHaveAttribute('autocomplete', 'current-password')
    await expect(authScreen.email).toHaveJSProperty('required', true)
    await expect(authScreen.password).toHaveJSProperty('required', true)
  })

  test('sends nothing while a field is empty', async ({ page, authScreen }) => {
    const requests = tokenRequests(page)
    await authScreen.open()
    await authScreen.signInButton.click()
    await expect(authScreen.email).toBeFocused()
    await authScreen.email.fill('anna@example.org')
    await authScreen.signInButton.click()
    await expect(authScreen.password).toBeFocused()
    expect(requests).toEqual([])
  })

  test('submits on Enter in the password field and opens the dashboard', async ({
    page,
    newUser,
    authScreen,
    dashboard,
  }) => {
    const user = await newUser()
    await authScreen.open()
    await authScreen.fill(user.email, user.password)
    await authScreen.password.press('Enter')
    await expect(dashboard.title).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  test('shows an error for a wrong password, and keeps what was typed', async ({
    newUser,
    consoleWatch,
    authScreen,
  }) => {
    consoleWatch.announce(/status 400: \/auth\/v1\/token/, /status of 400/, /console\.error/)
    const user = await newUser()
    await authScreen.open()
    await authScreen.signIn(user.email, 'not my password')
    await expect(authScreen.error).toContainText('Invalid login credentials')
    await expect(authScreen.email).toHaveValue(user.email)
    await expect(authScreen.password).toHaveValue('not my password')
  })

  test('is busy until the server responds, and a second click sends no further request', async ({
    page,
    server,
    newUser,
    authScreen,
    dashboard,
  }) => {
    const user = await newUser()
    const requests = tokenRequests(page)
    await authScreen.open()
    await authScreen.fill(user.email, user.password)
    server.pause()
    await authScreen.signInButton.dblclick()
    await expect(page.getByRole('button', { name: 'Signing in...' })).toBeVisible()
    await expect(authScreen.signInWithX).toBeDisabled()
    await authScreen.password.press('Enter')
    server.resume()
    await expect(dashboard.title).toBeVisible()
    expect(requests).toHaveLength(1)
  })

  test('shows and hides the password', async ({ page, authScreen }) => {
    await authScreen.open()
    await authScreen.password.fill('a quiet hour')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(authScreen.password).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect(authScreen.password).toHaveAttribute('type', 'password')
  })

  test('links to sign-up and to the reset form, and back', async ({ page, authScreen }) => {
    await authScreen.open()
    await authScreen.toSignUp.click()
    await expect(authScreen.heading('Create account')).toBeVisible()
    await expect(authScreen.forgotPassword).toBeHidden()
    await authScreen.toLogin.click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await authScreen.forgotPassword.click()
    await expect(authScreen.sendResetLink).toBeVisible()
    await authScreen.backToLogin.click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test.describe('sign-up', () => {
  test('opens with mode=signup', async ({ page, authScreen }) => {
    await authScreen.open('signup')
    await expect(authScreen.heading('Create account')).toBeVisible()
    await expect(page.getByText('Sign up for a new Intercede account')).toBeVisible()
    await expect(page.getByText('Already have an account?')).toBeVisible()
    await expect(authScreen.password).toHaveAttribute('autocomplete', 'new-password')
  })

  test('creates the account and opens the dashboard', async ({ page, authScreen, dashboard }, {
    project,
  }) => {
    await authScreen.open('signup')
    await authScreen.signUp(`newcomer-${project.name}@example.org`, 'a quiet hour')
    await expect(dashboard.title).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  test('is busy until the server responds, and a second click sends no further request', async ({
    page,
    server,
    authScreen,
    dashboard,
  }) => {
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/auth/v1/signup')) requests.push(request.url())
    })
    await authScreen.open('signup')
    await authScreen.fill('patient@example.org', 'a quiet hour')
    server.pause()
    await authScreen.createAccountButton.dblclick()
    await expect(page.getByRole('button', { name: 'Signing up...' })).toBeVisible()
    server.resume()
    await expect(dashboard.title).toBeVisible()
    expect(requests).toHaveLength(1)
  })

  test('shows an error when the address already has an account, and offers to sign in', async ({
    page,
    newUser,
    consoleWatch,
    authScreen,
  }) => {
    consoleWatch.announce(/status 422: \/auth\/v1\/signup/, /status of 422/, /console\.error/)
    const user = await newUser()
    await authScreen.open('signup')
    await authScreen.signUp(user.email, 'another password')
    await expect(authScreen.error).toContainText('User already registered')
    await expect(authScreen.email).toHaveValue(user.email)
    await page.getByRole('link', { name: 'Sign in with this address' }).click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await expect(authScreen.email).toHaveValue(user.email)
    await expect(authScreen.password).toBeFocused()
  })

  test('rejects a password of five characters without a request', async ({ page, authScreen }) => {
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/auth/v1/')) requests.push(request.url())
    })
    await authScreen.open('signup')
    await authScreen.signUp('short@example.org', 'quiet')
    await expect(authScreen.password).toBeFocused()
    await expect(page.getByRole('alert')).toContainText('at least 6 characters')
    expect(requests).toEqual([])
  })
})

test.describe('when the server cannot be reached', () => {
  test('login shows an error, keeps what was typed, and works once the server is back', async ({
    server,
    newUser,
    consoleWatch,
    authScreen,
    dashboard,
  }) => {
    consoleWatch.announceFailingServer()
    const user = await newUser()
    await authScreen.open()
    await server.stop()
    await authScreen.signIn(user.email, user.password)
    await expect(authScreen.error).toContainText('Failed to sign in')
    await expect(authScreen.email).toHaveValue(user.email)
    await expect(authScreen.password).toHaveValue(user.password)
    await server.start()
    await authScreen.signInButton.click()
    await expect(dashboard.title).toBeVisible()
  })

  test('sign-up and the reset form each show their own error', async ({
    server,
    consoleWatch,
    authScreen,
  }) => {
    consoleWatch.announceFailingServer()
    await authScreen.open('reset')
    await authScreen.email.fill('ruth@example.org')
    await authScreen.backToLogin.click()
    await authScreen.toSignUp.click()
    await authScreen.password.fill('a quiet hour')
    await server.stop()
    await authScreen.createAccountButton.click()
    await expect(authScreen.error).toContainText('Failed to sign up')
    await expect(authScreen.email).toHaveValue('ruth@example.org')
    await authScreen.toLogin.click()
    await authScreen.forgotPassword.click()
    await authScreen.sendResetLink.click()
    await expect(authScreen.error).toContainText('Failed to send reset password email')
    await expect(authScreen.email).toHaveValue('ruth@example.org')
  })

  test('a sign-in link shows an error', async ({ page, server, consoleWatch, authScreen }) => {
    consoleWatch.announceFailingServer()
    await page.route('**/auth/v1/user', async (route) => {
      await server.stop()
      await route.continue()
    })
    await page.goto('/#access_token=a.b.c&refresh_token=r&expires_in=3600&token_type=bearer&type=signup')
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await expect(authScreen.error).toContainText('Failed to initialize auth')
  })
})

test.describe('the reset form', () => {
  test('shows "Sending..." until the server responds', async ({ page, server, authScreen }) => {
    await authScreen.open('reset')
    await authScreen.email.fill('stranger@example.org')
    server.pause()
    await authScreen.sendResetLink.click()
    await expect(page.getByRole('button', { name: 'Sending...' })).toBeVisible()
    server.resume()
    await expect(authScreen.heading('Check Your Email')).toBeVisible()
  })

  test('opens with mode=reset and explains what will happen', async ({ page, authScreen }) => {
    await authScreen.open('reset')
    await expect(
      page.getByText("Enter your email address and we'll send you a link to reset your password"),
    ).toBeVisible()
    await expect(authScreen.email).toBeVisible()
    await expect(authScreen.password).toBeHidden()
    await expect(authScreen.sendResetLink).toBeVisible()
    await authScreen.backToLogin.click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
  })
})

function tokenRequests(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/token')) requests.push(request.url())
  })
  return requests
}
