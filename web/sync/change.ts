import type { Json } from '#shared/database.types.ts'
import type { Fields, TableName } from './schema.ts'

interface RowChange {
  table: TableName
  /** The id of the row. */
  row: string
}

interface NewInsert extends RowChange {
  kind: 'insert'
  /** All columns. */
  fields: Fields
  /** The server had it once, but was restored from an older backup: another device may have added it again. */
  isLost?: true
  /** It keeps a text that has lost against that of another device. */
  isCopy?: true
}

interface NewUpdate extends RowChange {
  kind: 'update'
  /** The changed columns. */
  fields: Fields
  /** The texts of the row as they were shown when the edit began. */
  base: Fields
  /** The server had it once, but was restored from an older backup: other devices may send the same. */
  isLost?: true
}

interface NewDeletion extends RowChange {
  kind: 'delete'
  /** The texts of the row as they were shown when the deletion began. */
  base: Fields
}

/** A change of many rows of a table: a call of a database function, or an update of all of them (CallRules). */
export interface NewCall {
  kind: 'call'
  table: TableName
  /** The name of the function, or of the change. */
  name: string
  args: Fields
  /** As what it shows until its rows are received, unless the rules of the table compute that. */
  shownAs?: readonly NewRowChange[]
}

export type NewRowChange = NewInsert | NewUpdate | NewDeletion

/** A change as features request it. */
export type NewChange = NewRowChange | NewCall

/** What every change has. */
export interface Made {
  /** Unique id of the change. */
  id: string
  user_id: string
  /** When it was made, as ISO 8601 text. */
  at: string
}

export type Insert = NewInsert & Made
export type Update = NewUpdate & Made
export type Deletion = NewDeletion &
  Made & {
    /** All texts that were shown: those of the row, and of the rows that are deleted with it. */
    seen: readonly Json[]
  }
export type Call = NewCall & Made

/** A change that is kept on the device until the server has answered. Changes are never merged or reordered. */
export type Change = Insert | Update | Deletion | Call

/** Why a change could not be saved. */
export type RejectionReason =
  /** The server rejected it. */
  | 'rejected'
  /** A deletion would have removed a text that was not seen here. (Of two texts, both are kept: see send-change.ts.) */
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
}

/** What a change writes: the columns of a row, or the arguments of a function. */
export function valuesOf(change: NewChange): Fields {
  if (change.kind === 'delete') return {}
  return change.kind === 'call' ? change.args : change.fields
}
