import type { Operation } from '#web/lib/error-message.ts'
import type { NewRowChange } from '#web/sync/change.ts'
import type { CallRules, CallName, Reference, RowOf, TableName, TableRules } from '#web/sync/schema.ts'

/** All that the app knows about a table: what the synchronisation needs, and how messages speak of its rows. */
export interface TableDefinition<Name extends TableName> extends TableRules<Name> {
  /** What a row is called, such as `Prayer`. */
  rowName: string
  /** What fails, in messages. */
  operations: Readonly<Record<'fetch' | NewRowChange['kind'], Operation>>
  /** Why a row cannot be deleted that others refer to. */
  inUse?: string
  /** With what the row that is referred to is called. */
  reference: (Reference<keyof RowOf<Name> & string> & { rowName: string }) | null
  calls: { readonly [Call in CallName]?: CallRules<Name> & { operation?: Operation } }
}

export type TableDefinitions = { readonly [Name in TableName]: TableDefinition<Name> }
