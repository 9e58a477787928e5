import { linkInEmailTo } from './fixtures/outbox.ts'
import { OLDER_KEY } from './fixtures/public-keys.ts'
import { expect, test } from './test.ts'

// Email addresses must be confirmed. In the project `apart`, the other tests use the newer kind of public key.
test.use({ serverSettings: { AUTH_CONFIRM_EMAIL: 'true', ...OLDER_KEY } })

test('a new user is asked to check their email, and the link in it signs in', async ({
  page,
  server,
  authScreen,
  dashboard,
}) => {
  await authScreen.open('signup')
  await authScreen.signUp('careful@example.org', 'a quiet hour')
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('careful@example.org')
  await page.goto(await linkInEmailTo('careful@example.org', server.dataDir))
  await expect(dashboard.title).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})

test('signing in before confirming shows an error and offers to send the email again', async ({
  page,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status (?:400|429)/, /^console\.error/)
  await authScreen.open('signup')
  await authScreen.signUp('hasty@example.org', 'a quiet hour')
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  await authScreen.open()
  await authScreen.signIn('hasty@example.org', 'a quiet hour')
  await expect(authScreen.error).toContainText(/confirm/i)
  await page.getByRole('button', { name: 'Send the email again' }).click()
  await expect(page.getByRole('status')).toContainText('We’ve sent another email to hasty@example.org.')
  await expect(authScreen.error, 'a success is not shown as an error').toHaveCount(0)
})

test('a used link says what to do next, and sends another email', async ({
  page,
  server,
  authScreen,
  navigation,
  dashboard,
}) => {
  await authScreen.open('signup')
  await authScreen.signUp('twice@example.org', 'a quiet hour')
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  const link = await linkInEmailTo('twice@example.org', server.dataDir)
  await page.goto(link)
  await expect(dashboard.title).toBeVisible()
  await navigation.signOut()
  await page.goto(link)
  await expect(authScreen.error).toContainText('Email link is invalid or has expired')
  await expect(authScreen.error).toContainText('your address is confirmed: just sign in')
  const sendAgain = page.getByRole('button', { name: 'Send the email again' })
  await sendAgain.click()
  await expect(authScreen.email, 'asks for the address').toBeFocused()
  await authScreen.email.fill('twice@example.org')
  await sendAgain.click()
  await expect(page.getByRole('status')).toContainText('We’ve sent another email to twice@example.org.')
  await expect(page.getByRole('status')).toBeFocused()
  await expect(authScreen.error).toHaveCount(0)
})
