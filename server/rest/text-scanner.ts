import type { ApiError } from '../errors/api-error.ts'
import { syntaxError } from './errors.ts'

/** Letters, digits, `_`, `$`, spaces, and dashes that are not part of `->`. Other names need double quotes. */
const PLAIN_NAME = /(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy
const SPACES = /[ \t]*/y
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y

/** Reads one query parameter from left to right, and reports the position of a syntax error. */
export class TextScanner {
  readonly #source: string
  readonly #what: string
  #position = 0

  /** `what` names the parameter in error messages. */
  constructor(source: string, what: string) {
    this.#source = source
    this.#what = what
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#source.length
  }

  /** Consumes `text` if it comes next; returns whether it did. */
  take(text: string): boolean {
    if (!this.sees(text)) return false
    this.#position += text.length
    return true
  }

  /** Whether `text` comes next. */
  sees(text: string): boolean {
    return this.#source.startsWith(text, this.#position)
  }

  /** Consumes `text`. Throws PGRST100 if it does not come next. */
  expect(text: string): void {
    if (!this.take(text)) throw this.failure(`"${text}"`)
  }

  skipSpaces(): void {
    this.match(SPACES)
  }

  /** Consumes what a sticky pattern matches here. Returns its first group or else the match; null if it does not match. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.#source)
    if (found === null) return null
    this.#position = pattern.lastIndex
    return found[1] ?? found[0]
  }

  /** Consumes a column or table name, plain (then trimmed) or in double quotes. Throws PGRST100 if there is none. */
  name(): string {
    const quoted = this.quoted()
    if (quoted !== null) return quoted
    const plain = this.match(PLAIN_NAME)?.trim() ?? ''
    if (plain === '') throw this.failure('field name (* or [a..z0..9_$])')
    return plain
  }

  /** Consumes text in double quotes and resolves its backslash escapes; null if there is none or it is not closed. */
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

  /** The current position, for `returnTo` if another alternative has to be tried. */
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
    return syntaxError(this.#what, this.#source, this.#position + 1, details)
  }
}
