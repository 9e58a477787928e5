import type { CallPlan } from './plan-call.ts'
import { clauses } from './sql-conditions.ts'
import { joinSql, NOTHING, sql, type Sql } from './sql-fragment.ts'
import { argumentRow } from './sql-payload.ts'
import { rangeClause, resultColumns, rowsSql, totalSql } from './sql-read.ts'
import { bodyText } from './sql-rows.ts'

/**
 * The statement of a call; its result has the columns of a `ReadResult`. The function is called in one place only:
 * selecting, counting and cutting are done on what it gave.
 */
export function callSql(plan: CallPlan): Sql {
  const { routine } = plan
  const rows = { ...plan.rows, format: formatOf(plan) }
  const mustBeSingle = plan.rows.format.shape === 'object' && routine.returnsSet
  const check = mustBeSingle ? sql`, intercede.require_single_row(count(*))` : NOTHING
  const called = sql`called as t`
  if (routine.returns === 'rows') {
    return sql`with called as materialized (select t.* from ${callSource(plan)} as t) select ${resultColumns(rows, called)}${check} from (${rowsSql(rows, called)}) r`
  }
  const hasBody = routine.returns === 'scalar' && rows.withBody
  const body = hasBody ? bodyText(sql`r.value`, rows.format) : sql`''`
  const values = clauses(sql`select t.value from ${called}`, rangeClause(rows))
  return sql`with called as materialized (select t.value from ${callSource(plan)} as t(value)) select count(*) as row_count, ${body} as body, ${totalSql(rows, called)} as total${check} from (${values}) r`
}

/** A function that gives one row or value answers with that, not with a list of one. */
function formatOf({ routine, rows }: CallPlan): CallPlan['rows']['format'] {
  return routine.returnsSet ? rows.format : { ...rows.format, shape: 'object' }
}

function callSource({ routine, argumentText, given }: CallPlan): Sql {
  if (given.length === 0) return sql`${routine.identifier}()`
  const named = given.map((parameter) => {
    const variadic = parameter.isVariadic ? sql`variadic ` : NOTHING
    return sql`${variadic}${parameter.identifier} => b.${parameter.identifier}`
  })
  return sql`${argumentRow(argumentText, given)}, lateral ${routine.identifier}(${joinSql(named, ', ')})`
}
