import { invalidRange } from './refusals.ts'

/** Which rows of the result are wanted. */
export interface RowRange {
  offset: number
  /** Null: as many as there are. */
  limit: number | null
}

const ALL: RowRange = { offset: 0, limit: null }
const RANGE_HEADER = /^(\d+)-(\d*)$/
const INTEGER = /^-?\d+$/

/**
 * Brings `limit`, `offset` and the `Range` header ("0-9", both ends included) together: what is asked for is what
 * both ask for. As in PostgREST, what is not a number is as if it had not been sent; throws PGRST103 for negative
 * numbers and for a range that ends before it begins.
 */
export function parseRange(limit: string | null, offset: string | null, header: string | null): RowRange {
  return intersect(fromParameters(limit, offset), fromHeader(header))
}

function fromParameters(limit: string | null, offset: string | null): RowRange {
  const range = { offset: toInteger(offset) ?? 0, limit: toInteger(limit) }
  if (range.limit !== null && range.limit < 0)
    throw invalidRange('Limit should be greater than or equal to zero.')
  if (range.offset < 0) throw invalidRange('Offset should be greater than or equal to zero.')
  return range
}

function fromHeader(header: string | null): RowRange {
  const [, first, last] = RANGE_HEADER.exec(header?.trim() ?? '') ?? []
  if (first === undefined) return ALL
  const offset = toInteger(first) ?? 0
  const end = toInteger(last ?? null)
  if (end === null) return { offset, limit: null }
  if (end < offset) {
    throw invalidRange(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  }
  return { offset, limit: end - offset + 1 }
}

/** Null for what is no whole number; numbers beyond what can be counted exactly are brought down to that. */
function toInteger(text: string | null): number | null {
  if (text === null || !INTEGER.test(text)) return null
  return Math.max(-1, Math.min(Number(text), Number.MAX_SAFE_INTEGER))
}

function intersect(one: RowRange, other: RowRange): RowRange {
  const offset = Math.max(one.offset, other.offset)
  const end = Math.min(endOf(one), endOf(other))
  return { offset, limit: Number.isFinite(end) ? Math.max(0, end - offset) : null }
}

function endOf(range: RowRange): number {
  return range.limit === null ? Infinity : range.offset + range.limit
}
