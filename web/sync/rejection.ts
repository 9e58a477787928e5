import { type Change, type RejectedChange, type RejectionReason, TABLES } from './schema.ts'

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

/** A change that could not be saved, as it is kept for the user's decision. */
export function rejectedChange(change: Change, { reason, code, message }: Rejection): RejectedChange {
  return { ...change, reason, code, message }
}

/** Of changes from the same moment, those come first that others may refer to. */
export function byTime(a: RejectedChange, b: RejectedChange): number {
  return Date.parse(a.at) - Date.parse(b.at) || TABLES.indexOf(a.table) - TABLES.indexOf(b.table)
}
