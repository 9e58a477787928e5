import type { Column, Table } from './catalogue.ts'
import type { DeletePlan, InsertPlan, UpdatePlan, WrittenAnswer } from './plan-write.ts'
import { clauses, orderClause, whereClause } from './sql-conditions.ts'
import { fromCatalogue, joinSql, NOTHING, sql, type Sql } from './sql-fragment.ts'
import { payloadRows, payloadRowsWithDefaults } from './sql-payload.ts'
import { bodyText, rowJson, selectList } from './sql-rows.ts'

export interface WriteResult {
  row_count: string
  body: string
  /** How many of the rows are new; null when that does not matter. */
  inserted: string | null
  /** The primary key of the row that was added, as text; null when not asked for or when there are several rows. */
  location: string[] | null
}

/** The name under which a statement marks new rows. */
const NEW_ROW = 'is_new'

export function insertSql(plan: InsertPlan): Sql {
  const { table, columns, answer } = plan
  if (columns.length === 0 && plan.payload.count !== 1)
    return answerSql(table, answer, noRows(table, answer), null)
  const isMerge = plan.conflict?.action === 'merge' && table.hasRowVersions
  const flag = isMerge ? unusedName(table) : null
  const written = clauses(
    sql`insert into ${table.identifier} as t`,
    columns.length === 0 ? sql`default values` : insertedRows(plan),
    conflictClause(plan),
    sql`returning ${returningList(table, answer)}`,
  )
  // A row that was there before carries the lock this statement took on it; a new one carries nothing.
  const flagged = flag === null ? written : sql`${written}, t.xmax = 0 as ${flag}`
  return answerSql(table, answer, flagged, flag)
}

function insertedRows(plan: InsertPlan): Sql {
  const names = joinSql(
    plan.columns.map((column) => column.identifier),
    ', ',
  )
  const values = joinSql(
    plan.columns.map((column) => sql`b.${column.identifier}`),
    ', ',
  )
  const source =
    plan.missing === 'default'
      ? payloadRowsWithDefaults(plan.payload, plan.columns)
      : payloadRows(plan.payload, plan.columns)
  return sql`(${names}) select ${values} from ${source}`
}

function conflictClause({ conflict, columns }: InsertPlan): Sql {
  if (conflict === null) return NOTHING
  const target = joinSql(
    conflict.columns.map((column) => column.identifier),
    ', ',
  )
  if (conflict.action === 'ignore' || columns.length === 0) return sql`on conflict (${target}) do nothing`
  const changes = columns.map((column) => sql`${column.identifier} = excluded.${column.identifier}`)
  return sql`on conflict (${target}) do update set ${joinSql(changes, ', ')}`
}

export function updateSql({ table, payload, columns, conditions, answer }: UpdatePlan): Sql {
  if (columns.length === 0) return answerSql(table, answer, noRows(table, answer), null)
  const changes = columns.map((column) => sql`${column.identifier} = b.${column.identifier}`)
  const source = sql`(select * from ${payloadRows(payload, columns)} limit 1) as b`
  const written = clauses(
    sql`update ${table.identifier} as t set ${joinSql(changes, ', ')} from ${source}`,
    whereClause(conditions),
    sql`returning ${returningList(table, answer)}`,
  )
  return answerSql(table, answer, written, null)
}

export function deleteSql({ table, conditions, answer }: DeletePlan): Sql {
  const written = clauses(
    sql`delete from ${table.identifier} as t`,
    whereClause(conditions),
    sql`returning ${returningList(table, answer)}`,
  )
  return answerSql(table, answer, written, null)
}

/** A change of nothing: still refused to whoever may not see the table. */
function noRows(table: Table, answer: WrittenAnswer): Sql {
  return sql`select ${returningList(table, answer)} from ${table.identifier} as t where false`
}

/** Only the columns that the answer needs: reading others may not be allowed. */
function returningList(table: Table, answer: WrittenAnswer): Sql {
  const columns = new Set<Column>(
    answer.tells === 'location'
      ? table.primaryKey
      : [...answer.selection.map((item) => item.column), ...answer.order.map((term) => term.column)],
  )
  if (columns.size === 0) return sql`1 as done`
  return joinSql(
    [...columns].map((column) => sql`t.${column.identifier}`),
    ', ',
  )
}

/** The whole statement: change the rows, then tell of them. For a single object, any other number undoes it all. */
function answerSql(table: Table, answer: WrittenAnswer, written: Sql, flag: Sql | null): Sql {
  const tellsRows = answer.tells === 'rows'
  const body = tellsRows ? bodyText(rowJson(answer.selection), answer.format) : sql`''`
  const rows = tellsRows
    ? sql`(${clauses(sql`select ${selectList(answer.selection)} from written as t`, orderClause(answer.order))}) r`
    : sql`written`
  const columns = [
    sql`count(*) as row_count`,
    sql`${body} as body`,
    sql`${flag === null ? sql`null` : sql`(select count(*) from written where ${flag})`} as inserted`,
    sql`${locationSql(table, answer)} as location`,
    ...(answer.format.shape === 'object' ? [sql`intercede.require_single_row(count(*))`] : []),
  ]
  return sql`with written as (${written}) select ${joinSql(columns, ', ')} from ${rows}`
}

function locationSql(table: Table, answer: WrittenAnswer): Sql {
  if (answer.tells !== 'location' || table.primaryKey.length === 0) return sql`null`
  const key = table.primaryKey.map((column) => sql`t.${column.identifier}::text`)
  return sql`case when count(*) = 1 then (select array[${joinSql(key, ', ')}] from written as t) end`
}

function unusedName(table: Table): Sql {
  let name = NEW_ROW
  while (table.columns.has(name)) name += '_'
  return fromCatalogue(name)
}
