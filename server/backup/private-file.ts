import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { syncFolder } from '../db/sync-folder.ts'
import { BackupError } from '../errors/operator-errors.ts'

/** For the owner alone: it holds what the database holds. */
const PRIVATE = 0o600

/**
 * Writes `text`, compressed, to a new file that appears under its name only when it is complete, on disk and found good
 * by `check`, which is given the name that it has until then. Rejects with a `BackupError` when there is such a file
 * already or none can be made there.
 */
export async function writePrivateFile(
  file: string,
  text: AsyncIterable<Buffer>,
  check: (unfinished: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await requireAbsent(file)
  const unfinished = `${file}.unfinished-${String(process.pid)}`
  try {
    // Made before anything can interrupt it: a file that is still being made could not be removed.
    const handle = await open(unfinished, 'wx', PRIVATE)
    const target = handle.createWriteStream({ flush: true })
    await pipeline(Readable.from(text), createGzip(), target, { signal })
    await check(unfinished)
    await rename(unfinished, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw inOneSentence(error, file)
  }
}

/** A backup never takes the place of another. */
async function requireAbsent(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new BackupError(`${file} exists already: choose another name, or remove it first.`)
}

function inOneSentence(error: unknown, file: string): unknown {
  if (error instanceof Error && error.name === 'AbortError')
    return new BackupError('The backup was interrupted, and nothing is left of it.', { cause: error })
  if (error instanceof Error && 'syscall' in error)
    return new BackupError(`${file} can't be written: ${error.message}.`, { cause: error })
  return error
}
