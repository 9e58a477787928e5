import type { Pool } from 'pg'
import type { Clock } from '../services.ts'
import { type ColumnRow, introspectSchema, type RoutineRow, type TableRow } from './schema-introspection.ts'
import { identifier, sql, type Sql, trusted } from './sql.ts'

export interface Column {
  readonly name: string
  /** The quoted name. */
  readonly identifier: Sql
  readonly type: Sql
  /** The column's default; null if it has none. */
  readonly default: Sql | null
}

/** A table, a view, or the rows that a function returns. */
export interface Relation {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
}

export interface Table extends Relation {
  /** The quoted name with its schema. */
  readonly identifier: Sql
  readonly primaryKey: readonly Column[]
  /** Whether rows have the system column `xmax`. True for ordinary tables. */
  readonly hasRowVersions: boolean
}

export interface RoutineParameter {
  readonly name: string
  readonly identifier: Sql
  readonly type: Sql
  readonly isRequired: boolean
  readonly isVariadic: boolean
}

/** A function. Its columns are those of the rows it returns; none if it returns plain values. */
export interface Routine extends Relation {
  readonly identifier: Sql
  readonly volatility: RoutineRow['volatility']
  readonly parameters: ReadonlyMap<string, RoutineParameter>
  /** What is unsupported can't be called, but calls of its namesakes can be ambiguous because of it. */
  readonly returns: RoutineRow['returns']
  readonly returnsSet: boolean
  /** Its setting `statement_timeout`, in milliseconds. As in PostgREST, the limit of calls. */
  readonly statementTimeout: number | null
  /** For error messages: `public.name(a => uuid)`. */
  readonly signature: string
}

interface Schema {
  tables: ReadonlyMap<string, Table>
  routines: ReadonlyMap<string, readonly Routine[]>
}

const MIN_REFRESH_INTERVAL_MS = 1000

/**
 * The tables and functions of schema `public`, which are all that the API exposes, as of the last refresh. Requests
 * refresh it when they name something unknown, at most once a second, so that unknown names put no load on the database.
 */
export class SchemaCache {
  readonly #pool: Pool
  readonly #clock: Clock
  #schema: Schema
  #refreshedAt: number
  #refreshing: Promise<void> | null = null

  private constructor(pool: Pool, clock: Clock, schema: Schema) {
    this.#pool = pool
    this.#clock = clock
    this.#schema = schema
    this.#refreshedAt = clock.now().getTime()
  }

  static async load(pool: Pool, clock: Clock): Promise<SchemaCache> {
    return new SchemaCache(pool, clock, await readSchema(pool))
  }

  /** The table or view of that name; null if there is none. */
  table(name: string): Table | null {
    return this.#schema.tables.get(name) ?? null
  }

  /** All functions of that name; they differ in their parameters. */
  routines(name: string): readonly Routine[] {
    return this.#schema.routines.get(name) ?? []
  }

  /** Reads the schema again. Resolves to false if that was done less than a second ago. */
  async refresh(): Promise<boolean> {
    if (this.#refreshing === null) {
      const now = this.#clock.now().getTime()
      // The clock may have been set back, so the difference may be negative.
      if (Math.abs(now - this.#refreshedAt) < MIN_REFRESH_INTERVAL_MS) return false
      this.#refreshedAt = now
      this.#refreshing = this.#reload()
    }
    await this.#refreshing
    return true
  }

  async #reload(): Promise<void> {
    try {
      this.#schema = await readSchema(this.#pool)
    } finally {
      this.#refreshing = null
    }
  }
}

async function readSchema(pool: Pool): Promise<Schema> {
  const rows = await introspectSchema(pool)
  const routines = new Map<string, Routine[]>()
  for (const row of rows.routines) {
    routines.set(row.name, [...(routines.get(row.name) ?? []), toRoutine(row)])
  }
  for (const overloads of routines.values()) overloads.sort(byParameters)
  return { tables: new Map(rows.tables.map((row) => [row.name, toTable(row)])), routines }
}

export function toTable(row: TableRow): Table {
  const columns = toColumns(row.columns)
  const primaryKey = row.primary_key.flatMap((name) => columns.get(name) ?? [])
  return {
    name: row.name,
    identifier: qualified(row.name),
    columns,
    primaryKey,
    hasRowVersions: row.has_row_versions,
  }
}

/** PostgREST's order of functions with the same name (src/PostgREST/SchemaCache/Routine.hs): first those with the fewest parameters. */
function byParameters(one: Routine, other: Routine): number {
  return one.parameters.size - other.parameters.size || (one.signature < other.signature ? -1 : 1)
}

export function toRoutine(row: RoutineRow): Routine {
  const parameters = row.parameters.map((parameter) => `${parameter.name} => ${parameter.type}`)
  return {
    name: row.name,
    identifier: qualified(row.name),
    volatility: row.volatility,
    parameters: new Map(
      row.parameters.map((parameter) => [
        parameter.name,
        {
          name: parameter.name,
          identifier: identifier(parameter.name),
          type: trusted(parameter.type),
          isRequired: parameter.is_required,
          isVariadic: parameter.is_variadic,
        },
      ]),
    ),
    returns: row.returns,
    returnsSet: row.returns_set,
    statementTimeout: row.statement_timeout,
    columns: toColumns(row.columns ?? []),
    signature: `public.${row.name}(${parameters.join(', ')})`,
  }
}

function toColumns(rows: readonly ColumnRow[]): ReadonlyMap<string, Column> {
  return new Map(
    rows.map((row) => [
      row.name,
      {
        name: row.name,
        identifier: identifier(row.name),
        type: trusted(row.type),
        default: row.default === null ? null : trusted(`(${row.default})`),
      },
    ]),
  )
}

function qualified(name: string): Sql {
  return sql`"public".${identifier(name)}`
}
