import { linkInMailTo } from './fixtures/outbox.ts'
import { OLDER_KEY } from './fixtures/public-keys.ts'
import { expect, test } from './test.ts'

// Addresses are to be confirmed. The other tests with the app apart have the newer kind of key.
test.use({ serverSettings: { AUTH_CONFIRM_EMAIL: 'true', ...OLDER_KEY } })

test('a new person is told to look for the mail, and its link signs them in', async ({
  page,
  server,
  authScreen,
  dashboard,
}) => {
  await authScreen.open('signup')
  await authScreen.signUp('careful@example.org', 'a quiet hour')
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('careful@example.org')
  await page.goto(await linkInMailTo('careful@example.org', server.dataDir))
  await expect(dashboard.title).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})

test('signing in before that says so and offers the mail again', async ({
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
  await expect(page.getByRole('button', { name: /again|resend/i })).toBeVisible()
})
