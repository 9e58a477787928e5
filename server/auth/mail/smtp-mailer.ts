import { createTransport } from 'nodemailer'
import type { Mailer } from './mailer.ts'

export interface SmtpSettings {
  /** smtp:// or smtps:// with host, port and credentials. */
  url: string
  from: string
  /** Milliseconds that each step of the conversation may take. */
  patience?: number
}

const PATIENCE = 5000
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Sends through a mail server. The connection is encrypted: from the start with smtps, else by STARTTLS, which only a
 * server on this machine may lack (or one for which the URL says `requireTLS=false`).
 */
export function createSmtpMailer({ url, from, patience = PATIENCE }: SmtpSettings): Mailer {
  const transport = createTransport({
    requireTLS: !LOOPBACK.test(new URL(url).hostname),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    dnsTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
    url,
  })
  return {
    send: async (mail) => {
      await transport.sendMail({ from, ...mail, headers: { 'auto-submitted': 'auto-generated' } })
    },
    probe: async () => {
      await transport.verify()
    },
  }
}
