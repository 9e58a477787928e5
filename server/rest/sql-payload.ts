import type { Column, Parameter } from './catalogue.ts'
import type { Payload } from './payload.ts'
import { bound, joinSql, sql, type Sql } from './sql-fragment.ts'

/**
 * The rows of a body, called `b`, converted by the database to the types of `columns`. The whole body is one bound
 * value, read there and nowhere else.
 */
export function payloadRows(payload: Payload, columns: readonly Column[]): Sql {
  const body = sql`${bound(payload.text)}::json`
  return payload.shape === 'object'
    ? sql`json_to_record(${body}) as b(${typedNames(columns)})`
    : sql`json_to_recordset(${body}) as b(${typedNames(columns)})`
}

/** The same, where a missing key stands for the default of its column. */
export function payloadRowsWithDefaults(payload: Payload, columns: readonly Column[]): Sql {
  const defaults = columns.flatMap((column) => {
    if (column.default === null) return []
    return sql`jsonb_build_object(${bound(column.name)}::text, ${column.default})`
  })
  if (defaults.length === 0) return payloadRows(payload, columns)
  const body = sql`${bound(payload.text)}::jsonb`
  const objects = payload.shape === 'object' ? sql`jsonb_build_array(${body})` : body
  const merged = joinSql(
    [...defaults, sql`e.value`].flatMap((part, index) => (index === 0 ? [part] : [sql`||`, part])),
    ' ',
  )
  return sql`jsonb_array_elements(${objects}) as e(value), lateral jsonb_to_record(${merged}) as b(${typedNames(columns)})`
}

/** The named arguments of a call: one row called `b`. */
export function argumentRow(text: string, given: readonly Parameter[]): Sql {
  return sql`json_to_record(${bound(text)}::json) as b(${typedNames(given)})`
}

/** `"name" text, "order" integer` */
function typedNames(columns: readonly (Column | Parameter)[]): Sql {
  return joinSql(
    columns.map((column) => sql`${column.identifier} ${column.type}`),
    ', ',
  )
}
