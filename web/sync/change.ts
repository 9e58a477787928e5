import type { Json } from '#shared/database.types.ts'
import type {
  Arguments,
  ArgumentsOf,
  CallName,
  Columns,
  InsertFields,
  TableName,
  TextFields,
  UpdateFields,
} from './schema.ts'

// Changes as features request them: of one table each, so that a column that it does not have does not compile.

export interface NewInsert<Name extends TableName> {
  kind: 'insert'
  table: Name
  /** The id of the row. */
  row: string
  fields: InsertFields<Name>
}

export interface NewUpdate<Name extends TableName> {
  kind: 'update'
  table: Name
  row: string
  /** The changed columns. */
  fields: UpdateFields<Name>
  /** The texts of the row as they were shown when the edit began. */
  base: TextFields<Name>
  /** The time that its text gets, if not when the change was made. */
  datedAt?: string | undefined
}

export interface NewDeletion<Name extends TableName> {
  kind: 'delete'
  table: Name
  row: string
  /** The texts of the row as they were shown when the deletion began. */
  base: TextFields<Name>
}

interface NewCallOf<Name extends CallName> {
  kind: 'call'
  table: TableName
  /** The name of the function, or of the change. */
  name: Name
  args: ArgumentsOf<Name>
  /** As what it shows until its rows are received, unless the rules of the table compute that. */
  shownAs?: readonly NewRowChange[]
}

export type NewRowChange<Name extends TableName = TableName> = {
  [Table in Name]: NewInsert<Table> | NewUpdate<Table> | NewDeletion<Table>
}[Name]

/** A change of many rows of a table: a call of a database function, or an update of all of them (CallRules). */
export type NewCall = { [Name in CallName]: NewCallOf<Name> }[CallName]

/** A change as features request it. */
export type NewChange<Name extends TableName = TableName> = NewRowChange<Name> | (NewCall & { table: Name })

/** Does not compile if there are other properties, even in a variable, where TypeScript itself would accept them. */
type Exact<Given, Wanted> = Given & { [Name in Exclude<keyof Given, keyof Wanted>]: never }

export function insertOf<Name extends TableName, Fields extends InsertFields<Name>>(
  table: Name,
  fields: Exact<Fields, InsertFields<Name>>,
): NewInsert<Name> {
  return { kind: 'insert', table, row: fields.id, fields }
}

export function updateOf<Name extends TableName, Fields extends UpdateFields<Name>>(
  table: Name,
  row: string,
  fields: Exact<Fields, UpdateFields<Name>>,
  base: TextFields<Name>,
): NewUpdate<Name> {
  return { kind: 'update', table, row, fields, base }
}

export function deletionOf<Name extends TableName>(
  table: Name,
  row: string,
  base: TextFields<Name>,
): NewDeletion<Name> {
  return { kind: 'delete', table, row, base }
}

// Changes as they are kept on the device. What is read there may have been written by another version of the app, with other values.

interface OfRow {
  table: TableName
  /** The id of the row. */
  row: string
}

interface InsertContent extends OfRow {
  kind: 'insert'
  fields: Columns
  /** The server had it once, but was restored from an older backup: another device may have added it again. */
  isLost?: true
  /** It keeps a text that has lost against that of another device. */
  isCopy?: true
  typedBefore?: TypedBefore
}

interface UpdateContent extends OfRow {
  kind: 'update'
  fields: Columns
  base: Columns
  /** The server had it once, but was restored from an older backup: other devices may send the same. */
  isLost?: true
  datedAt?: string | undefined
  typedBefore?: TypedBefore
}

/**
 * What the user had typed in earlier attempts that are still waiting, or may have been stored or saved although they were reported to have failed.
 * Empty if only the row says that there was one: then everything counts as typed again. Version 0.3.0 has stored the last one only.
 */
export type TypedBefore = readonly Columns[] | Columns

interface DeletionContent extends OfRow {
  kind: 'delete'
  base: Columns
}

export interface CallContent {
  kind: 'call'
  table: TableName
  name: CallName
  args: Arguments
  shownAs?: readonly RowChangeContent[]
}

type RowChangeContent = InsertContent | UpdateContent | DeletionContent

/** What a change does, without when it was made. */
export type ChangeContent = RowChangeContent | CallContent

/** What every change has. */
export interface ChangeHeader {
  /** Unique id of the change. */
  id: string
  user_id: string
  /** When it was made, as ISO 8601 text. */
  at: string
}

export type Insert = InsertContent & ChangeHeader
export type Update = UpdateContent & ChangeHeader
export type Deletion = DeletionContent &
  ChangeHeader & {
    /** All texts that were shown: those of the row, and of the rows that are deleted with it. */
    seen: readonly Json[]
  }
export type Call = CallContent & ChangeHeader

/** A change that is kept on the device until the server has answered. Changes are never merged. */
export type Change = Insert | Update | Deletion | Call

/** Why a change could not be saved. */
export type RejectionReason =
  /** The server rejected it. */
  | 'rejected'
  /** A deletion would have removed a text that was not seen here. (Of two texts, both are kept: see conflict-copies.ts.) */
  | 'conflict'
  /** The row was deleted on another device. */
  | 'deleted'
  /** It refers to a row that could not be added. */
  | 'depends'
  /** The server had it once, but was restored from an older backup. */
  | 'restored'

/** Why a change cannot be saved. */
export class Rejection extends Error {
  override name = 'Rejection'
  readonly reason: RejectionReason
  /** SQLSTATE; empty if the server did not reject it. */
  readonly code: string

  constructor(reason: RejectionReason, { code = '', message = '' } = {}) {
    super(message)
    this.reason = reason
    this.code = code
  }
}

/** A change that needs the user's decision: try again, keep a copy, or discard. */
export type RejectedChange = Change & {
  reason: RejectionReason
  /** SQLSTATE, empty if the server did not reject it. */
  code: string
  /** The server's message, empty if there is none. */
  message: string
  /** Its texts were not encrypted on the server although the account is: they may not be the user's. */
  isPlain?: true
}

/** What a change writes to its row. */
export function fieldsOf(change: ChangeContent): Columns {
  return 'fields' in change ? change.fields : {}
}
