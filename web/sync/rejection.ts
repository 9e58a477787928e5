import {
  type Change,
  type Fields,
  type RejectedChange,
  type RejectionReason,
  type Rules,
  TABLES,
} from './schema.ts'

/** Why a change cannot be saved. */
export class Rejection extends Error {
  override name = 'Rejection'
  readonly reason: RejectionReason
  /** SQLSTATE; empty if the server did not reject it. */
  readonly code: string
  /** The fields that could not be saved; null for all of them. */
  readonly fields: Fields | null

  constructor(reason: RejectionReason, { code = '', message = '' } = {}, fields: Fields | null = null) {
    super(message)
    this.reason = reason
    this.code = code
    this.fields = fields
  }
}

/** A change that could not be saved, as it is kept for the user's decision. */
export function rejectedChange(change: Change, { reason, code, message, fields }: Rejection): RejectedChange {
  return { ...change, fields: fields ?? change.fields, reason, code, message }
}

/** Of changes from the same moment, those come first that others may refer to. */
export function byTime(a: RejectedChange, b: RejectedChange): number {
  return Date.parse(a.at) - Date.parse(b.at) || TABLES.indexOf(a.table) - TABLES.indexOf(b.table)
}

/** The later changes of a row that could not be added, and of rows that refer to it. */
export function dependentsOf(rejected: Change, later: readonly Change[], rules: Rules): readonly Change[] {
  if (rejected.kind !== 'insert') return []
  const missing = new Set([rejected.row])
  return later.filter((change) => {
    if (change.id === rejected.id) return false
    const { reference } = rules[change.table]
    const referred = reference && change.fields[reference.column]
    const depends = missing.has(change.row) || (typeof referred === 'string' && missing.has(referred))
    if (depends && change.kind === 'insert') missing.add(change.row)
    return depends
  })
}
