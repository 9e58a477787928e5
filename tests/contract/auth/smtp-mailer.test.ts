// Sending through a mail server: headers, encryption and timeouts.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSmtpMailer } from '#server/mail/mailers.ts'
import { describeError } from '#server/logger.ts'
import { startSmtpServer, type TestSmtpServer } from '#tests/support/smtp-server.ts'

let smtp: TestSmtpServer

beforeEach(async () => {
  smtp = await startSmtpServer()
})

afterEach(() => smtp.close())

const email = { to: 'ruth@example.com', subject: 'Subject', text: 'Text', html: '<p>Text</p>' }
const from = 'Intercede <calm@example.org>'

it('sends an email, marked as auto-generated', async () => {
  await createSmtpMailer({ url: smtp.url, from }).send(email)
  expect(smtp.emails).toHaveLength(1)
  expect(smtp.emails[0]?.source).toMatch(/^Auto-Submitted: auto-generated\r$/im)
})

it('says how the mail server refused an email, without its text, which quotes addresses', async () => {
  smtp.refuse = '550 5.1.1 <ruth@example.com> is unknown here'
  const error: unknown = await createSmtpMailer({ url: smtp.url, from })
    .send(email)
    .catch((cause: unknown) => cause)
  const logged = JSON.stringify(describeError(error))
  expect(logged).toContain('The mail server responded to RCPT TO with 550 5.1.1.')
  expect(logged).not.toContain('ruth')
})

it('names the setting if the mail server cannot be reached, without the password', async () => {
  const error: unknown = await createSmtpMailer({ url: 'smtp://ruth:hush@127.0.0.1:1', from })
    .send(email)
    .catch((cause: unknown) => cause)
  const logged = JSON.stringify(describeError(error))
  expect(logged).toContain("The mail server (SMTP_URL) can't be used: connect ECONNREFUSED 127.0.0.1:1.")
  expect(logged).not.toContain('hush')
})

it('never lets a subject inject a recipient or a header', async () => {
  const mailer = createSmtpMailer({ url: smtp.url, from })
  await mailer.send({ ...email, subject: 'One\r\nBcc: evil@example.com' })
  expect(smtp.emails[0]?.to).toEqual(['ruth@example.com'])
  expect(smtp.emails[0]?.source).not.toMatch(/^Bcc:/im)
})

it('times out if the server does not respond', async () => {
  smtp.behaviour = 'silent'
  const mailer = createSmtpMailer({ url: smtp.url, from, timeout: 30 })
  await expect(mailer.send(email)).rejects.toMatchObject({ cause: { code: 'ETIMEDOUT' } })
})

it('sends nothing unencrypted where encryption is required', async () => {
  const mailer = createSmtpMailer({ url: `${smtp.url}?requireTLS=true`, from })
  await expect(mailer.send(email)).rejects.toMatchObject({ code: 'ETLS' })
  expect(smtp.emails).toHaveLength(0)
})

it('keeps a connection open for several emails, and replaces one that the server has closed', async () => {
  const mailer = createSmtpMailer({ url: smtp.url, from, keepAlive: true })
  await mailer.send(email)
  await mailer.send(email)
  expect(smtp.connections).toBe(1)
  await smtp.close()
  await smtp.reopen()
  await mailer.send(email)
  expect(smtp.emails).toHaveLength(3)
  mailer.close()
})
