import type { Pool } from 'pg'
import type { Clock } from '../services.ts'
import { type ColumnRow, readCatalogueRows, type RoutineRow, type TableRow } from './catalogue-rows.ts'
import { fromCatalogue, identifier, sql, type Sql } from './sql-fragment.ts'

export interface Column {
  readonly name: string
  /** The quoted name. */
  readonly identifier: Sql
  readonly type: Sql
  /** What the database fills in when nothing is given; null for nothing. */
  readonly default: Sql | null
}

/** Something that has named columns: a table, a view, or the rows that a function returns. */
export interface Relation {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
}

export interface Table extends Relation {
  /** The quoted name with its schema. */
  readonly identifier: Sql
  readonly primaryKey: readonly Column[]
  /** Does each row say which transaction made it? True for ordinary tables. */
  readonly hasRowVersions: boolean
}

export interface Parameter {
  readonly name: string
  readonly identifier: Sql
  readonly type: Sql
  readonly isRequired: boolean
  readonly isVariadic: boolean
}

export interface Routine extends Relation {
  readonly identifier: Sql
  readonly volatility: RoutineRow['volatility']
  readonly parameters: ReadonlyMap<string, Parameter>
  readonly returns: 'void' | 'scalar' | 'rows'
  readonly returnsSet: boolean
  /** As in an error text: `public.name(a => uuid)`. */
  readonly signature: string
}

interface Snapshot {
  tables: ReadonlyMap<string, Table>
  routines: ReadonlyMap<string, readonly Routine[]>
}

const REFRESH_INTERVAL_MS = 1000

/**
 * What can be reached over the API: the tables and functions of schema `public`, as the database said when last
 * asked. A lookup that finds nothing asks again, at most once a second, so that unknown names cost the database little.
 */
export class Catalogue {
  readonly #pool: Pool
  readonly #clock: Clock
  #snapshot: Snapshot
  #readAt: number
  #refreshing: Promise<void> | null = null

  private constructor(pool: Pool, clock: Clock, snapshot: Snapshot) {
    this.#pool = pool
    this.#clock = clock
    this.#snapshot = snapshot
    this.#readAt = clock.now().getTime()
  }

  /** Reads the catalogue for the first time. */
  static async load(pool: Pool, clock: Clock): Promise<Catalogue> {
    return new Catalogue(pool, clock, await readSnapshot(pool))
  }

  /** The table or view of that name; null if none was there when the database was last asked. */
  table(name: string): Table | null {
    return this.#snapshot.tables.get(name) ?? null
  }

  /** The functions of that name. */
  routines(name: string): readonly Routine[] {
    return this.#snapshot.routines.get(name) ?? []
  }

  /** Asks the database again, unless that was just done; tells whether it did. */
  async refresh(): Promise<boolean> {
    if (this.#refreshing === null) {
      const now = this.#clock.now().getTime()
      // A clock that was set back must not keep it from asking.
      if (Math.abs(now - this.#readAt) < REFRESH_INTERVAL_MS) return false
      this.#readAt = now
      this.#refreshing = this.#readAgain()
    }
    await this.#refreshing
    return true
  }

  async #readAgain(): Promise<void> {
    try {
      this.#snapshot = await readSnapshot(this.#pool)
    } finally {
      this.#refreshing = null
    }
  }
}

async function readSnapshot(pool: Pool): Promise<Snapshot> {
  const rows = await readCatalogueRows(pool)
  const routines = new Map<string, Routine[]>()
  for (const row of rows.routines) {
    const routine = toRoutine(row)
    if (routine !== null) routines.set(row.name, [...(routines.get(row.name) ?? []), routine])
  }
  return { tables: new Map(rows.tables.map((row) => [row.name, toTable(row)])), routines }
}

/** A table as the catalogue describes it. */
export function toTable(row: TableRow): Table {
  const columns = toColumns(row.columns)
  const primaryKey = row.primary_key.flatMap((name) => columns.get(name) ?? [])
  return {
    name: row.name,
    identifier: inPublic(row.name),
    columns,
    primaryKey,
    hasRowVersions: row.has_row_versions,
  }
}

/** A function as the catalogue describes it; null for one that cannot be called over the API. */
export function toRoutine(row: RoutineRow): Routine | null {
  if (row.returns === 'unsupported') return null
  const listed = row.parameters.map((parameter) => `${parameter.name} => ${parameter.type}`)
  return {
    name: row.name,
    identifier: inPublic(row.name),
    volatility: row.volatility,
    parameters: new Map(
      row.parameters.map((parameter) => [
        parameter.name,
        {
          name: parameter.name,
          identifier: identifier(parameter.name),
          type: fromCatalogue(parameter.type),
          isRequired: parameter.is_required,
          isVariadic: parameter.is_variadic,
        },
      ]),
    ),
    returns: row.returns,
    returnsSet: row.returns_set,
    columns: toColumns(row.columns ?? []),
    signature: `public.${row.name}(${listed.join(', ')})`,
  }
}

function toColumns(rows: readonly ColumnRow[]): ReadonlyMap<string, Column> {
  return new Map(
    rows.map((row) => [
      row.name,
      {
        name: row.name,
        identifier: identifier(row.name),
        type: fromCatalogue(row.type),
        default: row.default === null ? null : fromCatalogue(`(${row.default})`),
      },
    ]),
  )
}

function inPublic(name: string): Sql {
  return sql`"public".${identifier(name)}`
}
