import type { Statement } from '../db/request-scope.ts'

/**
 * A piece of SQL: text from this program or from the schema cache, bound values, and nested pieces. Pieces are only
 * joined into a statement by `render`.
 */
export interface Sql {
  readonly parts: readonly (string | BoundValue | Sql)[]
}

/** A value sent by the caller. It is passed beside the statement and never becomes part of its text. */
export interface BoundValue {
  readonly value: string | number | readonly string[]
}

export const EMPTY: Sql = { parts: [] }

/** Writes SQL. Only other pieces and bound values can be interpolated; a plain string is a type error. */
export function sql(strings: TemplateStringsArray, ...inserts: readonly (Sql | BoundValue)[]): Sql {
  const parts: (string | BoundValue | Sql)[] = []
  for (const [index, text] of strings.entries()) {
    parts.push(text)
    const insert = inserts[index]
    if (insert !== undefined) parts.push(insert)
  }
  return { parts }
}

export function bound(value: BoundValue['value']): BoundValue {
  return { value }
}

/** Text from the schema cache: a type or a default. Never anything sent by a caller. */
export function trusted(text: string): Sql {
  return { parts: [text] }
}

/** A quoted name from the schema cache. Never anything sent by a caller. */
export function identifier(name: string): Sql {
  return { parts: [`"${name.replaceAll('"', '""')}"`] }
}

export function joinSql(items: readonly Sql[], separator: ' ' | ', ' | ' and ' | ' or ' | ' || '): Sql {
  const parts: (string | Sql)[] = []
  for (const item of items) {
    if (parts.length > 0) parts.push(separator)
    parts.push(item)
  }
  return { parts }
}

/** Joins clauses by spaces, leaving out empty ones. */
export function clauses(...parts: readonly Sql[]): Sql {
  return joinSql(
    parts.filter((part) => part.parts.length > 0),
    ' ',
  )
}

/** The columns of a record function: `"name" text, "order" integer`. */
export function columnDefinitions(columns: readonly { identifier: Sql; type: Sql }[]): Sql {
  return joinSql(
    columns.map((column) => sql`${column.identifier} ${column.type}`),
    ', ',
  )
}

/** Joins all pieces into text with `$1`, `$2`, … and the bound values in that order. */
export function render(fragment: Sql): Statement {
  const values: BoundValue['value'][] = []
  return { text: textOf(fragment, values), values }
}

function textOf(fragment: Sql, values: BoundValue['value'][]): string {
  let text = ''
  for (const part of fragment.parts) {
    if (typeof part === 'string') text += part
    else if ('parts' in part) text += textOf(part, values)
    else text += `$${values.push(part.value)}`
  }
  return text
}
