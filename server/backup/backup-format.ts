import { escapeIdentifier, escapeLiteral } from 'pg'
import * as v from 'valibot'

/*
 * A backup is one gzip file of text, which PostgreSQL's own psql can read as well:
 *
 *   -- Intercede backup {"format":1,…}          one line of JSON that describes the rest
 *   COPY "auth"."users" ("id", …) FROM stdin;   for each table, those that others refer to first:
 *   …                                           its rows, in the text format of COPY
 *   \.
 *   SELECT pg_catalog.setval(…);                for each sequence
 *   -- End of backup {"rows":[…],"sha256":"…"}  the number of rows of each table; a digest of everything above
 *
 * A restore never executes any of it: it compares every line that is not a row with the one that the header implies.
 */

const FORMAT = 1
const HEADER_START = '-- Intercede backup '
const FOOTER_START = '-- End of backup '
export const END_OF_ROWS = String.raw`\.`

const StoredMigration = v.object({
  version: v.string(),
  name: v.string(),
  /** SHA-256, in hexadecimal, of its normalised text; null if the history doesn't have the text. */
  digest: v.nullable(v.string()),
})

/** Generated columns are left out. */
const StoredTable = v.object({ schema: v.string(), name: v.string(), columns: v.array(v.string()) })

const StoredSequence = v.object({
  schema: v.string(),
  name: v.string(),
  /** The last number used, as text because it may exceed the integers of JavaScript. */
  value: v.pipe(v.string(), v.regex(/^-?\d{1,19}$/)),
})

const Header = v.object({
  format: v.literal(FORMAT),
  /** When it was made, in ISO 8601. */
  createdAt: v.string(),
  /** Version of the PostgreSQL that it was made from. */
  postgres: v.string(),
  /** The migrations that had been applied, which define the schema of the rows. */
  schema: v.object({ auth: v.array(StoredMigration), app: v.array(StoredMigration) }),
  tables: v.array(StoredTable),
  sequences: v.array(StoredSequence),
})

const Footer = v.object({
  /** The number of rows of each table, in the order of the header. */
  rows: v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  /** SHA-256, in hexadecimal, of all bytes before the footer. */
  sha256: v.string(),
})

export type StoredMigration = v.InferOutput<typeof StoredMigration>
export type StoredTable = v.InferOutput<typeof StoredTable>
export type StoredSequence = v.InferOutput<typeof StoredSequence>
export type BackupHeader = v.InferOutput<typeof Header>
export type BackupFooter = v.InferOutput<typeof Footer>

/** What is wrong with a file, worded to follow "FILE can't be restored: ". */
export class UnreadableBackup extends Error {
  override readonly name = 'UnreadableBackup'
}

export function damaged(): UnreadableBackup {
  return new UnreadableBackup('it is damaged')
}

export function cutOff(): UnreadableBackup {
  return new UnreadableBackup('it ends too early')
}

/** The first line, with its end. */
export function headerLine(header: Omit<BackupHeader, 'format'>): string {
  return `${HEADER_START}${JSON.stringify({ format: FORMAT, ...header })}\n`
}

/** The last line, with its end. */
export function footerLine(footer: BackupFooter): string {
  return `${FOOTER_START}${JSON.stringify(footer)}\n`
}

/** Reads the first line of a backup. Throws an `UnreadableBackup` if it is something else. */
export function parseHeader(line: string | null): BackupHeader {
  if (line === null || !line.startsWith(HEADER_START))
    throw new UnreadableBackup('it is not an Intercede backup')
  const header = parseJson(line.slice(HEADER_START.length))
  if (v.is(v.object({ format: v.pipe(v.number(), v.minValue(FORMAT + 1)) }), header))
    throw new UnreadableBackup('it was made by a newer version of Intercede, which is needed to restore it')
  return validate(Header, header)
}

/** Reads the last line of a backup. Throws an `UnreadableBackup` if it is something else. */
export function parseFooter(line: string | null): BackupFooter {
  if (line === null) throw cutOff()
  if (!line.startsWith(FOOTER_START)) throw damaged()
  return validate(Footer, parseJson(line.slice(FOOTER_START.length)))
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw damaged()
  }
}

function validate<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value)
  if (!result.success) throw damaged()
  return result.output
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

const NEWLINE = 0x0a

/** The number of rows in a piece of COPY's text format, which writes line breaks within values as `\n`. */
export function countRows(text: Buffer): number {
  let rows = 0
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) rows += 1
  return rows
}
