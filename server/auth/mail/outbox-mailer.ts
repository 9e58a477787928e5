import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { makePrivateFolder } from '../../db/private-folder.ts'
import type { Services } from '../../services.ts'
import type { Mailer } from './mailer.ts'

/** In the data folder. */
export const OUTBOX = 'outbox'

/**
 * Writes mails to files, for hosts without a mail server. A warning says where each file is, so that whoever runs the
 * server sees it and can pass it on; files and folder are for that person alone, and what opens an account is in no log.
 */
export function createOutboxMailer({ config, clock, logger }: Services): Mailer {
  const folder = join(config.dataDir, OUTBOX)
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  let written = 0
  return {
    probe: async () => makePrivateFolder(folder),
    send: async (mail) => {
      const now = clock.now()
      const { message } = await composer.sendMail({ from: config.mailFrom, ...mail, date: now })
      written += 1
      // Sorted by name is sorted by time; the rest keeps servers that share a folder apart.
      const order = `${now.toISOString().replaceAll(':', '-')}-${String(written).padStart(6, '0')}`
      const file = join(folder, `${order}-${randomBytes(4).toString('hex')}.eml`)
      await makePrivateFolder(folder)
      await writeFile(file, message, { mode: 0o600, flag: 'wx' })
      logger.warn({ file }, 'mail written to the outbox, because no mail server is configured')
    },
  }
}
