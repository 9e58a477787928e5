import type { DataRequest } from './data-request.ts'
import { EXPOSED_SCHEMA, invalidRange } from './refusals.ts'

/** A finished answer. Without a body there is no content type either. */
export interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** Where a read's rows stand in the whole result. `total` is null when it was not asked for. */
export interface RowWindow {
  offset: number
  rows: number
  total: number | null
}

/** 206 when it is known that there is more than is sent, else 200. Throws PGRST103 for a start beyond the end. */
export function windowStatus({ offset, rows, total }: RowWindow): 200 | 206 {
  if (total === null) return 200
  if (offset > total) {
    const details = `An offset of ${offset} was requested, but there are only ${total} rows.`
    throw invalidRange(details, { 'content-range': `*/${total}` })
  }
  return rows < total ? 206 : 200
}

/** The `Content-Range` header of a read: `0-24/*`, or `*` for the rows when there are none. */
export function contentRange({ offset, rows, total }: RowWindow): string {
  const window = rows === 0 ? '*' : `${offset}-${offset + rows - 1}`
  return `${window}/${total ?? '*'}`
}

/** The headers that go with a body: its type, and the schema if the request named it. */
export function contentTypeHeaders({ format, namesProfile }: DataRequest): Record<string, string> {
  return {
    'content-type': format.contentType,
    ...(namesProfile ? { 'content-profile': EXPOSED_SCHEMA } : {}),
  }
}

/** One header, or none when there is nothing to say. */
export function optional(name: string, value: string | null): Record<string, string> {
  return value === null ? {} : { [name]: value }
}
