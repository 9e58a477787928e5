import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorCode } from '../errors/system-error.ts'
import { BackupError } from '../errors/operator-errors.ts'
import {
  copyFrom,
  countRows,
  cutOff,
  damaged,
  END_OF_ROWS,
  parseFooter,
  parseHeader,
  setSequence,
  UnreadableBackup,
  type BackupFooter,
  type BackupHeader,
  type StoredTable,
} from './backup-format.ts'

export interface BackupContents {
  header: BackupHeader
  footer: BackupFooter
}

export interface ReadOptions {
  /** Stops reading at once; `readBackup` then rejects with an `AbortError`. */
  signal?: AbortSignal
  /** Called once, before any rows. */
  onHeader?: (header: BackupHeader) => Promise<void>
  /** Called with the rows of each table, in pieces of whole lines. */
  onRows?: (table: StoredTable, rows: AsyncIterable<Buffer>) => Promise<void>
}

/** Error codes of zlib. */
const GZIP_ERRORS = new Map([
  ['Z_BUF_ERROR', 'it ends too early'],
  ['Z_DATA_ERROR', 'it is damaged, or not an Intercede backup'],
])

/**
 * Reads a whole backup. Rejects with a `BackupError` if it is cut off, damaged, of a newer format or something else; what
 * `onRows` received until then must be discarded.
 */
export async function readBackup(file: string, options: ReadOptions = {}): Promise<BackupContents> {
  const unzipped = createGunzip()
  const zipped = createReadStream(file, options.signal && { signal: options.signal })
  zipped.on('error', (error) => unzipped.destroy(error)).pipe(unzipped)
  try {
    return await readContents(new LineReader(buffersOf(unzipped)), options)
  } catch (error) {
    throw toBackupError(error, file)
  } finally {
    zipped.destroy()
    unzipped.destroy()
  }
}

async function readContents(
  lines: LineReader,
  { onHeader, onRows = skip }: ReadOptions,
): Promise<BackupContents> {
  const header = parseHeader(await lines.line())
  await onHeader?.(header)
  const rows: number[] = []
  for (const table of header.tables) {
    if ((await lines.line()) !== copyFrom(table)) throw damaged()
    let count = 0
    await onRows(
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

async function skip(_table: StoredTable, rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of rows) void chunk
}

async function* counted(chunks: AsyncIterable<Buffer>, add: (rows: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    add(countRows(chunk))
    yield chunk
  }
}

async function* buffersOf(stream: Readable): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new Error('The file returned something other than bytes.')
    yield chunk
  }
  return undefined
}

function toBackupError(error: unknown, file: string): unknown {
  const reason = error instanceof UnreadableBackup ? error.message : GZIP_ERRORS.get(errorCode(error))
  if (reason !== undefined) return new BackupError(`${file} can't be restored: ${reason}.`, { cause: error })
  if (error instanceof Error && 'syscall' in error)
    return new BackupError(`${file} can't be read: ${error.message}.`, { cause: error })
  return error
}

/** Bytes. The longest row has a picture of 512 KiB, in hexadecimal; all texts of a row are far shorter. */
const LONGEST_LINE = 16 * 1024 ** 2
const NEWLINE = 0x0a

/** Reads text line by line, or in pieces of whole lines, and keeps a digest of everything it has read. */
class LineReader {
  readonly #source: AsyncIterator<Buffer, undefined>
  readonly #hash = createHash('sha256')
  #buffer: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer, undefined>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** SHA-256, in hexadecimal, of everything read so far. */
  digest(): string {
    return this.#hash.copy().digest('hex')
  }

  /** The next line without its end; null after the last one. Rejects if the line has no end. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.#buffer.indexOf(NEWLINE)
      if (end !== -1) return this.#take(end + 1).toString('utf8', 0, end)
      if (await this.#fill()) continue
      if (this.#buffer.length === 0) return null
      throw cutOff()
    }
  }

  /** Pieces of whole lines up to the line `end`, which is consumed as well. Rejects if there is no such line. */
  async *linesBefore(end: string): AsyncGenerator<Buffer> {
    const last = Buffer.from(`${end}\n`)
    const inner = Buffer.from(`\n${end}\n`)
    for (;;) {
      if (this.#buffer.subarray(0, last.length).equals(last)) {
        this.#take(last.length)
        return
      }
      const found = this.#buffer.indexOf(inner)
      if (found !== -1) {
        yield this.#take(found + 1)
        continue
      }
      // The buffer may end within the line `end`, so what follows the last line break stays there.
      const whole = this.#buffer.lastIndexOf(NEWLINE) + 1
      if (whole > 0) yield this.#take(whole)
      if (!(await this.#fill())) throw cutOff()
    }
  }

  #take(length: number): Buffer {
    const taken = this.#buffer.subarray(0, length)
    this.#buffer = this.#buffer.subarray(length)
    this.#hash.update(taken)
    return taken
  }

  /**
   * Completes the line in the buffer, and reads what its last piece has of the next ones. The pieces of a long line are joined
   * once, as each joining copies all of it. False at the end of the text.
   */
  async #fill(): Promise<boolean> {
    const pieces = [this.#buffer]
    let length = this.#buffer.length
    for (;;) {
      const { done, value } = await this.#source.next()
      if (done === true) break
      const end = value.indexOf(NEWLINE)
      if (length + (end === -1 ? value.length : end) > LONGEST_LINE)
        throw new UnreadableBackup('it has a line that is too long (more than 16 MiB)')
      pieces.push(value)
      length += value.length
      if (end !== -1) {
        this.#buffer = Buffer.concat(pieces)
        return true
      }
    }
    this.#buffer = Buffer.concat(pieces)
    return false
  }
}
