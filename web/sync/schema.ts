import { type GenericSchema, type InferOutput, is, type ObjectSchema } from 'valibot'
import type { Database, Json } from '#shared/database.types.ts'

type Tables = Database['public']['Tables']

/** The tables that devices keep a copy of. A row is listed after the rows it refers to. */
export const TABLES = ['categories', 'prayers', 'prayer_updates'] as const
export type TableName = (typeof TABLES)[number]

/** The tables whose rows are always read before the first screen. Those of the others only if they are few. */
export const FIRST_TABLES: readonly TableName[] = ['categories', 'prayers']
export const LATER_TABLES = TABLES.filter((table) => !FIRST_TABLES.includes(table))

export function forEachTable<Value>(create: () => Value): Record<TableName, Value> {
  return { categories: create(), prayers: create(), prayer_updates: create() }
}

/** A row as the server returns it. */
export type Row = { id: string; rev: number; [column: string]: Json }
export type RowOf<Name extends TableName> = Tables[Name]['Row']
/** The rows of each table, by id. */
export type RowsByTable = Readonly<Record<TableName, ReadonlyMap<string, Row>>>

/**
 * The type that a schema describes. Does not compile unless it is the generated one: neither wider nor narrower, without a
 * column missing or too many.
 */
export type Same<Generated extends Described, Described extends Wanted, Wanted = Generated> = Described

/** Values of columns by name. */
export type Fields = Readonly<Record<string, Json>>

/** What the synchronisation has to know about a table. */
export interface TableRules<Name extends TableName> {
  /** The order in which the rows are shown. */
  compare: (a: RowOf<Name>, b: RowOf<Name>) => number
  /** The order in which all rows are fetched, page by page: the most significant column first; the last one is unique. */
  order: readonly { column: keyof RowOf<Name> & string; descending?: boolean }[]
  /** All columns. */
  columns: readonly string[]
  /** What a row has in the columns that it may lack, because they were not used, or not known to the app that stored it. */
  defaults: Fields
  /** Whether a row, perhaps stored by another version of the app, has the columns of this table. */
  isRow: (row: Row) => row is Row & RowOf<Name>
  /** Columns with what the user has typed. */
  typed: readonly (keyof RowOf<Name> & string)[]
  /** Those of them with longer texts. Changing or deleting such a text never overwrites one that was not seen here. */
  texts: readonly (keyof RowOf<Name> & string)[]
  /** Columns that the database sets, whatever a device sends. */
  computed: readonly (keyof RowOf<Name> & string)[]
  /** The row that keeps a text which has lost against that of another device. For tables with texts. */
  conflictCopy?: (text: string, row: Row, at: string) => { table: TableName; fields: Fields }
  /** The text that such a copy keeps; any other text as it is. */
  keptText?: (text: string) => string
  /** The column that refers to a row of another table, if there is one. */
  reference: Reference<keyof RowOf<Name> & string> | null
  /** What the database sets besides the fields of an update that was made at that time. */
  derive?: (row: RowOf<Name>, update: { fields: Fields; at: string }) => Partial<RowOf<Name>>
  /** Changes of many rows at once, by name: that of a database function, unless they are sent as an update. */
  calls: Readonly<Record<string, CallRules<Name>>>
}

export interface Reference<Column extends string = string> {
  column: Column
  table: TableName
  /** Whether a row is deleted together with the row that it refers to. */
  cascades: boolean
}

/** What the synchronisation has to know about a change of many rows. */
export interface CallRules<Name extends TableName> {
  /**
   * The rows that it changes, as they are after it, unless the call itself says that (`shownAs`).
   *
   * @param rows some of those that it refers to; if it changes whatever there is, all of the table
   */
  apply?: (rows: readonly RowOf<Name>[], args: Fields) => readonly RowOf<Name>[]
  /** The ids of the rows that it changes, of any table, unless it changes whatever there is. */
  refersTo?: (args: Fields) => readonly string[]
  /** Sent in place of a call: the same update of all these rows, of the table itself and without texts. */
  update?: (args: Fields) => Fields
}

export type Rules = { readonly [Name in TableName]: TableRules<Name> }

/** The type of a column's values, with the default of a column that rows may lack. */
type ColumnSchema = GenericSchema<unknown, Json> & { readonly default?: Json | undefined }

const SIMPLE_VALUES = [null, '', 0, false]

/**
 * The rules that follow from the schema of a table's rows.
 *
 * @param schema of the types only. Other rules are the database's: a row that breaks them must show nevertheless.
 */
export function describedBy<Schema extends ObjectSchema<Readonly<Record<string, ColumnSchema>>, undefined>>(
  schema: Schema,
) {
  const entries = Object.entries(schema.entries)
  const defaults = entries.flatMap(([column, { default: value }]) =>
    value === undefined ? [] : [[column, value] as const],
  )
  // Checking simple values by their type takes a fifth of the time: thousands of rows are checked before the first screen.
  const columns = entries.map(([name, column]) => {
    const types = new Set(SIMPLE_VALUES.filter((value) => is(column, value)).map(typeOf))
    return { name, accepts: (value: Json | undefined) => types.has(typeOf(value)) || is(column, value) }
  })
  return {
    columns: entries.map(([name]) => name),
    defaults: Object.fromEntries(defaults),
    isRow: (row: Row): row is Row & InferOutput<Schema> =>
      columns.every(({ name, accepts }) => accepts(row[name])),
  }
}

function typeOf(value: Json | undefined): string {
  return value === null ? 'null' : typeof value
}

/** Names all tables and columns. A device that has stored rows without some of them fetches all rows again. */
export function formatOf(rules: Rules): string {
  return TABLES.map((table) => [table, ...rules[table].columns].join(' ')).join(', ')
}

/** A restore of the server: the epoch that it has ended, and the last revision that was in the backup. */
export interface Restore {
  epoch: string
  rev: number
}

/** Up to where this device has received the user's rows. */
export interface Cursor {
  rev: number
  /** Another epoch means that the server was restored from a backup. Null: nothing was ever written. */
  epoch: string | null
  /** The restores before this epoch, oldest first. The first versions of the app did not store them. */
  restores?: readonly Restore[]
  /** The format in which the rows were stored. The first versions of the app stored a number, or none. */
  format?: string | number
}
