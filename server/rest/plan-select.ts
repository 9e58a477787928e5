import type { Column, Relation } from './catalogue.ts'
import type { SelectItem } from './parse-select.ts'
import { findColumn } from './plan-conditions.ts'
import { notImplemented, unknownType } from './refusals.ts'
import { sql, type Sql } from './sql-fragment.ts'

/** One column of the answer. */
export interface SelectedColumn {
  column: Column
  /** Its name in the answer, when it is not its own. A caller's text. */
  alias: string | null
  cast: Sql | null
}

/** json_build_object takes at most 100 arguments, two for each entry. */
const MAX_ALIASED_ENTRIES = 50

/** Types that a column can be cast to, each under the names PostgreSQL knows it by. */
const CASTS: ReadonlyMap<string, Sql> = new Map<string, Sql>([
  ['text', sql`text`],
  ['varchar', sql`varchar`],
  ['int', sql`integer`],
  ['int2', sql`smallint`],
  ['int4', sql`integer`],
  ['int8', sql`bigint`],
  ['integer', sql`integer`],
  ['smallint', sql`smallint`],
  ['bigint', sql`bigint`],
  ['numeric', sql`numeric`],
  ['float4', sql`real`],
  ['float8', sql`double precision`],
  ['real', sql`real`],
  ['double precision', sql`double precision`],
  ['bool', sql`boolean`],
  ['boolean', sql`boolean`],
  ['date', sql`date`],
  ['time', sql`time`],
  ['timestamp', sql`timestamp`],
  ['timestamptz', sql`timestamptz`],
  ['interval', sql`interval`],
  ['uuid', sql`uuid`],
  ['json', sql`json`],
  ['jsonb', sql`jsonb`],
])

/** What nearly every request selects, put together once for each relation of the catalogue. */
const everything = new WeakMap<Relation, readonly SelectedColumn[]>()

/** Replaces the names in a selection by columns of the catalogue; `*` becomes all of them, in their order. */
export function planSelection(relation: Relation, items: readonly SelectItem[]): readonly SelectedColumn[] {
  const [first] = items
  if (items.length === 1 && first?.kind === 'all') return allOf(relation)
  const selection = items.flatMap((item) =>
    item.kind === 'all' ? allOf(relation) : [planItem(relation, item)],
  )
  if (isAliased(selection) && selection.length > MAX_ALIASED_ENTRIES) {
    throw notImplemented(`A selection with renamed columns can have at most ${MAX_ALIASED_ENTRIES} entries.`)
  }
  return selection
}

function allOf(relation: Relation): readonly SelectedColumn[] {
  const known = everything.get(relation)
  if (known !== undefined) return known
  const all = [...relation.columns.values()].map((column) => ({ column, alias: null, cast: null }))
  everything.set(relation, all)
  return all
}

/** Does the answer need names that the catalogue does not hold? */
export function isAliased(selection: readonly SelectedColumn[]): boolean {
  return selection.some((item) => item.alias !== null)
}

function planItem(relation: Relation, item: Extract<SelectItem, { kind: 'column' }>): SelectedColumn {
  return {
    column: findColumn(relation, item.column),
    alias: item.alias === item.column ? null : item.alias,
    cast: item.cast === null ? null : findCast(item.cast),
  }
}

function findCast(name: string): Sql {
  const cast = CASTS.get(name.toLowerCase())
  if (cast === undefined) throw unknownType(name)
  return cast
}
