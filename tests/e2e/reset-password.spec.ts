import { linkInEmailTo } from './fixtures/outbox.ts'
import { expect, test } from './test.ts'

test(
  'a forgotten password: from the email to "Password Updated" to login with the new password; who is signed in is asked to sign out first',
  { tag: '@apart' },
  async ({ page, server, newUser, authScreen, resetPassword, dashboard, consoleWatch }) => {
    consoleWatch.announce(/^status (?:422: \/auth\/v1\/user|400: \/auth\/v1\/token)/, /^console\.error/)
    const user = await newUser()
    await authScreen.open()
    await authScreen.forgotPassword.click()
    await authScreen.email.fill(user.email)
    await authScreen.sendResetLink.click()
    await expect(authScreen.heading('Check Your Email')).toBeVisible()
    const link = await linkInEmailTo(user.email, server.dataDir)
    await page.goto(link)
    await expect(resetPassword.title).toBeVisible()
    await expect(page).toHaveURL('/reset-password')
    await resetPassword.set(user.password)
    await expect(resetPassword.error).toContainText('New password should be different from the old password.')
    await resetPassword.set('a new and quiet hour')
    await expect(resetPassword.done).toBeVisible()
    await resetPassword.goToLogin.click()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await page.goto('/dashboard')
    await expect(authScreen.heading('Welcome back'), 'the link leaves no session').toBeVisible()

    await page.goto(link)
    await expect(resetPassword.error).toContainText('Email link is invalid or has expired')
    await expect(page.getByRole('link', { name: 'Request a new link' })).toBeVisible()
    await authScreen.open()
    await authScreen.signIn(user.email, user.password)
    await expect(authScreen.error).toContainText('Invalid login credentials')
    await authScreen.signIn(user.email, 'a new and quiet hour')
    await expect(dashboard.title).toBeVisible()

    await page.goto('/reset-password#type=recovery&access_token=invented&refresh_token=invented')
    await expect(dashboard.title).toBeVisible()
    await expect(page.getByText('Sign out and open it again')).toBeVisible()
  },
)

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
