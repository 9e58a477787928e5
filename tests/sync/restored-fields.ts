import type { Json } from '#shared/database.types.ts'
import { textsIn } from '#web/data/prayers.ts'
import { TABLES } from '#web/data/tables.ts'
import { type CallContent, type ChangeContent, type RejectedChange, fieldsOf } from '#web/sync/change.ts'
import { pick } from '#web/sync/conflicts.ts'
import { type Columns, type Row, type TableName, tablesOf } from '#web/sync/schema.ts'
import type { Contents } from '#web/sync/storage.ts'

/**
 * Fields that are not texts, or that are names. Not the order of categories, which calls renumber, nor dates that the database sets.
 */
const FIELDS = {
  categories: ['name', 'is_visible', 'pray_days'],
  prayers: ['category_id', 'person_name', 'resolved', 'due_on', 'due_repeats', 'pray_days', 'resting_until'],
  prayer_updates: [],
} satisfies Readonly<Record<TableName, readonly (keyof Columns)[]>>

type Rows = Readonly<Record<TableName, readonly Row[]>>

/** What the server has when a backup is made. */
interface Backup {
  rows: Rows
  /** How many changes had been made. */
  made: number
}

/** Remembers what the devices have when the server is restored, to find out at the end whether a field has gone back to the backup. */
export interface RestoredFields {
  /** A user has made a change. */
  add: (made: ChangeContent) => void
  backUp: (rows: Rows) => Backup
  /** @param stored what each device has stored */
  restore: (backup: Backup, stored: readonly Contents[]) => void
  /** @param failed changes that could not be saved */
  mistakes: (rows: Rows, failed: readonly RejectedChange[]) => readonly string[]
}

export function createRestoredFields(): RestoredFields {
  let made = 0
  /** When each value was given to a field first. */
  const firstSet = new Map<string, number>()
  /** What each field may be after the latest restore; anything if there is no entry. */
  let allowed = new Map<string, Set<string>>()

  const set = (id: string, fields: Columns) => {
    for (const [name, value] of Object.entries(fields)) {
      const [key, text] = [keyOf(id, name), JSON.stringify(value)]
      if (!firstSet.has(key + text)) firstSet.set(key + text, made)
      allowed.get(key)?.add(text)
    }
  }
  return {
    add: (change) => {
      made += 1
      if (change.kind === 'call') {
        for (const [id, fields] of movedRows(change)) set(id, fields)
        for (const shown of change.shownAs ?? [])
          if (shown.table === 'prayers') for (const resolved of [true, false]) set(shown.row, { resolved })
        return
      }
      if (change.kind === 'insert') set(change.row, { due_on: null, due_repeats: null, pray_days: null })
      set(change.row, withDerived(fieldsOf(change)))
    },
    backUp: (rows) => ({ rows, made }),
    restore: (backup, stored) => {
      const backedUp = valuesIn(backup.rows)
      const devices = stored.map((contents) => ({
        values: valuesWithChanges(contents),
        isComplete: contents.cursor !== null,
      }))
      allowed = new Map()
      for (const field of new Set(devices.flatMap(({ values }) => [...values.keys()]))) {
        const known = devices.flatMap(({ values }) => values.get(field) ?? [])
        // What has no newer value takes that of the backup, and something else of the row may then be changed there.
        const isNewer = devices.every(({ values, isComplete }) => {
          const value = values.get(field)
          return isComplete && value !== undefined && (firstSet.get(field + value) ?? 0) > backup.made
        })
        const older = isNewer ? undefined : backedUp.get(field)
        allowed.set(field, new Set(older === undefined ? known : [...known, older]))
      }
    },
    mistakes: (rows, failed) => {
      const failedFields = new Set(
        failed.flatMap((change) =>
          change.kind === 'call'
            ? movedRows(change).map(([id]) => keyOf(id, 'category_id'))
            : Object.keys(fieldsOf(change)).map((name) => keyOf(change.row, name)),
        ),
      )
      return [...valuesIn(rows)].flatMap(([field, value]) => {
        const values = allowed.get(field)
        if (!values || values.has(value) || failedFields.has(field)) return []
        return [`${field} is ${value} instead of ${[...values].join(' or ')}`]
      })
    },
  }
}

type Values = Map<string, string>

/** The values of the fields, as JSON. */
function valuesIn(rows: Rows): Values {
  const values: Values = new Map()
  for (const table of tablesOf(TABLES)) for (const row of rows[table]) setValues(values, table, row.id, row)
  return values
}

/** As the device shows them. */
function valuesWithChanges({ rows, outbox }: Contents): Values {
  const values: Values = new Map()
  for (const { table, row } of rows) setValues(values, table, row.id, row)
  for (const { change } of outbox) {
    if (change.kind === 'call')
      for (const [id, { category_id }] of movedRows(change))
        values.set(keyOf(id, 'category_id'), JSON.stringify(category_id))
    for (const shown of change.kind === 'call' ? (change.shownAs ?? []) : [change]) {
      const { kind, table, row } = shown
      // The server may reject it.
      if (kind === 'delete') continue
      const isKnown = FIELDS[table].some((name) => values.has(keyOf(row, name)))
      if (kind === 'insert' && !isKnown) setValues(values, table, row, shown.fields)
      // Of an insert that was typed again, what the user types.
      const changed = kind === 'insert' ? pick(shown.fields, TABLES[table].typed) : withDerived(shown.fields)
      for (const [name, value] of Object.entries(changed)) values.set(keyOf(row, name), JSON.stringify(value))
    }
  }
  return values
}

/** The prayers that a change moves, with their category; none if it does something else. */
function movedRows({ name, args }: CallContent): readonly [id: string, fields: { category_id: Json }][] {
  const { category_id = null } = args
  if (name !== 'move_prayers') return []
  return textsIn(args.prayer_ids).map((id) => [id, { category_id }])
}

function setValues(values: Values, table: TableName, id: string, row: Columns): void {
  for (const name of FIELDS[table]) values.set(keyOf(id, name), JSON.stringify(row[name] ?? null))
}

/** The database removes the repetition with the date. */
function withDerived(fields: Columns): Columns {
  return fields.due_on === null ? { ...fields, due_repeats: null } : fields
}

function keyOf(id: string, name: string): string {
  return `${id} ${name}`
}
