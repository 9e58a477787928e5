import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The data folder of a server that has no mail server. */
export interface Mailbox {
  dataDir: string
  /** All emails in the outbox, oldest first, undecoded. */
  emails(): Promise<string[]>
  remove(): Promise<void>
}

export async function createMailbox(): Promise<Mailbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'intercede-mail-'))
  const outbox = join(dataDir, 'outbox')
  return {
    dataDir,
    emails: async () => {
      const names = await readdir(outbox).catch(() => [])
      return Promise.all(
        names.toSorted((a, b) => (a < b ? -1 : 1)).map(async (name) => readFile(join(outbox, name), 'utf8')),
      )
    },
    remove: async () => rm(dataDir, { recursive: true }),
  }
}

/** The text part of an email, decoded. */
export function textOf(email: string): string {
  const [, part = ''] = /Content-Type: text\/plain[^]*?\r?\n\r?\n([^]*?)\r?\n--/i.exec(email) ?? []
  return /^Content-Transfer-Encoding: quoted-printable/im.test(email) ? decodeQuotedPrintable(part) : part
}

/** The link in an email. */
export function linkIn(email: string): URL {
  const [link] = /https?:\/\/\S+\/verify\S+/.exec(textOf(email)) ?? []
  if (link === undefined) throw new Error(`no link in ${email}`)
  return new URL(link)
}

function decodeQuotedPrintable(text: string): string {
  const joined = text.replace(/=\r?\n/g, '')
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
