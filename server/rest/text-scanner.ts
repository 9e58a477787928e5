import type { ApiError } from '../errors/api-error.ts'
import { unreadable } from './refusals.ts'

/** Letters, digits, `_`, `$` and spaces; a dash when it is no arrow. Everything else needs double quotes. */
const PLAIN_NAME = /(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy
const SPACES = /[ \t]*/y
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y

/** Reads one parameter of the query string from left to right, and says where it stopped making sense. */
export class TextScanner {
  readonly #source: string
  readonly #what: string
  readonly #shown: string
  #position = 0

  /** `what` names the parameter in errors; `shown` is what they quote when it is not the whole source. */
  constructor(source: string, what: string, shown: string = source) {
    this.#source = source
    this.#what = what
    this.#shown = shown
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#source.length
  }

  /** Steps over `text` if it comes next. */
  take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#position)) return false
    this.#position += text.length
    return true
  }

  /** Is `text` what comes next? */
  sees(text: string): boolean {
    return this.#source.startsWith(text, this.#position)
  }

  /** Steps over `text` or refuses. */
  expect(text: string): void {
    if (!this.take(text)) throw this.failure(`"${text}"`)
  }

  skipSpaces(): void {
    this.match(SPACES)
  }

  /** Steps over what a sticky pattern matches here; null if it does not. Gives the first group if there is one. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.#source)
    if (found === null) return null
    this.#position = pattern.lastIndex
    return found[1] ?? found[0]
  }

  /** A column or table name: plain and trimmed, or in double quotes. */
  name(): string {
    const quoted = this.quoted()
    if (quoted !== null) return quoted
    const plain = this.match(PLAIN_NAME)?.trim() ?? ''
    if (plain === '') throw this.failure('field name (* or [a..z0..9_$])')
    return plain
  }

  /** A text in double quotes, with backslashes taken out; null if none begins here or it does not end. */
  quoted(): string | null {
    return this.match(QUOTED)?.replace(/\\([\s\S])/g, '$1') ?? null
  }

  rest(): string {
    const rest = this.#source.slice(this.#position)
    this.#position = this.#source.length
    return rest
  }

  expectEnd(): void {
    if (!this.isAtEnd) throw this.failure('end of input')
  }

  /** The place, to come back to with `returnTo` when another reading is to be tried. */
  get position(): number {
    return this.#position
  }

  returnTo(position: number): void {
    this.#position = position
  }

  failure(expected: string): ApiError {
    const next = this.#source.codePointAt(this.#position)
    const found = next === undefined ? 'end of input' : `"${String.fromCodePoint(next)}"`
    const details = `unexpected ${found} expecting ${expected}`
    return unreadable(this.#what, this.#shown, this.#position + 1, details)
  }
}
