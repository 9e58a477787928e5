import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

test.describe('login', () => {
  test('greets with "Welcome back" and the product it logs in to', async ({ page, authScreen }) => {
    await authScreen.open()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await expect(page.getByText('Login to your Intercede account')).toBeVisible()
    await expect(page.getByText("Don't have an account? Sign up")).toBeVisible()
    await expect(page.getByText('Or continue with')).toBeVisible()
    await expect(authScreen.signInWithX).toBeVisible()
    await expect(page.getByRole('banner')).toContainText('Intercede')
    await expect(page.getByRole('contentinfo')).toContainText(String(new Date().getFullYear()))
  })

  test('stands before a picture', async ({ page, authScreen }) => {
    await authScreen.open()
    await expect(page.locator('.dawn-landscape')).toHaveCSS('background-image', /^url\(.+\)$/)
  })

  test('says that X is not set up where the server has no access to it', async ({
    authScreen,
    consoleWatch,
  }) => {
    // An app that did not come from the server has to ask it.
    consoleWatch.announce(/^status 400: \/auth\/v1\/authorize/, /^console\.error: .*status of 400/)
    await authScreen.open()
    await authScreen.signInWithX.click()
    await expect(authScreen.error).toContainText('Signing in with X is not set up here')
    await expect(authScreen.signInWithX).toBeEnabled()
  })

  test('asks for an e-mail address and a password that password managers know', async ({ authScreen }) => {
    await authScreen.open()
    await expect(authScreen.email).toHaveAttribute('type', 'email')
    await expect(authScreen.email).toHaveAttribute('autocomplete', /email|username/)
    await expect(authScreen.password).toHaveAttribute('autocomplete', 'current-password')
    await expect(authScreen.email).toHaveJSProperty('required', true)
    await expect(authScreen.password).toHaveJSProperty('required', true)
  })

  test('sends nothing while a field is empty', async ({ page, authScreen }) => {
    const asked = tokenRequests(page)
    await authScreen.open()
    await authScreen.signInButton.click()
    await expect(authScreen.email).toBeFocused()
    await authScreen.email.fill('anna@example.org')
    await authScreen.signInButton.click()
    await expect(authScreen.password).toBeFocused()
    expect(asked).toEqual([])
  })

  test('submits on Enter in the password field and opens the dashboard', async ({
    page,
    newPerson,
    authScreen,
    dashboard,
  }) => {
    const person = await newPerson()
    await authScreen.open()
    await authScreen.fill(person.email, person.password)
    await authScreen.password.press('Enter')
    await expect(dashboard.title).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  test('says that a wrong password is wrong, and keeps what was typed', async ({
    newPerson,
    consoleWatch,
    authScreen,
  }) => {
    consoleWatch.announce(/status 400: \/auth\/v1\/token/, /status of 400/, /console\.error/)
    const person = await newPerson()
    await authScreen.open()
    await authScreen.signIn(person.email, 'not my password')
    await expect(authScreen.error).toContainText('Invalid login credentials')
    await expect(authScreen.email).toHaveValue(person.email)
    await expect(authScreen.password).toHaveValue('not my password')
  })

  test('is busy while the server thinks, and a second press sends nothing more', async ({
    page,
    server,
    newPerson,
    authScreen,
    dashboard,
  }) => {
    const person = await newPerson()
    const asked = tokenRequests(page)
    await authScreen.open()
    await authScreen.fill(person.email, person.password)
    server.pause()
    await authScreen.signInButton.dblclick()
    await expect(page.getByRole('button', { name: 'Signing in...' })).toBeVisible()
    await expect(authScreen.signInWithX).toBeDisabled()
    await authScreen.password.press('Enter')
    server.goOn()
    await expect(dashboard.title).toBeVisible()
    expect(asked).toHaveLength(1)
  })

  test('shows the password while asked to', async ({ page, authScreen }) => {
    await authScreen.open()
    await authScreen.password.fill('a quiet hour')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(authScreen.password).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect(authScreen.password).toHaveAttribute('type', 'password')
  })

  test('leads to sign-up and to the reset form, and back', async ({ page, authScreen }) => {
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

  test('makes the account and opens the dashboard', async ({ page, authScreen, dashboard }, { project }) => {
    await authScreen.open('signup')
    await authScreen.signUp(`newcomer-${project.name}@example.org`, 'a quiet hour')
    await expect(dashboard.title).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  test('is busy while the server thinks, and a second press sends nothing more', async ({
    page,
    server,
    authScreen,
    dashboard,
  }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/auth/v1/signup')) asked.push(request.url())
    })
    await authScreen.open('signup')
    await authScreen.fill('patient@example.org', 'a quiet hour')
    server.pause()
    await authScreen.createAccountButton.dblclick()
    await expect(page.getByRole('button', { name: 'Signing up...' })).toBeVisible()
    server.goOn()
    await expect(dashboard.title).toBeVisible()
    expect(asked).toHaveLength(1)
  })

  test('says when an address has an account already', async ({ newPerson, consoleWatch, authScreen }) => {
    consoleWatch.announce(/status 422: \/auth\/v1\/signup/, /status of 422/, /console\.error/)
    const person = await newPerson()
    await authScreen.open('signup')
    await authScreen.signUp(person.email, 'another password')
    await expect(authScreen.error).toContainText('User already registered')
    await expect(authScreen.email).toHaveValue(person.email)
  })

  test('refuses a password of five characters before anything is sent', async ({ page, authScreen }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/auth/v1/')) asked.push(request.url())
    })
    await authScreen.open('signup')
    await authScreen.signUp('short@example.org', 'quiet')
    await expect(authScreen.password).toBeFocused()
    await expect(page.getByRole('alert')).toContainText('at least 6 characters')
    expect(asked).toEqual([])
  })
})

test.describe('when the server can not be reached', () => {
  test('login says so, keeps what was typed, and works as soon as the server is back', async ({
    server,
    newPerson,
    consoleWatch,
    authScreen,
    dashboard,
  }) => {
    consoleWatch.announceFailingServer()
    const person = await newPerson()
    await authScreen.open()
    await server.stop()
    await authScreen.signIn(person.email, person.password)
    await expect(authScreen.error).toContainText('Failed to sign in')
    await expect(authScreen.email).toHaveValue(person.email)
    await expect(authScreen.password).toHaveValue(person.password)
    await server.start()
    await authScreen.signInButton.click()
    await expect(dashboard.title).toBeVisible()
  })

  test('sign-up and the reset form say so, each in its own words', async ({
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

  test('a link that would have signed in says that it could not', async ({
    page,
    server,
    consoleWatch,
    authScreen,
  }) => {
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
  test('says "Sending..." while the server thinks', async ({ page, server, authScreen }) => {
    await authScreen.open('reset')
    await authScreen.email.fill('stranger@example.org')
    server.pause()
    await authScreen.sendResetLink.click()
    await expect(page.getByRole('button', { name: 'Sending...' })).toBeVisible()
    server.goOn()
    await expect(authScreen.heading('Check Your Email')).toBeVisible()
  })

  test('opens with mode=reset and says what will happen', async ({ page, authScreen }) => {
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
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/token')) asked.push(request.url())
  })
  return asked
}
