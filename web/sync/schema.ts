import { type GenericSchema, type InferOutput, is, type ObjectSchema } from 'valibot'
import type { Database, Json } from '#shared/database.types.ts'

type Tables = Database['public']['Tables']

/** The tables that devices keep a copy of: those with numbered rows. */
export type TableName = {
  [Name in keyof Tables]: Tables[Name]['Row'] extends { id: string; rev: number } ? Name : never
}[keyof Tables]

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

/** The columns of a new row. */
export type InsertFields<Name extends TableName> = Omit<Tables[Name]['Insert'], 'rev'> &
  Pick<RowOf<Name>, 'id' | 'user_id' | 'created_at'>
/** Columns of a row that are changed. */
export type UpdateFields<Name extends TableName> = Partial<Omit<RowOf<Name>, 'id' | 'user_id' | 'rev'>>
/** Columns of a row with texts. */
export type TextFields<Name extends TableName> = {
  [
    Column in keyof RowOf<Name> as RowOf<Name>[Column] extends string | null ? Column : never
  ]?: RowOf<Name>[Column]
}

type Functions = Database['public']['Functions']

/** The database functions that take arguments. */
type FunctionName = {
  [Name in keyof Functions]: [Functions[Name]['Args']] extends [never] ? never : Name
}[keyof Functions]

/** The arguments of changes of many rows, by name: of the database functions, and of those that are sent as an update. */
type Calls = { [Name in FunctionName]: Functions[Name]['Args'] } & {
  move_prayers: { prayer_ids: string[]; category_id: string }
}
export type CallName = keyof Calls
export type ArgumentsOf<Name extends CallName> = Calls[Name]

/** Values of columns of any table, as they are kept: perhaps by another version of the app, so that their types are not known. */
export type Columns = {
  readonly [Column in { [Name in TableName]: keyof RowOf<Name> }[TableName]]?: Json
}
/** Values of arguments of any change of many rows, as they are kept. */
export type Arguments = {
  readonly [Argument in { [Name in CallName]: keyof ArgumentsOf<Name> }[CallName]]?: Json
}

/** Values by any name, for reading. */
export type Values = Readonly<Record<string, Json>>

/** What an update sets besides its fields follows from these. */
export interface DerivedFrom {
  fields: Columns
  base: Columns
  /** When it was made. */
  at: string
  /** The time that its text gets, if that is another one. */
  datedAt?: string | undefined
}

/** What the synchronisation has to know about a table. */
export interface TableRules<Name extends TableName> {
  name: Name
  /** Whether its rows are read after the first screen unless they are few. Those of other tables are always read before. */
  isReadLater?: true
  /** The order in which the rows are shown. */
  compare: (a: RowOf<Name>, b: RowOf<Name>) => number
  /** The order in which all rows are fetched, page by page: the most significant column first; the last one is unique. */
  order: readonly { column: keyof RowOf<Name> & string; descending?: boolean }[]
  /** All columns. */
  columns: readonly string[]
  /** What a row has in the columns that it may lack, because they were not used, or not known to the app that stored it. */
  defaults: Values
  /** Whether a row, perhaps stored by another version of the app, has the columns of this table. */
  isRow: (row: Row) => row is Row & RowOf<Name>
  /** Columns with what the user has typed. */
  typed: readonly (keyof RowOf<Name> & string)[]
  /** Those of them with longer texts. Changing or deleting such a text never overwrites one that was not seen here. */
  texts: readonly (keyof RowOf<Name> & string)[]
  /** The text that the database moves to another row, as it does with an answer when its prayer is reopened. */
  movedText?: MovedText<keyof RowOf<Name> & string>
  /** Columns that the database sets, whatever a device sends. */
  computed: readonly (keyof RowOf<Name> & string)[]
  /**
   * The row that keeps a text which has lost against that of another device. For tables with texts.
   *
   * @param owner the id of the row, or of that with which it is deleted
   */
  conflictCopy?: (owner: string, text: string, at: string) => Copy
  /** The text that such a copy keeps; any other text as it is. */
  keptText?: (text: string) => string
  /** The column that refers to a row of another table, if there is one. */
  reference: Reference<keyof RowOf<Name> & string> | null
  /** What an update sets besides its fields, as the database would. It is sent with them, to servers that know the columns. */
  derive?: (update: DerivedFrom) => Partial<RowOf<Name>>
  /** The time that `derive` has set in a row, or that of the row if it was not changed since. */
  datedAt?: (row: Values) => string | undefined
  /** Changes of many rows at once, by name: that of a database function, unless they are sent as an update. */
  calls: { readonly [Call in CallName]?: CallRules<Name> }
}

/** A new row that keeps a text. It gets its id and owner later. */
export type Copy<Name extends TableName = TableName> = {
  [Table in Name]: { table: Table; fields: Omit<InsertFields<Table>, 'id' | 'user_id'> }
}[Name]

export interface MovedText<Column extends string = string> {
  name: Column
  /** What the database changes with it. */
  with: readonly Column[]
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
  apply?: (rows: readonly RowOf<Name>[], args: Arguments) => readonly RowOf<Name>[]
  /** The ids of the rows that it changes, of any table, unless it changes whatever there is. */
  refersTo?: (args: Arguments) => readonly string[]
  /** Sent in place of a call: the same update of all these rows, of the table itself and without texts. */
  update?: (args: Arguments) => Columns
}

/** The rules of each table, which is listed after the tables that its rows refer to. */
export type Rules = { readonly [Name in TableName]: TableRules<Name> }

/** The tables, in the order of their rules. */
export function tablesOf(rules: Rules): readonly TableName[] {
  return Object.values(rules).map(({ name }) => name)
}

/** Creates a value for each table. */
export function forEachTable<Value>(rules: Rules, create: () => Value): Record<TableName, Value> {
  const tables = tablesOf(rules)
  const values: Partial<Record<TableName, Value>> = {}
  for (const table of tables) values[table] = create()
  const hasAll = (some: typeof values): some is Record<TableName, Value> =>
    tables.every((table) => table in some)
  if (!hasAll(values)) throw new Error('A table has no rules.')
  return values
}

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
  return Object.values(rules)
    .map(({ name, columns }) => [name, ...columns].join(' '))
    .join(', ')
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
  /** The keys with which the texts of the rows were opened; see `Encryption.keyIds`. */
  keys?: string
}
