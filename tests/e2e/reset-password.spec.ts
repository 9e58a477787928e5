import { linkInEmailTo } from './fixtures/outbox.ts'
import { expect, test } from './test.ts'

test(
  'a forgotten password: from the email to "Password Updated" to login with the new password; who is signed in is asked to sign out first',
  { tag: '@apart' },
  async ({ page, server, newUser, authScreen, resetPassword, dashboard, categories, consoleWatch }) => {
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
    await page.goto('/manage-categories')
    await expect(authScreen.heading('Welcome back'), 'the link leaves no session').toBeVisible()
    await expect(page).toHaveURL('/')

    await page.goto(link)
    await expect(resetPassword.error).toContainText('Email link is invalid or has expired')
    await expect(page.getByRole('link', { name: 'Request a new link' })).toBeVisible()
    await authScreen.open()
    await authScreen.signIn(user.email, user.password)
    await expect(authScreen.error).toContainText('Invalid login credentials')
    await authScreen.signIn(user.email, 'a new and quiet hour')
    await expect(categories.title, 'what was asked for before follows').toBeVisible()
    await expect(page).toHaveURL('/manage-categories')

    await page.goto('/reset-password#type=recovery&access_token=invented&refresh_token=invented')
    await expect(dashboard.title).toBeVisible()
    await expect(page.getByText('Sign out and open it again')).toBeVisible()
  },
)
