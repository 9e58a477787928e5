import { isRecord } from '#shared/fields.ts'
import type { RecordedMigration } from '../db/migrations/recorded-schema.ts'
import {
  FOOTER_START,
  FORMAT,
  HEADER_START,
  type BackupFooter,
  type BackupHeader,
  type StoredSequence,
  type StoredTable,
} from './backup-format.ts'
import { cutOff, damaged, UnreadableBackup } from './unreadable-backup.ts'

type Members = Readonly<Record<string, unknown>>

/** Reads the first line of a backup. Throws an `UnreadableBackup` when it is none. */
export function parseHeader(line: string | null): BackupHeader {
  if (line === null || !line.startsWith(HEADER_START))
    throw new UnreadableBackup('it is no backup of Intercede')
  const header = membersOf(line.slice(HEADER_START.length))
  if (typeof header['format'] === 'number' && header['format'] > FORMAT)
    throw new UnreadableBackup('it was made by a newer version of Intercede, which is needed to restore it')
  const schema = membersIn(header['schema'])
  return {
    format: FORMAT,
    createdAt: textIn(header['createdAt']),
    postgres: textIn(header['postgres']),
    schema: {
      auth: listIn(schema['auth']).map(migrationIn),
      app: listIn(schema['app']).map(migrationIn),
    },
    tables: listIn(header['tables']).map(tableIn),
    sequences: listIn(header['sequences']).map(sequenceIn),
  }
}

/** Reads the last line of a backup. */
export function parseFooter(line: string | null): BackupFooter {
  if (line === null) throw cutOff()
  if (!line.startsWith(FOOTER_START)) throw damaged()
  const footer = membersOf(line.slice(FOOTER_START.length))
  return { rows: listIn(footer['rows']).map(countIn), sha256: textIn(footer['sha256']) }
}

function migrationIn(value: unknown): RecordedMigration {
  const { version, name, digest } = membersIn(value)
  return { version: textIn(version), name: textIn(name), digest: digest === null ? null : textIn(digest) }
}

function tableIn(value: unknown): StoredTable {
  const { schema, name, columns } = membersIn(value)
  return { schema: textIn(schema), name: textIn(name), columns: listIn(columns).map(textIn) }
}

function sequenceIn(value: unknown): StoredSequence {
  const { schema, name, value: last } = membersIn(value)
  const number = textIn(last)
  if (!/^-?\d{1,19}$/.test(number)) throw damaged()
  return { schema: textIn(schema), name: textIn(name), value: number }
}

function membersOf(json: string): Members {
  try {
    return membersIn(JSON.parse(json))
  } catch {
    throw damaged()
  }
}

function membersIn(value: unknown): Members {
  if (!isRecord(value)) throw damaged()
  return value
}

function listIn(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw damaged()
  return value
}

function textIn(value: unknown): string {
  if (typeof value !== 'string') throw damaged()
  return value
}

function countIn(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw damaged()
  return value
}
