import { invalidRange } from './errors.ts'

/** The requested part of a result. */
export interface RowRange {
  offset: number
  /** Null: all rows. */
  limit: number | null
}

const RANGE_HEADER = /^(\d+)-(\d*)$/
const INTEGER = /^-?\d+$/

/**
 * The intersection of `limit` and `offset` with the `Range` header ("0-9", both ends included). As in PostgREST, values
 * that are not numbers are ignored. Throws PGRST103 for negative numbers and for a range that ends before it begins.
 */
export function parseRange(limit: string | null, offset: string | null, header: string | null): RowRange {
  return intersect(parseLimit(limit, offset), parseRangeHeader(header))
}

function parseLimit(limit: string | null, offset: string | null): RowRange {
  const range = { offset: parseInteger(offset) ?? 0, limit: parseInteger(limit) }
  if (range.limit !== null && range.limit < 0)
    throw invalidRange('Limit should be greater than or equal to zero.')
  if (range.offset < 0) throw invalidRange('Offset should be greater than or equal to zero.')
  return range
}

function parseRangeHeader(header: string | null): RowRange {
  const [, first, last] = RANGE_HEADER.exec(header?.trim() ?? '') ?? []
  const offset = parseInteger(first) ?? 0
  const end = parseInteger(last)
  if (end === null) return { offset, limit: null }
  if (end < offset) {
    throw invalidRange(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  }
  return { offset, limit: end - offset + 1 }
}

/** Null if the text is not an integer. Clamped to -1 and the largest safe integer. */
function parseInteger(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !INTEGER.test(text)) return null
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

/** The returned part of a result. */
export interface ReturnedRange {
  offset: number
  rows: number
  /** Number of rows in the whole result; null if it was not counted. */
  total: number | null
}

/** 206 if the result is known to have more rows, otherwise 200. Throws PGRST103 for an offset beyond the end. */
export function rangeStatus({ offset, rows, total }: ReturnedRange): 200 | 206 {
  if (total === null) return 200
  if (offset > total) {
    const details = `An offset of ${offset} was requested, but there are only ${total} rows.`
    throw invalidRange(details, { 'content-range': `*/${total}` })
  }
  return rows < total ? 206 : 200
}

/** The value of `Content-Range`, for example `0-24/*`, or `*` in place of the range if there are no rows. */
export function contentRange({ offset, rows, total }: ReturnedRange): string {
  const range = rows === 0 ? '*' : `${offset}-${offset + rows - 1}`
  return `${range}/${total ?? '*'}`
}
