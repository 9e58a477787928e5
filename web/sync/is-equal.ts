import type { Json } from '#shared/database.types.ts'
import { isRecord } from '#shared/is-record.ts'

/** Whether two values of a column are the same: lists in their order, objects whatever the order of their names. */
export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  )
}

/** The known value if nothing has changed, so that what shows it does not render again. */
export function unlessSame<Value extends Json>(known: Value | undefined, value: Value): Value {
  return known !== undefined && isEqual(known, value) ? known : value
}
