import type { ReadPlan, RowsPlan } from './plan-read.ts'
import { clauses, orderClause, whereClause } from './sql-conditions.ts'
import { bound, NOTHING, sql, type Sql } from './sql-fragment.ts'
import { bodyText, rowJson, selectList } from './sql-rows.ts'

/** Counts come as text: the driver keeps 64-bit numbers exact. */
export interface ReadResult {
  row_count: string
  body: string
  total: string | null
}

/** The statement of a GET or HEAD on a table: one row, with the answer's body ready to send. */
export function readSql(plan: ReadPlan): Sql {
  const source = sql`${plan.table.identifier} as t`
  return sql`select ${resultColumns(plan, source)} from (${rowsSql(plan, source)}) r`
}

/** What is told of rows called `r` that were read from `source`. */
export function resultColumns(plan: RowsPlan, source: Sql): Sql {
  const body = plan.withBody ? bodyText(rowJson(plan.selection), plan.format) : sql`''`
  return sql`count(*) as row_count, ${body} as body, ${totalSql(plan, source)} as total`
}

/** The rows themselves; `source` calls them `t`. */
export function rowsSql(plan: RowsPlan, source: Sql): Sql {
  return clauses(
    sql`select ${selectList(plan.selection)}`,
    sql`from ${source}`,
    whereClause(plan.conditions),
    orderClause(plan.order),
    rangeClause(plan),
  )
}

/** The number of rows without the range; null if it was not asked for. */
export function totalSql(plan: RowsPlan, source: Sql): Sql {
  if (!plan.countTotal) return sql`null`
  return sql`(${clauses(sql`select count(*) from ${source}`, whereClause(plan.conditions))})`
}

export function rangeClause({ range }: RowsPlan): Sql {
  const limit = range.limit === null ? NOTHING : sql`limit ${bound(range.limit)}`
  const offset = range.offset === 0 ? NOTHING : sql`offset ${bound(range.offset)}`
  return clauses(limit, offset)
}
