import { escapeIdentifier, escapeLiteral } from 'pg'
import type { RecordedSchema } from '../db/migrations/recorded-schema.ts'

/*
 * A backup is one gzip file of text, which PostgreSQL's own psql can read as well:
 *
 *   -- Intercede backup {"format":1,…}          one line of JSON: what the rest holds
 *   COPY "auth"."users" ("id", …) FROM stdin;   for each table, in an order that references allow:
 *   …                                           its rows, in the text format of COPY
 *   \.
 *   SELECT pg_catalog.setval(…);                for each sequence
 *   -- End of backup {"rows":[…],"sha256":"…"}  rows of each table; digest of all that stands above
 *
 * Nothing of it is ever executed by a restore: every line that is not a row is compared with what the first one makes
 * it out to be.
 */

export const FORMAT = 1
export const HEADER_START = '-- Intercede backup '
export const FOOTER_START = '-- End of backup '
export const END_OF_ROWS = String.raw`\.`

/** A table with those of its columns that are stored; others are computed from them. */
export interface StoredTable {
  schema: string
  name: string
  columns: readonly string[]
}

export interface StoredSequence {
  schema: string
  name: string
  /** The last number given out, as text, because it may be larger than JavaScript counts. */
  value: string
}

export interface BackupHeader {
  format: number
  /** When it was made, in ISO 8601. */
  createdAt: string
  /** Version of the PostgreSQL that it was made from. */
  postgres: string
  /** Which migrations the database had: the schema that the rows fit. */
  schema: RecordedSchema
  tables: readonly StoredTable[]
  sequences: readonly StoredSequence[]
}

export interface BackupFooter {
  /** Rows of each table, in the order of the header. */
  rows: readonly number[]
  /** SHA-256, in hexadecimal, of all bytes before the footer. */
  sha256: string
}

/** The name of a table or sequence, quoted for SQL. */
export function qualifiedName({ schema, name }: { schema: string; name: string }): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`
}

export function copyFrom(table: StoredTable): string {
  return `COPY ${qualifiedName(table)} (${table.columns.map(escapeIdentifier).join(', ')}) FROM stdin;`
}

export function copyTo(table: StoredTable): string {
  return `COPY ${qualifiedName(table)} (${table.columns.map(escapeIdentifier).join(', ')}) TO STDOUT`
}

export function setSequence(sequence: StoredSequence): string {
  return `SELECT pg_catalog.setval(${escapeLiteral(qualifiedName(sequence))}, ${sequence.value}, true);`
}
