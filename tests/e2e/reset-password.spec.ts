import { linkInEmailTo } from './fixtures/outbox.ts'
import { expect, test } from './test.ts'

test(
  'a forgotten password: from the email to "Password Updated" to login with the new password',
  { tag: '@every-width' },
  async ({ page, server, newUser, authScreen, resetPassword, dashboard, consoleWatch }) => {
    const user = await newUser()
    await authScreen.open()
    await authScreen.forgotPassword.click()
    await authScreen.email.fill(user.email)
    await authScreen.sendResetLink.click()
    await expect(authScreen.heading('Check Your Email')).toBeVisible()
    await expect(
      page.getByText(
        "We've sent a password reset link to your email address. Please check your inbox and follow the instructions.",
      ),
    ).toBeVisible()
    await expect(authScreen.backToLogin).toBeVisible()

    await page.goto(await linkInEmailTo(user.email, server.dataDir))
    await expect(resetPassword.title).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/reset-password')
    expect(page.url(), 'no token stays in the URL').not.toContain('access_token')
    await resetPassword.set('a new and quiet hour')
    await expect(resetPassword.done).toBeVisible()
    await expect(page.getByRole('main')).toContainText(/password.*updated/i)
    await resetPassword.goToLogin.click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()

    consoleWatch.announce(/^status 400: \/auth\/v1\/token/, /^console\.error/)
    await authScreen.signIn(user.email, user.password)
    await expect(authScreen.error).toContainText('Invalid login credentials')
    await authScreen.signIn(user.email, 'a new and quiet hour')
    await expect(dashboard.title).toBeVisible()
  },
)

test('an address without an account gets the same response as any other', async ({ authScreen }) => {
  await authScreen.open('reset')
  await authScreen.email.fill('stranger@example.org')
  await authScreen.sendResetLink.click()
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  await authScreen.backToLogin.click()
  await expect(authScreen.heading('Welcome back')).toBeVisible()
  await authScreen.forgotPassword.click()
  await expect(authScreen.sendResetLink, 'another email can be requested').toBeVisible()
})

test('a link without a token and one with an invalid token show an error and offer a new link', async ({
  page,
  authScreen,
  resetPassword,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status 403: \/auth\/v1\/user/, /^console\.error/)
  await page.goto('/reset-password#type=recovery')
  await expect(resetPassword.error).toHaveText(
    'No access token found. Please request a new password reset link.',
  )
  await expect(resetPassword.newPassword).toBeHidden()
  await page.goto('/terms')
  await page.goto('/dashboard')
  await expect(authScreen.heading('Welcome back'), 'it leads nowhere').toBeVisible()
  await page.goto('/reset-password#type=recovery')
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(authScreen.sendResetLink).toBeVisible()
  await page.goto('/reset-password#type=recovery&access_token=invented&refresh_token=invented')
  await resetPassword.set('a new and quiet hour')
  await expect(resetPassword.error).toContainText('Failed to authenticate with the provided token')
  await expect(page.getByRole('link', { name: 'Request a new link' })).toBeVisible()
})

test.describe('with a recovery link opened', () => {
  test.beforeEach(async ({ page, server, newUser, authScreen, resetPassword }) => {
    const user = await newUser()
    await authScreen.open('reset')
    await authScreen.email.fill(user.email)
    await authScreen.sendResetLink.click()
    await page.goto(await linkInEmailTo(user.email, server.dataDir))
    await expect(resetPassword.title).toBeVisible()
  })

  test('the two entries must match', async ({ resetPassword }) => {
    await resetPassword.set('a new and quiet hour', 'a new and quite hour')
    await expect(resetPassword.error).toContainText('Passwords do not match')
    await expect(resetPassword.newPassword).toHaveValue('a new and quiet hour')
  })

  test('a password needs six characters', async ({ resetPassword }) => {
    await resetPassword.set('quiet')
    await expect(resetPassword.error).toContainText('Password must be at least 6 characters long')
  })

  test('shows "Updating Password..." until the server responds', async ({ page, server, resetPassword }) => {
    await resetPassword.newPassword.fill('a new and quiet hour')
    await resetPassword.confirmPassword.fill('a new and quiet hour')
    server.pause()
    await resetPassword.updateButton.click()
    await expect(page.getByRole('button', { name: 'Updating Password...' })).toBeVisible()
    server.resume()
    await expect(resetPassword.done).toBeVisible()
  })

  test('the old password is rejected with the message of the server', async ({
    resetPassword,
    consoleWatch,
  }) => {
    consoleWatch.announce(/^status 422: \/auth\/v1\/user/, /^console\.error/)
    await resetPassword.set('a quiet hour')
    await expect(resetPassword.error).toContainText('New password should be different from the old password.')
  })

  test('no other screen opens before the password is set, and the link does not leave a session', async ({
    page,
    resetPassword,
    authScreen,
    dashboard,
  }) => {
    await resetPassword.set('a new and quiet hour')
    await expect(resetPassword.done).toBeVisible()
    await expect(dashboard.title).toBeHidden()
    await resetPassword.goToLogin.click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await page.goto('/dashboard')
    await expect(authScreen.heading('Welcome back')).toBeVisible()
  })

  test('shows an error while the server is down, and keeps what was typed', async ({
    server,
    resetPassword,
    consoleWatch,
  }) => {
    consoleWatch.announceFailingServer()
    await server.stop()
    await resetPassword.set('a new and quiet hour')
    await expect(resetPassword.error).toBeVisible()
    await expect(resetPassword.newPassword).toHaveValue('a new and quiet hour')
    await server.start()
    await resetPassword.updateButton.click()
    await expect(resetPassword.done).toBeVisible()
  })
})

test('a used link shows an error and offers a new one', async ({
  page,
  context,
  server,
  newUser,
  authScreen,
  resetPassword,
}) => {
  const user = await newUser()
  await authScreen.open('reset')
  await authScreen.email.fill(user.email)
  await authScreen.sendResetLink.click()
  const link = await linkInEmailTo(user.email, server.dataDir)
  await page.goto(link)
  await resetPassword.set('a new and quiet hour')
  await expect(resetPassword.done).toBeVisible()
  await resetPassword.goToLogin.click()
  await expect(authScreen.heading('Welcome back')).toBeVisible()

  const secondTab = await context.newPage()
  await secondTab.goto(link)
  await expect(secondTab.getByRole('main')).toContainText('Email link is invalid or has expired')
  await expect(
    secondTab
      .getByRole('link', { name: /new link/i })
      .or(secondTab.getByRole('button', { name: /new link/i })),
  ).toBeVisible()
})

test('a signed-in user who opens a recovery link gets to the dashboard, with an explanation', async ({
  page,
  context,
  server,
  newUser,
  authScreen,
  dashboard,
}) => {
  const user = await newUser()
  await user.addCategories('Family')
  await authScreen.open('reset')
  await authScreen.email.fill(user.email)
  await authScreen.sendResetLink.click()
  const link = await linkInEmailTo(user.email, server.dataDir)
  await user.signInOn(context)
  await page.goto(link)
  await expect(dashboard.title).toBeVisible()
  await expect(page.getByText(/sign out/i).first()).toBeVisible()
})
