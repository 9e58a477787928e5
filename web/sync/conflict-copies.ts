import type { Json } from '#shared/database.types.ts'
import type { Change, Made } from './change.ts'
import type { Fields, Row, Rules, TableName } from './schema.ts'

/** Changes that keep texts which have lost. They are stored together with their ids, so that each is made once. */
export function conflictCopies(
  { rules, newId }: { rules: Rules; newId: () => string },
  { table, user_id, at }: Pick<Made, 'user_id' | 'at'> & { table: TableName },
  texts: Fields,
  row: Row,
): readonly Change[] {
  return Object.values(texts).flatMap((text) => {
    const kept = hasText(text) && rules[table].conflictCopy?.(text, row, at)
    if (!kept) return []
    const id = newId()
    const fields = { ...kept.fields, id, user_id }
    return [{ id: newId(), user_id, table: kept.table, kind: 'insert', row: id, fields, at }]
  })
}

export function hasText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
