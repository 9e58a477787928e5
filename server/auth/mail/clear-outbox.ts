import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OUTBOX } from './outbox-mailer.ts'

/** As the outbox names mails: the time first, with dashes for colons. Anything else there is not ours to remove. */
const NAME = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3}Z)-\d{6}-[0-9a-f]{8}\.eml$/

/** Removes mails of the outbox that were written before then: their links are long past their time. */
export async function clearOutbox(dataDir: string, before: Date): Promise<void> {
  const folder = join(dataDir, OUTBOX)
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const written = timeOf(name)
    if (written !== null && written < before.getTime()) await rm(join(folder, name), { force: true })
  }
}

function timeOf(name: string): number | null {
  const [, day, hours, minutes, seconds] = NAME.exec(name) ?? []
  if (day === undefined) return null
  return Date.parse(`${day}T${hours ?? ''}:${minutes ?? ''}:${seconds ?? ''}`)
}
