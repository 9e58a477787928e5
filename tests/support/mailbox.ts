import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder that a server without a mail server writes to. */
export interface Mailbox {
  dataDir: string
  /** All mails, oldest first, undecoded. */
  mails(): Promise<string[]>
  remove(): Promise<void>
}

export async function createMailbox(): Promise<Mailbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'intercede-mail-'))
  const outbox = join(dataDir, 'outbox')
  return {
    dataDir,
    mails: async () => {
      const names = await readdir(outbox).catch(() => [])
      return Promise.all(
        names.toSorted((a, b) => (a < b ? -1 : 1)).map(async (name) => readFile(join(outbox, name), 'utf8')),
      )
    },
    remove: async () => rm(dataDir, { recursive: true }),
  }
}

/** The text part of a mail, decoded. */
export function textOf(mail: string): string {
  const [, part = ''] = /Content-Type: text\/plain[^]*?\r?\n\r?\n([^]*?)\r?\n--/i.exec(mail) ?? []
  return /^Content-Transfer-Encoding: quoted-printable/im.test(mail) ? decodeQuotedPrintable(part) : part
}

/** The link that a mail is about. */
export function linkIn(mail: string): URL {
  const [link] = /https?:\/\/\S+\/verify\S+/.exec(textOf(mail)) ?? []
  if (link === undefined) throw new Error(`no link in ${mail}`)
  return new URL(link)
}

function decodeQuotedPrintable(text: string): string {
  const joined = text.replace(/=\r?\n/g, '')
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
