import type { Json } from '#shared/database.types.ts'
import { type ChangeContent, type RejectedChange, fieldsOf } from '#web/sync/change.ts'
import type { Row, Rules, TableName, Values } from '#web/sync/schema.ts'

/** A change that a user has made. */
interface TypedChange extends Pick<ChangeContent, 'kind' | 'table'> {
  id: string
  /** The id of the row, or the name of a function. */
  row: string
  fields: Values
  base: Values
  isAccepted: boolean
  /** Whether the server had it when it was restored. */
  wasSaved: boolean
  /** The texts of the updates of the row, as they were shown. */
  seen: readonly string[]
}

/** Remembers what was typed, to find out at the end whether anything is missing. */
export interface Words {
  add: (made: ChangeContent, id: string, accepted: Promise<void>, seen: readonly string[]) => void
  /** The server, which has these rows, is restored. */
  restore: (rows: Readonly<Record<TableName, readonly Row[]>>) => void
  /** The user has decided about a rejected change: what it could not save was left where it was. */
  decide: (rejected: RejectedChange, isDiscarded: boolean) => void
  /**
   * The texts of accepted changes that are neither on the server, nor among the rejected changes, nor replaced or deleted
   * by a change of someone who had seen them.
   */
  missing: (
    rows: Readonly<Record<TableName, readonly Row[]>>,
    rejected: readonly RejectedChange[],
  ) => readonly string[]
}

export function createWords(rules: Rules): Words {
  const made: TypedChange[] = []
  const decided: RejectedChange[] = []
  const discarded: RejectedChange[] = []

  /** A text and those that it has replaced, as its authors saw them: the same may have been typed twice. */
  const history = (name: string, text: Json | undefined, found = new Set<Json>()): ReadonlySet<Json> => {
    if (typeof text !== 'string' || found.has(text)) return found
    found.add(text)
    for (const { fields, base } of made) if (fields[name] === text) history(name, base[name], found)
    return found
  }
  const hasReplaced = (name: string, newer: Json | undefined, text: string) =>
    [...history(name, newer)].some((older) => holdsText(older, text))
  /** Whether whoever made the change has seen a text, which may have become an update of the prayer. */
  const hasSeen = (change: TypedChange, table: TableName, row: string, name: string, text: string) => {
    const isOfRow = change.table === table && change.row === row
    if (isOfRow && !rules[table].texts.some((column) => column === name)) return true
    const names = isOfRow ? [name, 'body', 'answer'] : ['body', 'answer']
    return (
      names.some((each) => hasReplaced(each, change.base[each], text)) ||
      (change.table === 'prayers' && change.seen.some((body) => hasReplaced('body', body, text)))
    )
  }
  /** Whether a change has (or may have) replaced or deleted a text. */
  const replaces = (change: TypedChange, table: TableName, row: string, name: string, text: string) => {
    const isSeen = hasSeen(change, table, row, name, text)
    if (change.kind === 'delete') return isSeen
    const replaced = columnOf(change, table, row, name)
    const isOfRow = change.table === table && change.row === row
    return (
      change.kind === 'update' &&
      (isOfRow ? isSeen : hasReplaced(replaced, change.base[replaced], text)) &&
      replaced in change.fields &&
      !holdsText(change.fields[replaced], text)
    )
  }
  /** The column in which a change has a text that was typed into this one. An answer becomes an update, and the other way round. */
  const columnOf = (change: TypedChange, table: TableName, row: string, name: string) => {
    if (change.table === table && change.row === row) return name
    return change.table === 'prayers' ? 'answer' : 'body'
  }
  /** Whether a change did not come about, as far as a column is concerned. */
  const isWithout = ({ id, kind }: TypedChange, failed: readonly RejectedChange[], name: string) =>
    failed.some((each) => each.id === id && (kind === 'delete' || name in fieldsOf(each)))
  return {
    add: (change, id, accepted, seen) => {
      const { kind, table } = change
      const row = change.kind === 'call' ? change.name : change.row
      const base = 'base' in change ? change.base : {}
      const text = { fields: fieldsOf(change), base, seen }
      const entry: TypedChange = { id, kind, table, row, ...text, isAccepted: false, wasSaved: false }
      made.push(entry)
      accepted.then(
        () => (entry.isAccepted = true),
        () => {},
      )
    },
    restore: (rows) => {
      for (const change of made) {
        const { table, row, fields } = change
        const saved = rows[table].find(({ id }) => id === row)
        change.wasSaved ||= rules[table].typed.some(
          (name) => saved && name in fields && saved[name] === fields[name],
        )
      }
    },
    decide: (rejected, isDiscarded) => {
      decided.push(rejected)
      if (isDiscarded) discarded.push(rejected)
    },
    missing: (rows, rejected) => {
      const failed = [...rejected, ...decided]
      /** The text of an update is an answer again once the reopening of its prayer is undone. */
      const isOnServer = ({ kind, table, row, fields }: TypedChange, name: string) =>
        kind === 'delete'
          ? rows[table].every(({ id }) => id !== row)
          : rows[table].some((each) => each[name] === fields[name]) ||
            (name === 'body' && rows.prayers.some(({ answer }) => answer === fields['body']))
      /**
       * A text that lost against that of another device is kept as a part of an update. An update with that text alone comes from
       * reopening a prayer. A change that was saved has replaced what its author saw, also if it loses once the server was restored.
       */
      const hasLost = ({ fields, wasSaved }: TypedChange, name: string) =>
        !wasSaved &&
        rows.prayer_updates.some(({ body }) => holdsText(body, fields[name])) &&
        rows.prayer_updates.every(({ body }) => body !== fields[name])
      const isFound = (table: TableName, row: string, name: string, text: string) =>
        rows[table].some((each) => each[name] === text) ||
        rows.prayer_updates.some(({ body }) => holdsText(body, text)) ||
        rows.prayers.some(({ answer }) => holdsText(answer, text)) ||
        [...rejected, ...discarded]
          .map((change): Values => fieldsOf(change))
          .some((fields) => fields[name] === text || holdsText(fields['body'], text)) ||
        made.some((change) => {
          if (!replaces(change, table, row, name, text)) return false
          const column = columnOf(change, table, row, name)
          // Of two tabs, one may have saved what the other could not.
          return isOnServer(change, column) || !(isWithout(change, failed, column) || hasLost(change, column))
        })
      return made
        .filter(({ isAccepted, kind }) => isAccepted && (kind === 'insert' || kind === 'update'))
        .flatMap(({ table, row, fields }) =>
          rules[table].typed.flatMap((name) => {
            const text = fields[name]
            return typeof text === 'string' && !isFound(table, row, name, text)
              ? [`${table}.${name} ${text}`]
              : []
          }),
        )
    },
  }
}

/** Whether a text is a given one, or an update that keeps it. */
function holdsText(value: Json | undefined, text: Json | undefined): boolean {
  return (
    typeof value === 'string' && typeof text === 'string' && (value === text || value.endsWith(`\n\n${text}`))
  )
}
