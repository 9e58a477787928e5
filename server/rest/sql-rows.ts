import type { AnswerFormat } from './media-type.ts'
import { isAliased, type SelectedColumn } from './plan-select.ts'
import { bound, fromCatalogue, joinSql, render, sql, type Sql } from './sql-fragment.ts'

/** By selection: most requests share the one of all columns. */
const lists = new WeakMap<readonly SelectedColumn[], Sql>()

/**
 * The select list for rows called `t`, whose result is to be called `r`. Names that a caller chose are not written
 * into the statement: such rows get numbered columns here, and their names as bound values in `rowJson`.
 */
export function selectList(selection: readonly SelectedColumn[]): Sql {
  const known = lists.get(selection)
  if (known !== undefined) return known
  // As one text: it holds nothing but names of the catalogue.
  const list = fromCatalogue(render(writeList(selection)).text)
  lists.set(selection, list)
  return list
}

function writeList(selection: readonly SelectedColumn[]): Sql {
  const aliased = isAliased(selection)
  return joinSql(
    selection.map((item, index) => {
      const value = item.cast === null ? plainValue(item) : sql`${plainValue(item)}::${item.cast}`
      if (aliased) return sql`${value} as ${numbered(index)}`
      return item.cast === null ? value : sql`${value} as ${item.column.identifier}`
    }),
    ', ',
  )
}

/** One row called `r` as JSON. */
export function rowJson(selection: readonly SelectedColumn[]): Sql {
  if (!isAliased(selection)) return sql`r`
  const entries = selection.map(
    (item, index) => sql`${bound(item.alias ?? item.column.name)}::text, r.${numbered(index)}`,
  )
  return sql`json_build_object(${joinSql(entries, ', ')})`
}

/** All rows as the text of the answer's body. */
export function bodyText(row: Sql, format: AnswerFormat): Sql {
  const rows =
    format.shape === 'array'
      ? sql`coalesce(json_agg(${row}), '[]')`
      : sql`coalesce(json_agg(${row})->0, 'null')`
  return format.withoutNulls ? sql`json_strip_nulls(${rows})::text` : sql`(${rows})::text`
}

function plainValue(item: SelectedColumn): Sql {
  return sql`t.${item.column.identifier}`
}

function numbered(index: number): Sql {
  return fromCatalogue(`c${index}`)
}
