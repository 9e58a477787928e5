import type { Payload } from './parse-body.ts'
import type { DeletePlan, InsertPlan, Returning, UpdatePlan } from './plan-write.ts'
import type { Column, Table } from './schema-cache.ts'
import { bodyColumns, jsonRows, orderClause, selectList, whereClause } from './sql-read.ts'
import { bound, clauses, columnDefinitions, EMPTY, joinSql, sql, type Sql, trusted } from './sql.ts'

/** The single row that a write returns. */
export interface WriteResult {
  row_count: string
  body: string
  /** The number of new rows; null for statements that can't tell or need not. */
  inserted: string | null
}

export function insertSql(plan: InsertPlan): Sql {
  const { table, columns, returning } = plan
  if (columns.length === 0 && plan.payload.count !== 1) return resultSql(returning, noRows(table, returning))
  const isMerge = plan.conflict?.action === 'merge' && table.hasRowVersions
  const newRowFlag = isMerge ? unusedName(table, 'is_new') : null
  const written = clauses(
    sql`insert into ${table.identifier} as t`,
    columns.length === 0 ? sql`default values` : insertedRows(plan),
    conflictClause(plan),
    sql`returning ${returningList(returning)}`,
  )
  // `on conflict do update` locks an existing row, which sets xmax; a new row has none.
  const flagged = newRowFlag === null ? written : sql`${written}, t.xmax = 0 as ${newRowFlag}`
  return resultSql(returning, flagged, newRowFlag)
}

function insertedRows({ payload, columns, missing }: InsertPlan): Sql {
  const values = columns.map((column) => sql`b.${column.identifier}`)
  const source =
    missing === 'default' ? payloadRowsWithDefaults(payload, columns) : payloadRows(payload, columns)
  return sql`(${names(columns)}) select ${joinSql(values, ', ')} from ${source}`
}

function conflictClause({ conflict, columns }: InsertPlan): Sql {
  if (conflict === null) return EMPTY
  const target = names(conflict.columns)
  if (conflict.action === 'ignore' || columns.length === 0) return sql`on conflict (${target}) do nothing`
  const changes = columns.map((column) => sql`${column.identifier} = excluded.${column.identifier}`)
  return sql`on conflict (${target}) do update set ${joinSql(changes, ', ')}`
}

export function updateSql({ table, payload, columns, conditions, returning }: UpdatePlan): Sql {
  if (columns.length === 0) return resultSql(returning, noRows(table, returning))
  const changes = columns.map((column) => sql`${column.identifier} = b.${column.identifier}`)
  const source = sql`(select * from ${payloadRows(payload, columns)} limit 1) as b`
  const written = clauses(
    sql`update ${table.identifier} as t set ${joinSql(changes, ', ')} from ${source}`,
    whereClause(conditions),
    sql`returning ${returningList(returning)}`,
  )
  return resultSql(returning, written)
}

export function deleteSql({ table, conditions, returning }: DeletePlan): Sql {
  const written = clauses(
    sql`delete from ${table.identifier} as t`,
    whereClause(conditions),
    sql`returning ${returningList(returning)}`,
  )
  return resultSql(returning, written)
}

/** Stands for a write without any columns. Like a real write, it fails if the caller has no access to the table. */
function noRows(table: Table, returning: Returning): Sql {
  return sql`select ${returningList(returning)} from ${table.identifier} as t where false`
}

/** Only the columns that the response needs, because the caller may not be allowed to read others. */
function returningList({ selection, order }: Returning): Sql {
  const columns = new Set([...(selection ?? []), ...order.map((term) => term.column)])
  return columns.size === 0 ? sql`1 as done` : selectList([...columns])
}

/** The whole statement, with a `WriteResult`. If a single object was requested, any other number of rows fails. */
function resultSql(
  { selection, order, format }: Returning,
  written: Sql,
  newRowFlag: Sql | null = null,
): Sql {
  const columns = [
    sql`count(*) as row_count`,
    selection === null ? sql`'' as body` : bodyColumns(format),
    newRowFlag === null
      ? sql`null as inserted`
      : sql`(select count(*) from written where ${newRowFlag}) as inserted`,
    ...(format.shape === 'object' ? [sql`intercede.require_single_row(count(*))`] : []),
  ]
  const rows =
    selection === null
      ? sql`written`
      : jsonRows(clauses(sql`select ${selectList(selection)} from written as t`, orderClause(order)))
  return sql`with written as (${written}) select ${joinSql(columns, ', ')} from ${rows}`
}

/** The rows of the body as a table `b`. PostgreSQL reads the JSON and converts it to the types of the columns. */
function payloadRows({ text, shape }: Payload, columns: readonly Column[]): Sql {
  const body = sql`${bound(text)}::json`
  return shape === 'object'
    ? sql`json_to_record(${body}) as b(${columnDefinitions(columns)})`
    : sql`json_to_recordset(${body}) as b(${columnDefinitions(columns)})`
}

/** Like `payloadRows`, with the column's default in place of a missing key. */
function payloadRowsWithDefaults(payload: Payload, columns: readonly Column[]): Sql {
  const defaults = columns.flatMap((column) => {
    if (column.default === null) return []
    return sql`jsonb_build_object(${bound(column.name)}::text, ${column.default})`
  })
  if (defaults.length === 0) return payloadRows(payload, columns)
  const body = sql`${bound(payload.text)}::jsonb`
  const objects = payload.shape === 'object' ? sql`jsonb_build_array(${body})` : body
  const merged = joinSql([...defaults, sql`e.value`], ' || ')
  return sql`jsonb_array_elements(${objects}) as e(value), lateral jsonb_to_record(${merged}) as b(${columnDefinitions(columns)})`
}

function names(columns: readonly Column[]): Sql {
  return joinSql(
    columns.map((column) => column.identifier),
    ', ',
  )
}

/** `name`, with underscores appended until no column of the table has it. */
function unusedName(table: Table, name: string): Sql {
  return table.columns.has(name) ? unusedName(table, `${name}_`) : trusted(name)
}
