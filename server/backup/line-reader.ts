import { createHash } from 'node:crypto'
import { cutOff, UnreadableBackup } from './unreadable-backup.ts'

/** Bytes; no row of this schema comes near it. */
const LONGEST_LINE = 256 * 1024 ** 2
const NEWLINE = 0x0a

/** Reads text line by line, or in runs of lines, and keeps a digest of all that was read. */
export class LineReader {
  readonly #source: AsyncIterator<Buffer, undefined>
  readonly #hash = createHash('sha256')
  #ahead: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer, undefined>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** SHA-256, in hexadecimal, of everything read so far. */
  digest(): string {
    return this.#hash.copy().digest('hex')
  }

  /** The next line without its end; null after the last one. Rejects when that was cut off. */
  async line(): Promise<string | null> {
    let searched = 0
    for (;;) {
      const end = this.#ahead.indexOf(NEWLINE, searched)
      if (end !== -1) return this.#take(end + 1).toString('utf8', 0, end)
      searched = this.#ahead.length
      if (!(await this.#fill())) {
        if (searched === 0) return null
        throw cutOff()
      }
    }
  }

  /** Runs of whole lines up to the line `end`, which is taken as well. Rejects when there is none. */
  async *linesBefore(end: string): AsyncGenerator<Buffer> {
    const last = Buffer.from(`${end}\n`)
    const inner = Buffer.from(`\n${end}\n`)
    for (;;) {
      if (this.#ahead.subarray(0, last.length).equals(last)) {
        this.#take(last.length)
        return
      }
      const found = this.#ahead.indexOf(inner)
      if (found !== -1) {
        yield this.#take(found + 1)
        continue
      }
      // The end may be here in part: what follows the last line break waits for more.
      const whole = this.#ahead.lastIndexOf(NEWLINE) + 1
      if (whole > 0) yield this.#take(whole)
      if (!(await this.#fill())) throw cutOff()
    }
  }

  #take(length: number): Buffer {
    const taken = this.#ahead.subarray(0, length)
    this.#ahead = this.#ahead.subarray(length)
    this.#hash.update(taken)
    return taken
  }

  async #fill(): Promise<boolean> {
    const { done, value } = await this.#source.next()
    if (done === true) return false
    this.#ahead = this.#ahead.length === 0 ? value : Buffer.concat([this.#ahead, value])
    if (this.#ahead.length > LONGEST_LINE) throw new UnreadableBackup('it has a line that is too long')
    return true
  }
}
