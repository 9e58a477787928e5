/**
 * A piece of SQL: fixed text of this program or of the catalogue, the places where values are bound, and further pieces.
 * They are only walked through when the statement is finished, because every request puts its own together.
 */
export interface Sql {
  readonly parts: readonly (string | BoundValue | Sql)[]
}

/** A value of the caller. It travels beside the statement and is never part of its text. */
export interface BoundValue {
  readonly value: string | number | readonly string[]
}

/** A finished statement: text with `$1`, `$2`, … and the values in that order. */
export interface RenderedSql {
  readonly text: string
  readonly values: readonly BoundValue['value'][]
}

export const NOTHING: Sql = { parts: [] }

/** Writes SQL. Whatever is put in is a fragment, which is spliced, or a bound value; a bare string does not fit. */
export function sql(strings: TemplateStringsArray, ...inserts: readonly (Sql | BoundValue)[]): Sql {
  const parts: (string | BoundValue | Sql)[] = []
  let index = 0
  for (const text of strings) {
    const insert = inserts[index]
    parts.push(text)
    if (insert !== undefined) parts.push(insert)
    index += 1
  }
  return { parts }
}

/** Binds a value of the caller. */
export function bound(value: BoundValue['value']): BoundValue {
  return { value }
}

/** Text that the database's own catalogue holds: a type, a default. Never anything that a caller sent. */
export function fromCatalogue(text: string): Sql {
  return { parts: [text] }
}

/** A name that the catalogue holds, quoted. Never anything that a caller sent. */
export function identifier(name: string): Sql {
  return { parts: [`"${name.replaceAll('"', '""')}"`] }
}

export function joinSql(items: readonly Sql[], separator: ' ' | ', ' | ' and ' | ' or '): Sql {
  const parts: (string | Sql)[] = []
  for (const item of items) {
    if (parts.length > 0) parts.push(separator)
    parts.push(item)
  }
  return { parts }
}

export function isNothing(fragment: Sql): boolean {
  return fragment.parts.length === 0
}

/** Numbers the bound values. */
export function render(fragment: Sql): RenderedSql {
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
