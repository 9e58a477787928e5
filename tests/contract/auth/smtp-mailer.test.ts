// Sending through a mail server: encryption, and mail servers that are no help.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSmtpMailer } from '#server/auth/mailers.ts'
import { startSmtpServer, type TestSmtpServer } from '#tests/support/smtp-server.ts'

let smtp: TestSmtpServer

beforeEach(async () => {
  smtp = await startSmtpServer()
})

afterEach(() => smtp.close())

const mail = { to: 'ruth@example.com', subject: 'Subject', text: 'Text', html: '<p>Text</p>' }
const from = 'Intercede <calm@example.org>'

it('hands a mail over, marked as sent by a machine', async () => {
  await createSmtpMailer({ url: smtp.url, from }).send(mail)
  expect(smtp.emails).toHaveLength(1)
  expect(smtp.emails[0]?.source).toMatch(/^Auto-Submitted: auto-generated\r$/im)
})

it('never lets a recipient smuggle in another one, or a header', async () => {
  const mailer = createSmtpMailer({ url: smtp.url, from })
  await mailer.send({ ...mail, subject: 'One\r\nBcc: evil@example.com' })
  expect(smtp.emails[0]?.to).toEqual(['ruth@example.com'])
  expect(smtp.emails[0]?.source).not.toMatch(/^Bcc:/im)
})

it.each(['send', 'probe'] as const)('%s gives up on a server that says nothing', async (step) => {
  smtp.behaviour = 'silent'
  const mailer = createSmtpMailer({ url: smtp.url, from, timeout: 30 })
  const attempt = step === 'send' ? mailer.send(mail) : mailer.probe()
  await expect(attempt).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})

it('sends nothing in clear where encryption is required', async () => {
  const mailer = createSmtpMailer({ url: `${smtp.url}?requireTLS=true`, from })
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'ETLS' })
  expect(smtp.emails).toHaveLength(0)
})

it('a probe leaves no mail behind', async () => {
  await createSmtpMailer({ url: smtp.url, from }).probe()
  expect(smtp.emails).toHaveLength(0)
})
