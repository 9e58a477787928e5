import { PAGE_SIZE } from '#shared/limits.ts'
import { invalidRange } from './errors.ts'

/** The requested part of a result. */
export interface RowRange {
  offset: number
  limit: number
}

const INTEGER = /^-?\d+$/

/**
 * At most the `max_rows` of a Supabase project. As in PostgREST, values that are not numbers are ignored. Throws PGRST103 for negative
 * numbers.
 */
export function parseRange(limit: string | null, offset: string | null): RowRange {
  const range = { offset: parseInteger(offset) ?? 0, limit: parseInteger(limit) ?? PAGE_SIZE }
  if (range.limit < 0) throw invalidRange('Limit should be greater than or equal to zero.')
  if (range.offset < 0) throw invalidRange('Offset should be greater than or equal to zero.')
  return { ...range, limit: Math.min(range.limit, PAGE_SIZE) }
}

/** Null if the text is not an integer. Clamped to -1 and the largest safe integer. */
function parseInteger(text: string | null): number | null {
  if (text === null || !INTEGER.test(text)) return null
  return Math.max(-1, Math.min(Number(text), Number.MAX_SAFE_INTEGER))
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
