import { linkInEmailTo } from './fixtures/outbox.ts'
import { OLDER_KEY } from './fixtures/public-keys.ts'
import { expect, test } from './test.ts'

// Email addresses must be confirmed. In the project `apart`, the other tests use the newer kind of public key.
test.use({ serverSettings: { AUTH_CONFIRM_EMAIL: 'true', ...OLDER_KEY } })

test(
  'a new user signs in only with the link in an email, which can be sent again, and works once',
  { tag: '@apart' },
  async ({ page, server, authScreen, navigation, dashboard, consoleWatch }) => {
    consoleWatch.announce(/^status 400: \/auth\/v1\/token/, /^console\.error/)
    const email = 'careful@example.org'
    const sendAgain = page.getByRole('button', { name: 'Send the email again' })
    const sent = page.getByRole('status').filter({ hasText: `We’ve sent another email to ${email}.` })
    await authScreen.open('signup')
    await authScreen.signUp(email, 'a quiet hour')
    await expect(authScreen.heading('Check Your Email')).toBeVisible()
    await expect(page.getByRole('main')).toContainText(email)
    const first = await linkInEmailTo(email, server.dataDir)

    await authScreen.open()
    await authScreen.signIn(email, 'a quiet hour')
    await expect(authScreen.error).toContainText(/confirm/i)
    await sendAgain.click()
    await expect(sent).toBeVisible()
    await expect(authScreen.error, 'a success is not shown as an error').toHaveCount(0)

    const link = await linkInEmailTo(email, server.dataDir, first)
    await page.goto(link)
    await expect(dashboard.title).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
    await navigation.signOut()
    await expect(authScreen.heading('Welcome back')).toBeVisible()
    await page.goto(link)
    await expect(authScreen.error).toContainText('Email link is invalid or has expired')
    await expect(authScreen.error).toContainText('your address is confirmed: just sign in')
    await sendAgain.click()
    await expect(authScreen.email, 'asks for the address').toBeFocused()
    await authScreen.email.fill(email)
    await sendAgain.click()
    await expect(sent).toBeFocused()
    await expect(authScreen.error).toHaveCount(0)
  },
)
