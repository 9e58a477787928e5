import { isRecord } from '#shared/fields.ts'
import { UserError } from '#web/lib/error-message.ts'

type Fields = Readonly<Record<string, unknown>>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TIME =
  /^(?<day>(?!0000)\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/
/** Half of a character, and the character that no text of the database can have. */
const NOT_STORABLE = /[\p{Surrogate}\0]/u
const GREATEST_INTEGER = 2_147_483_647

/**
 * Reads the fields of one entry of a file. Each of its functions throws a `UserError` that names the entry and the field,
 * in words for the person, and never quotes what stands there.
 */
export class FieldReader {
  readonly #fields: Fields
  readonly #entry: string

  /** @param entry what the person would call it, for example `Prayer 3` */
  constructor(value: unknown, entry: string) {
    if (!isRecord(value)) throw new UserError(`${entry} is not in the form that an export has.`)
    this.#fields = value
    this.#entry = entry
  }

  id(field: string): string {
    const value = this.#fields[field]
    if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase()
    throw this.#refusal(field, 'is not an id')
  }

  /** A moment, as precise as it was written. */
  time(field: string): string {
    const value = this.#fields[field]
    const day = typeof value === 'string' ? TIME.exec(value)?.groups?.['day'] : undefined
    if (typeof value === 'string' && day !== undefined && isOnCalendar(day)) return value
    throw this.#refusal(field, 'is not a date with a time')
  }

  flag(field: string): boolean {
    const value = this.#fields[field]
    if (typeof value === 'boolean') return value
    throw this.#refusal(field, 'is neither true nor false')
  }

  /** A whole number from 1 on. */
  position(field: string): number {
    const value = this.#fields[field]
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= GREATEST_INTEGER)
      return value
    throw this.#refusal(field, 'is not a whole number from 1 on')
  }

  /** A name, without the blanks around it. Lengths are in characters as the database counts them. */
  name(field: string, maxLength: number): string {
    const name = this.text(field, maxLength).trim()
    if (name === '') throw this.#refusal(field, 'is empty')
    return name
  }

  text(field: string, maxLength: number): string {
    const value = this.#fields[field]
    if (typeof value !== 'string') throw this.#refusal(field, 'is not a text')
    if (value.length > maxLength && Array.from(value.trim()).length > maxLength)
      throw this.#refusal(field, `is longer than ${maxLength.toLocaleString('en')} characters`)
    if (NOT_STORABLE.test(value)) throw this.#refusal(field, 'has a character that can not be kept')
    return value
  }

  optionalText(field: string, maxLength: number): string | null {
    return this.#fields[field] === null ? null : this.text(field, maxLength)
  }

  #refusal(field: string, problem: string): UserError {
    const what = field in this.#fields ? `“${field}” ${problem}` : `“${field}” is missing`
    return new UserError(`${this.#entry}: ${what}.`)
  }
}

/** February has no 30th day, whatever a date is made of. */
function isOnCalendar(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
