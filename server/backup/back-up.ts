import { stat } from 'node:fs/promises'
import { fromDatabase, withConnection } from './connect.ts'
import { writePrivateFile } from './private-file.ts'
import { readBackup, type BackupContents } from './read-backup.ts'
import { writeBackup } from './write-backup.ts'

export interface BackupOptions {
  /** The database; it may be in use. */
  url: string
  /** A file that does not exist yet. */
  file: string
  /** The time that the backup is marked with. */
  now: Date
  /** Interrupts it; nothing is left then. */
  signal: AbortSignal
}

export interface BackupOutcome {
  contents: BackupContents
  /** Of the file. */
  bytes: number
}

/**
 * Writes all that the database holds at this moment into a file, and reads it again before it gets its name. Rejects
 * with a `BackupError`, and leaves no file, when that fails.
 */
export async function backUp({ url, file, now, signal }: BackupOptions): Promise<BackupOutcome> {
  return await withConnection(url, async (client) => {
    let contents: BackupContents | null = null
    const check = async (unfinished: string) => {
      contents = await readBackup(unfinished)
    }
    await writePrivateFile(file, fromDatabase(writeBackup(client, now)), check, signal)
    if (contents === null) throw new Error('The backup was not checked.')
    return { contents, bytes: (await stat(file)).size }
  })
}
