import { randomBytes } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import * as v from 'valibot'
import { connectionErrorMessage } from '../db/connection-errors.ts'
import { makePrivateFolder } from '../db/folders.ts'
import type { Services } from '../services.ts'

export interface Email {
  to: string
  subject: string
  text: string
  html: string
  /** In place of a random one, with angle brackets: an email that is sent again with it is the same email. */
  messageId?: string
  headers?: Readonly<Record<string, string>>
}

/** Sends emails. */
export interface Mailer {
  /** Resolves when the email was accepted for delivery; rejects within seconds when it was not. */
  send(email: Email): Promise<void>
  /** Closes the connections that are kept open. */
  close(): void
}

type MailerServices = Pick<Services, 'config' | 'clock' | 'logger'>

/** Sends through the configured mail server; without one, writes files. */
export function createMailer(services: MailerServices, options?: Pick<SmtpSettings, 'keepAlive'>): Mailer {
  const { smtpUrl, mailFrom } = services.config
  if (smtpUrl === null) return createOutboxMailer(services)
  return createSmtpMailer({ ...options, url: smtpUrl, from: mailFrom })
}

export interface SmtpSettings {
  /** smtp:// or smtps:// with host, port and credentials. */
  url: string
  from: string
  /** How long each step of the SMTP conversation may take, in milliseconds. */
  timeout?: number
  /** Emails share up to five connections, which stay open for some seconds. By default, each email opens its own and waits for no other. */
  keepAlive?: boolean
}

const SMTP_TIMEOUT = 5000
/** Milliseconds until an unused connection is closed, before the mail server does so. */
const KEEP_ALIVE = 3000
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Sends through a mail server. The connection is encrypted: from the start with smtps, otherwise by STARTTLS, which only
 * a server on this machine may lack (or one whose URL has `requireTLS=false`).
 */
export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const { url, from, timeout = SMTP_TIMEOUT, keepAlive = false } = settings
  const transport = createTransport({
    pool: keepAlive,
    idleTimeout: KEEP_ALIVE,
    requireTLS: !LOOPBACK.test(new URL(url).hostname),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
    url,
  })
  return {
    send: async (email) => {
      const headers = { ...email.headers, 'auto-submitted': 'auto-generated' }
      try {
        await transport.sendMail({ from, ...email, headers })
      } catch (error) {
        throw v.is(Refusal, error) ? new EmailRefusedError(error) : unusable(error)
      }
    },
    close: () => transport.close(),
  }
}

function unusable(cause: unknown): Error {
  return new Error(`The mail server (SMTP_URL) can't be used: ${connectionErrorMessage(cause)}.`, { cause })
}

/** An error of nodemailer that quotes a mail server's response. */
const Refusal = v.object({
  code: v.string(),
  command: v.string(),
  responseCode: v.number(),
  response: v.string(),
})

/** A mail server has refused an email. The error lacks the text of its response, which often quotes addresses, so that it can be logged. */
class EmailRefusedError extends Error {
  override readonly name = 'EmailRefusedError'
  /** Of nodemailer, such as EENVELOPE. */
  readonly code: string
  /** What it responded to, such as `RCPT TO`. */
  readonly command: string
  readonly status: number
  /** Such as 5.1.1 (RFC 3463); empty if it has given none. */
  readonly enhancedStatus: string

  constructor({ code, command, responseCode, response }: v.InferOutput<typeof Refusal>) {
    const enhancedStatus = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? ''
    super(
      `The mail server responded to ${command} with ${`${String(responseCode)} ${enhancedStatus}`.trim()}.`,
    )
    this.code = code
    this.command = command
    this.status = responseCode
    this.enhancedStatus = enhancedStatus
  }
}

/**
 * Whether a mail server has refused the recipient for good, by its response to the address. Enhanced codes 5.7 are about the sender's
 * rights, such as to relay: its administrator may correct that.
 */
export function isRecipientRefused(error: unknown): boolean {
  return (
    error instanceof EmailRefusedError &&
    error.command === 'RCPT TO' &&
    error.status >= 500 &&
    !error.enhancedStatus.startsWith('5.7.')
  )
}

/** Folder within the data folder. */
const OUTBOX = 'outbox'
/** The names of outbox files start with the time, with dashes for colons. Other files are not ours to remove. */
const OUTBOX_FILE = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3}Z)-\d{6}-[0-9a-f]{8}\.eml$/

/**
 * Writes emails to files, for installations without a mail server. A warning names each file, so that the operator can
 * pass it on. Only the server's user may read files and folder, and no link appears in the log.
 */
function createOutboxMailer({ config, clock, logger }: MailerServices): Mailer {
  const folder = join(config.dataDir, OUTBOX)
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  let written = 0
  return {
    send: async (email) => {
      const now = clock.now()
      const { message } = await composer.sendMail({ from: config.mailFrom, ...email, date: now })
      written += 1
      // Sorting by name sorts by time; the random part avoids collisions between servers that share a folder.
      const order = `${now.toISOString().replaceAll(':', '-')}-${String(written).padStart(6, '0')}`
      const file = join(folder, `${order}-${randomBytes(4).toString('hex')}.eml`)
      await makePrivateFolder(folder)
      await writeFile(file, message, { mode: 0o600, flag: 'wx' })
      logger.warn({ file }, 'email written to the outbox, because no mail server is configured')
    },
    close: () => {},
  }
}

/** Removes emails that were written to the outbox before a given time. */
export async function clearOutbox(dataDir: string, before: Date): Promise<void> {
  const folder = join(dataDir, OUTBOX)
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const time = timeOf(name)
    if (time !== null && time < before.getTime()) await rm(join(folder, name), { force: true })
  }
}

function timeOf(name: string): number | null {
  const [, day, hours, minutes, seconds] = OUTBOX_FILE.exec(name) ?? []
  if (day === undefined) return null
  return Date.parse(`${day}T${hours ?? ''}:${minutes ?? ''}:${seconds ?? ''}`)
}
