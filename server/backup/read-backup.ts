import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { fieldsOf } from '#shared/fields.ts'
import { BackupError } from '../errors/operator-errors.ts'
import {
  copyFrom,
  END_OF_ROWS,
  setSequence,
  type BackupFooter,
  type BackupHeader,
  type StoredTable,
} from './backup-format.ts'
import { countLines } from './count-lines.ts'
import { LineReader } from './line-reader.ts'
import { parseFooter, parseHeader } from './parse-header.ts'
import { damaged, UnreadableBackup } from './unreadable-backup.ts'

/** What is done with the rows of one table; they come in runs of whole lines. */
export type TakeRows = (table: StoredTable, rows: AsyncIterable<Buffer>) => Promise<void>

/** What a backup consists of. */
export interface BackupContents {
  header: BackupHeader
  footer: BackupFooter
}

export interface BackupReading {
  /** Ends the reading at once; it then rejects with an `AbortError`. */
  signal?: AbortSignal
  /** Asked once, before any row is taken. */
  begin?: (header: BackupHeader) => Promise<void>
  takeRows?: TakeRows
}

/** Of zlib: no gzip file, cut off, damaged. */
const GZIP_CODES = new Map([
  ['Z_BUF_ERROR', 'it ends too early'],
  ['Z_DATA_ERROR', 'it is damaged, or no backup of Intercede'],
])

/**
 * Reads a backup from its first byte to its last. Rejects with a `BackupError` when it is cut off, damaged, of a newer
 * format or something else; what was taken up to then is then not to be trusted.
 */
export async function readBackup(file: string, reading: BackupReading = {}): Promise<BackupContents> {
  const unzipped = createGunzip()
  const zipped = createReadStream(file, reading.signal && { signal: reading.signal })
  zipped.on('error', (error) => unzipped.destroy(error)).pipe(unzipped)
  try {
    return await read(new LineReader(buffersOf(unzipped)), reading)
  } catch (error) {
    throw inOneSentence(error, file)
  } finally {
    zipped.destroy()
    unzipped.destroy()
  }
}

async function read(
  lines: LineReader,
  { begin, takeRows = passOver }: BackupReading,
): Promise<BackupContents> {
  const header = parseHeader(await lines.line())
  await begin?.(header)
  const rows: number[] = []
  for (const table of header.tables) {
    if ((await lines.line()) !== copyFrom(table)) throw damaged()
    let count = 0
    await takeRows(
      table,
      counted(lines.linesBefore(END_OF_ROWS), (more) => {
        count += more
      }),
    )
    rows.push(count)
  }
  for (const sequence of header.sequences) {
    if ((await lines.line()) !== setSequence(sequence)) throw damaged()
  }
  const digest = lines.digest()
  const footer = parseFooter(await lines.line())
  if (digest !== footer.sha256 || rows.join() !== footer.rows.join()) throw damaged()
  if ((await lines.line()) !== null) throw damaged()
  return { header, footer }
}

async function passOver(_table: StoredTable, rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of rows) void chunk
}

async function* counted(chunks: AsyncIterable<Buffer>, add: (rows: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    add(countLines(chunk))
    yield chunk
  }
}

async function* buffersOf(stream: Readable): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new Error('The file gave something other than bytes.')
    yield chunk
  }
  return undefined
}

function inOneSentence(error: unknown, file: string): unknown {
  const code = String(fieldsOf(error)['code'])
  const reason = error instanceof UnreadableBackup ? error.message : GZIP_CODES.get(code)
  if (reason !== undefined) return new BackupError(`${file} can't be restored: ${reason}.`, { cause: error })
  if (error instanceof Error && 'syscall' in error)
    return new BackupError(`${file} can't be read: ${error.message}.`, { cause: error })
  return error
}
