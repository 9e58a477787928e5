import { linkIn } from '#tests/support/mailbox.ts'
import { startSmtpServer, type TestSmtpServer } from '#tests/support/smtp-server.ts'
import type { ServerSettings } from './fixtures/server-process.ts'
import { expect, test as base } from './test.ts'

interface WorkerFixtures {
  mailServer: TestSmtpServer
  serverSettings: ServerSettings
}

/** With a mail server, new addresses are to be confirmed. */
const test = base.extend<object, WorkerFixtures>({
  mailServer: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads there what a fixture needs: here, nothing.
    async ({}, use) => {
      const mailServer = await startSmtpServer()
      await use(mailServer)
      await mailServer.close()
    },
    { scope: 'worker' },
  ],
  serverSettings: [
    async ({ mailServer }, use) => use({ SMTP_URL: mailServer.url, MAIL_FROM: 'calm@example.org' }),
    { scope: 'worker' },
  ],
})

test('mails arrive: a new address is confirmed by one, a forgotten password replaced by another', async ({
  page,
  mailServer,
  authScreen,
  navigation,
  dashboard,
  resetPassword,
}) => {
  const email = 'ruth@example.org'
  await authScreen.open('signup')
  await authScreen.signUp(email, 'a quiet hour')
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  await page.goto(newestLink(mailServer, email))
  await expect(dashboard.title).toBeVisible()
  await navigation.signOut()

  await authScreen.forgotPassword.click()
  await authScreen.email.fill(email)
  await authScreen.sendResetLink.click()
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  await page.goto(newestLink(mailServer, email))
  await resetPassword.set('a new and quiet hour')
  await expect(resetPassword.done).toBeVisible()
  await resetPassword.goToLogin.click()
  await authScreen.signIn(email, 'a new and quiet hour')
  await expect(dashboard.title).toBeVisible()
})

test('a mail server that is away is told, and the same press works once it is back', async ({
  mailServer,
  page,
  authScreen,
  dashboard,
  navigation,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status 500: \/auth\/v1\/(?:signup|recover)/, /^console\.error: Failed to /)
  const email = 'naomi@example.org'
  await mailServer.close()
  await authScreen.open('signup')
  await authScreen.signUp(email, 'a quiet hour')
  await expect(authScreen.error).toContainText('Failed to sign up')
  await mailServer.reopen()
  await authScreen.createAccountButton.click()
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  await page.goto(newestLink(mailServer, email))
  await expect(dashboard.title).toBeVisible()
  await navigation.signOut()

  await mailServer.close()
  await authScreen.forgotPassword.click()
  await authScreen.email.fill(email)
  await authScreen.sendResetLink.click()
  await expect(authScreen.error).toContainText('Failed to send reset password email')
  await expect(authScreen.email).toHaveValue(email)
  await mailServer.reopen()
  const before = mailServer.emails.length
  await authScreen.sendResetLink.click()
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  expect(mailServer.emails).toHaveLength(before + 1)
})

test('an address without account is told the same while the mail server is away', async ({
  mailServer,
  authScreen,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status 500: \/auth\/v1\/recover/, /^console\.error: Failed to /)
  await authScreen.open('reset')
  await mailServer.close()
  await authScreen.email.fill('stranger@example.org')
  await authScreen.sendResetLink.click()
  await expect(authScreen.error).toContainText('Failed to send reset password email')
  await mailServer.reopen()
  await authScreen.sendResetLink.click()
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
})

/** The link in the newest mail, which was handed over before the server answered. */
function newestLink({ emails }: TestSmtpServer, email: string): string {
  const mail = emails.findLast(({ to }) => to.includes(email))
  if (mail === undefined) throw new Error(`There is no mail to ${email}.`)
  return linkIn(mail.source).href
}
