import type { Json } from '#shared/database.types.ts'
import type { Fields, NewChange, RejectedChange, Row, Rules, TableName } from '#web/sync/schema.ts'

/** A change that a user has made. */
interface Made extends NewChange {
  id: string
  isAccepted: boolean
}

/** Remembers what was typed, to find out at the end whether anything is missing. */
export interface Words {
  add: (made: NewChange, id: string, accepted: Promise<void>) => void
  /** The server was restored from a backup. */
  restored: () => void
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
  const made: Made[] = []
  const decided: RejectedChange[] = []
  let wasRestored = false
  const discarded: RejectedChange[] = []

  /** A text and those that it has replaced, as its author saw them. */
  const history = (name: string, text: Json | undefined): readonly Json[] => {
    if (typeof text !== 'string') return []
    const author = made.find(({ fields }) => fields[name] === text)
    return [text, ...history(name, author?.base[name])]
  }
  /** Whether a change has (or may have) replaced or deleted a text. */
  const replaces = (change: Made, table: TableName, row: string, name: string, text: string) => {
    if (change.table !== table || change.row !== row) return false
    const isText = rules[table].texts.some((column) => column === name)
    const hasSeen = !isText || history(name, change.base[name]).includes(text)
    // After a restore, what was deleted is not offered again, even if it was the row as the backup brought it back.
    if (change.kind === 'delete') return hasSeen || wasRestored
    return change.kind === 'update' && name in change.fields && change.fields[name] !== text && hasSeen
  }
  /** Whether a change did not come about, as far as a column is concerned. */
  const isWithout = ({ id, kind }: Made, failed: readonly RejectedChange[], name: string) =>
    failed.some((each) => each.id === id && (kind === 'delete' || name in each.fields))
  return {
    add: (change, id, accepted) => {
      const entry = { ...change, id, isAccepted: false }
      made.push(entry)
      accepted.then(
        () => (entry.isAccepted = true),
        () => {},
      )
    },
    restored: () => {
      wasRestored = true
    },
    decide: (rejected, isDiscarded) => {
      decided.push(rejected)
      if (isDiscarded) discarded.push(rejected)
    },
    missing: (rows, rejected) => {
      const isOnServer = ({ kind, table, row, fields }: Made, name: string) =>
        kind === 'delete'
          ? rows[table].every(({ id }) => id !== row)
          : rows[table].some((each) => each[name] === fields[name])
      const isFound = (table: TableName, row: string, name: string, text: string) => {
        const holds = (fields: Fields) => fields[name] === text
        return (
          rows[table].some(holds) ||
          [...rejected, ...discarded].some(({ fields }) => holds(fields)) ||
          made.some(
            (change) =>
              replaces(change, table, row, name, text) &&
              // Of two tabs, one may have saved what the other could not.
              (isOnServer(change, name) || !isWithout(change, [...rejected, ...decided], name)),
          )
        )
      }
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
