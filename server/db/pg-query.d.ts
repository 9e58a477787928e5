import type { Connection, FieldDef } from 'pg'

/** What the driver's client calls on a query while the server answers, which its public types leave out. */
declare module 'pg' {
  interface Query {
    handleRowDescription(message: { fields: readonly FieldDef[] }): void
    handleDataRow(message: object): void
    handleCommandComplete(message: object, connection: Connection): void
  }
}
