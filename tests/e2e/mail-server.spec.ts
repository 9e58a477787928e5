import { linkIn } from '#tests/support/mailbox.ts'
import { startSmtpServer, type TestSmtpServer } from '#tests/support/smtp-server.ts'
import type { ServerSettings } from './fixtures/server-process.ts'
import { authScreenOf } from './screens/auth-screen.ts'
import { dashboardScreenOf } from './screens/dashboard-screen.ts'
import { expect, test as base } from './test.ts'

interface WorkerFixtures {
  mailServer: TestSmtpServer
  serverSettings: ServerSettings
}

/** With a mail server, new addresses must be confirmed by default. */
const test = base.extend<object, WorkerFixtures>({
  mailServer: [
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

test('emails arrive, to confirm an address and to set a new password; signing up again works after an outage', async ({
  mailServer,
  page,
  authScreen,
  dashboard,
  navigation,
  resetPassword,
  consoleWatch,
}) => {
  consoleWatch.announce(/^status 500: \/auth\/v1\/signup/, /^console\.error: Failed to /)
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

  await authScreen.forgotPassword.click()
  await authScreen.email.fill(email)
  const before = mailServer.emails.length
  await authScreen.sendResetLink.click()
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  // The response does not wait for the email.
  await expect.poll(() => mailServer.emails.length).toBe(before + 1)
  await page.goto(newestLink(mailServer, email))
  await resetPassword.set('a new and quiet hour')
  await expect(resetPassword.done).toBeVisible()
  await resetPassword.goToLogin.click()
  await authScreen.signIn(email, 'a new and quiet hour')
  await expect(dashboard.title).toBeVisible()
})

test('the owner of an address that a stranger has signed up is asked for a password first, which ends the stranger’s', async ({
  mailServer,
  browser,
  baseURL,
  context,
  page,
  dashboard,
  resetPassword,
}) => {
  const email = 'lydia@example.org'
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' })
  const strangersPage = await elsewhere.newPage()
  const stranger = authScreenOf(strangersPage)
  await stranger.open('signup')
  await stranger.signUp(email, 'known to the stranger')
  await expect(stranger.heading('Check Your Email')).toBeVisible()

  await test.step('the link signs no one in, whatever is opened next', async () => {
    await page.goto(newestLink(mailServer, email))
    await expect(resetPassword.titleOfConfirmation).toBeVisible()
    await expect(page.getByRole('main')).toContainText(`${email} is confirmed`)
    await page.reload()
    await expect(resetPassword.titleOfConfirmation).toBeVisible()
    await page.goto('/dashboard')
    await expect(resetPassword.titleOfConfirmation).toBeVisible()
    await page.goBack()
    await expect(resetPassword.titleOfConfirmation).toBeVisible()
    const tab = await context.newPage()
    await tab.goto('/dashboard')
    await expect(authScreenOf(tab).heading('Welcome back')).toBeVisible()
    await tab.close()
  })
  await stranger.open()
  await stranger.signIn(email, 'known to the stranger')
  await expect(dashboardScreenOf(strangersPage).title, 'until then, the password works').toBeVisible()

  await resetPassword.set('a quiet hour')
  await expect(dashboard.title).toBeVisible()
  await strangersPage.reload()
  await expect(stranger.heading('Welcome back')).toBeVisible()
  await stranger.signIn(email, 'known to the stranger')
  await expect(stranger.error).toContainText('Invalid login credentials')
  await elsewhere.close()
})

test('an address is changed by the links to both, one of them opened elsewhere; the former address is told, and the new one of a new password', async ({
  mailServer,
  browser,
  baseURL,
  page,
  authScreen,
  dashboard,
  navigation,
  settings,
}) => {
  const [former, email] = ['orpah@example.org', 'orpah@example.com']
  await authScreen.open('signup')
  await authScreen.signUp(former, 'a quiet hour')
  await expect(authScreen.heading('Check Your Email')).toBeVisible()
  await page.goto(newestLink(mailServer, former))
  await expect(dashboard.title).toBeVisible()

  const address = settings.section('Email address')
  await settings.open('profile')
  await address.getByRole('button').click()
  await page.getByLabel('New email address').fill(email)
  await page.getByLabel('Current password').fill('a quiet hour')
  await page.keyboard.press('Enter')
  await expect(address).toContainText(`Waiting for ${email}`)
  const [linkToNew, linkToFormer] = [newestLink(mailServer, email), newestLink(mailServer, former)]

  await test.step('on a device where nobody is signed in, a link says what it has done, and signs in nobody', async () => {
    const phone = await browser.newContext({ baseURL: baseURL ?? '' })
    const onPhone = authScreenOf(await phone.newPage())
    await onPhone.page.goto(linkToNew)
    await expect(onPhone.heading('Welcome back')).toBeVisible()
    await expect(onPhone.page.getByText('One of the two links is confirmed.')).toBeVisible()
    await onPhone.page.goto(linkToNew)
    await expect(onPhone.page.getByText('was used before')).toBeVisible()
    await phone.close()
  })
  await page.goto(linkToFormer)
  await expect(page.getByText(`The new address ${email} is confirmed.`)).toBeVisible()
  await expect(address).toContainText(email)
  await expect(address).not.toContainText('Waiting')
  await expect.poll(() => newestSubject(mailServer, former)).toBe('Your address for Intercede was changed')
  await settings.link('Devices').click()
  await expect(settings.section('Signed in').getByRole('listitem')).toHaveCount(1)

  await settings.link('Profile').click()
  await settings.section('Password').getByRole('button').click()
  await page.getByLabel('New password').fill('a louder hour')
  await page.getByLabel('Current password').fill('a quiet hour')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText('Password changed.')).toBeVisible()
  await expect.poll(() => newestSubject(mailServer, email)).toBe('Your password for Intercede was changed')
  await navigation.signOut()
  await authScreen.signIn(email, 'a louder hour')
  await expect(dashboard.title).toBeVisible()
})

function newestEmail({ emails }: TestSmtpServer, address: string): string {
  const email = emails.findLast(({ to }) => to.includes(address))
  if (email === undefined) throw new Error(`There is no email to ${address}.`)
  return email.source
}

/** The link in the newest email. */
function newestLink(mailServer: TestSmtpServer, address: string): string {
  return linkIn(newestEmail(mailServer, address)).href
}

function newestSubject(mailServer: TestSmtpServer, address: string): string | undefined {
  return /^Subject: (.*)$/m.exec(newestEmail(mailServer, address))?.[1]?.trim()
}
