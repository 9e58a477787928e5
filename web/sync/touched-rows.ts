import { forEachTable, type Rules, type TableName } from './schema.ts'

/** The rows of a table that may show differently, because what was received of them has changed or what is pending. */
interface TouchedRowsOfTable {
  readonly ids: Set<string>
  /** Those of which a deletion has come or gone: rows that are deleted with them may show differently as well. */
  readonly deletions: Set<string>
  /** Whether this is true of any row. */
  all: boolean
}

/** What the view has to compute again. */
export type TouchedRows = Readonly<Record<TableName, TouchedRowsOfTable>>

export function nothingTouched(rules: Rules): TouchedRows {
  return forEachTable(rules, () => ({ ids: new Set(), deletions: new Set(), all: false }))
}
