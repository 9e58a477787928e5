import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { to } from 'pg-copy-streams'
import { SHARED_LOCK } from '../db/migrations/migrate.ts'
import { readRecordedSchema } from '../db/migrations/recorded-schema.ts'
import {
  copyFrom,
  copyTo,
  END_OF_ROWS,
  FOOTER_START,
  FORMAT,
  HEADER_START,
  qualifiedName,
  setSequence,
  type BackupFooter,
  type BackupHeader,
} from './backup-format.ts'
import { countLines } from './count-lines.ts'
import { readStoredSequences, readStoredTables } from './stored-tables.ts'

/** Bytes that are passed on at once. */
const CHUNK = 65_536

/**
 * The text of a backup: all that the database holds at one moment, whatever is written to it meanwhile. `now` is the
 * time that it is marked with. Migrations wait until the connection is closed.
 */
export async function* writeBackup(client: Client, now: Date): AsyncGenerator<Buffer> {
  await client.query(SHARED_LOCK)
  const schema = await readRecordedSchema(client)
  const tables = await readStoredTables(client)
  await client.query('begin isolation level repeatable read, read only')
  // The locks come before the snapshot, which the first query takes: no table can change its shape in between.
  await client.query(`lock table ${tables.map(qualifiedName).join(', ')} in access share mode`)
  const hash = createHash('sha256')
  const rows: number[] = []
  for await (const chunk of inChunks(textOf(client, await describe(client, { schema, tables }, now), rows))) {
    hash.update(chunk)
    yield chunk
  }
  await client.query('commit')
  const footer: BackupFooter = { rows, sha256: hash.digest('hex') }
  yield Buffer.from(`${FOOTER_START}${JSON.stringify(footer)}\n`)
}

async function describe(
  client: Client,
  known: Pick<BackupHeader, 'schema' | 'tables'>,
  now: Date,
): Promise<BackupHeader> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  return {
    format: FORMAT,
    createdAt: now.toISOString(),
    postgres: rows[0]?.version ?? '',
    ...known,
    // Sequences know no snapshot: read after it was taken, they are ahead of every row in it.
    sequences: await readStoredSequences(client),
  }
}

/** Everything above the footer. Adds the number of rows of each table to `rows`. */
async function* textOf(client: Client, header: BackupHeader, rows: number[]): AsyncGenerator<Buffer> {
  yield Buffer.from(`${HEADER_START}${JSON.stringify(header)}\n`)
  for (const table of header.tables) {
    yield Buffer.from(`${copyFrom(table)}\n`)
    let count = 0
    for await (const chunk of client.query(to(copyTo(table)))) {
      if (!Buffer.isBuffer(chunk)) throw new Error('COPY gave something other than bytes.')
      count += countLines(chunk)
      yield chunk
    }
    rows.push(count)
    yield Buffer.from(`${END_OF_ROWS}\n`)
  }
  for (const sequence of header.sequences) yield Buffer.from(`${setSequence(sequence)}\n`)
}

/** PostgreSQL sends row by row; what follows works on larger pieces. */
async function* inChunks(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const part of parts) {
    waiting.push(part)
    size += part.length
    if (size < CHUNK) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  yield Buffer.concat(waiting)
}
