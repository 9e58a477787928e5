import type { Json } from '#shared/database.types.ts'
import { type Change, fieldsOf, type Insert, type Update } from './change.ts'
import { isEqual } from './is-equal.ts'
import type { Columns, Values } from './schema.ts'
import type { State } from './state.ts'

type Typed = Pick<Insert | Update, 'typedBefore'>

/** What only the first attempt of a form decides about. */
const SET_ONCE = new Set(['id', 'user_id', 'created_at'])

/** Knows what forms of this page have tried to save: the server may have saved it although they were told that it has not. */
export interface EarlierAttempts {
  addUndone: (changes: readonly Change[]) => void
  /** The change, with what its form has tried before; that of an insert even before the page was opened again. */
  withTypedBefore: (change: Change) => Change
}

export function createEarlierAttempts(state: Pick<State, 'pending' | 'rows'>): EarlierAttempts {
  /** What was typed in changes of which some were undone, by the forms that made them. */
  const undoneFields = new Map<string, readonly Columns[]>()
  return {
    addUndone: (changes) => {
      for (const change of changes) {
        if (change.kind !== 'insert' && change.kind !== 'update') continue
        const { typedBefore = [], fields } = change
        const form = kindAndRow(change)
        undoneFields.set(form, [...(undoneFields.get(form) ?? []), ...[typedBefore, fields].flat()])
      }
    },
    // Only what the form has made itself counts as typed: other forms and devices may have written the rest of what shows.
    withTypedBefore: (change) => {
      const isInsert = change.kind === 'insert'
      if (!isInsert && change.kind !== 'update') return change
      const { table, row } = change
      const tried = undoneFields.get(kindAndRow(change)) ?? []
      // A prayer has several forms: one that changes something else leaves them.
      const isOfForm = tried.some((before) => Object.keys(before).some((name) => name in change.fields))
      const undone = isOfForm ? tried : []
      if (isOfForm) undoneFields.delete(kindAndRow(change))
      const waiting = isInsert ? state.pending.ofRow(table, row).filter(({ kind }) => kind === 'insert') : []
      const typedBefore = [...undone, ...waiting.map(fieldsOf)]
      const isAgain = typedBefore.length > 0 || (isInsert && state.rows[table].has(row))
      return isAgain ? { ...change, typedBefore } : change
    },
  }
}

/** Stands for the form that has made a change: another one of the same kind may be open for its row. */
function kindAndRow({ kind, row }: Insert | Update): string {
  return `${kind} ${row}`
}

/** Whether the form of a change has tried this value before: on the server, it is the form's own. */
export function isTypedBefore(change: Typed, name: string, value: Json | undefined): boolean {
  return attemptsOf(change).some((before) => isEqual(value, before[name]))
}

/**
 * The fields of an insert whose form has sent it before: its texts, about which a conflict is decided later, and what was ever typed
 * differently. If the row has another value of something else, it was changed since.
 */
export function fieldsTypedAgain(insert: Insert, texts: readonly string[]): Columns {
  if (!insert.typedBefore) return {}
  const earlier = attemptsOf(insert)
  // An insert lacks what is not used.
  const unused = Object.fromEntries(earlier.flatMap(Object.keys).map((name) => [name, null]))
  const isTypedAgain = ([name, value]: [string, Json]) =>
    texts.includes(name) || earlier.length === 0 || earlier.some((before) => !isEqual(before[name], value))
  const typed = Object.entries({ ...unused, ...insert.fields }).filter(([name]) => !SET_ONCE.has(name))
  return Object.fromEntries(typed.filter(isTypedAgain))
}

/** What the form of a change has tried to save before. */
export function attemptsOf({ typedBefore = [] }: Typed): readonly Values[] {
  return [typedBefore].flat()
}
