import type { Change } from './change.ts'
import { fieldsTypedAgain } from './earlier-attempts.ts'
import { unlessSame } from './is-equal.ts'
import { type Row, type RowOf, type Rules, type TableName, type TableRules, tablesOf } from './schema.ts'
import { plainColumns } from './sealing/encryption-status.ts'
import type { State } from './state.ts'

/** What the user sees of a state. */
export interface Views {
  /** The rows of a table with the pending changes applied, in the table's order. The same list until one of them changes. */
  rows: <Name extends TableName>(table: Name) => readonly RowOf<Name>[]
  /** How many received rows are not shown, because this version of the app does not know their form. */
  countUnreadable: () => number
}

/** @param state only one view can follow it: it empties `touched` */
export function createViews(state: State, rules: Rules): Views {
  const tables = tablesOf(rules)
  const viewOf = oncePerTable<TableName>((table) => createTableView(table, state, rules))
  const allTouched = Object.values(state.touched)
  const update = () => {
    // Each row of the page reads a list.
    if (!allTouched.some(({ all, ids }) => all || ids.size > 0)) return
    for (const table of tables) viewOf(table).update()
    for (const touched of allTouched) {
      touched.ids.clear()
      touched.deletions.clear()
      touched.all = false
    }
  }
  return {
    rows: (table) => {
      update()
      return viewOf(table).list()
    },
    countUnreadable: () => {
      update()
      return tables.reduce((count, table) => count + viewOf(table).countUnreadable(), 0)
    },
  }
}

interface TableView<Name extends TableName> {
  list: () => readonly RowOf<Name>[]
  countUnreadable: () => number
  update: () => void
}

/** Each view is created when it is needed first. */
function oncePerTable<Names extends TableName>(
  create: <Name extends Names>(table: Name) => TableView<Name>,
): <Name extends Names>(table: Name) => TableView<Name> {
  const views: { [Name in Names]?: TableView<Name> } = {}
  return (table) => (views[table] ??= create(table))
}

/** A row with the columns that it may lack; null if others are missing or have other types. */
type Reader<Name extends TableName> = (row: Row) => RowOf<Name> | null

/**
 * Validating thousands of rows takes a while on a phone: each row is read once, when it has arrived, not after every change.
 * Those that are not valid may be of a newer version of the app. That is reported once, and they stay stored.
 */
function createReader<Name extends TableName>(
  table: Name,
  { defaults, isRow }: TableRules<Name>,
): Reader<Name> {
  const names = Object.keys(defaults)
  const known = new WeakMap<Row, RowOf<Name> | null>()
  let isReported = false
  return (row) => {
    const read = known.get(row)
    if (read !== undefined) return read
    const complete = names.every((name) => name in row) ? row : { ...defaults, ...row }
    const valid = isRow(complete) ? complete : null
    if (!valid && !isReported) {
      isReported = true
      console.error(`Rows of ${table} cannot be shown: their columns are not those that the app knows.`)
    }
    known.set(row, valid)
    return valid
  }
}

/** A row that has changed. It is undefined while it is not shown. */
interface ShownChange<Shown> {
  before: Shown | undefined
  after: Shown | undefined
}

/**
 * The rows of a table as the user should see them: those of the server with the changes applied. Only rows that were touched
 * are computed again, unless a change is of any row; those that are the same nevertheless keep their identity.
 */
function createTableView<Name extends TableName>(
  table: Name,
  state: State,
  { [table]: rules }: Rules,
): TableView<Name> {
  const read = createReader(table, rules)
  const { reference } = rules
  const above = reference?.cascades ? reference : null
  let rows = new Map<string, RowOf<Name>>()
  /** The ids of those that a pending deletion of the row that they refer to deletes as well. */
  const hidden = new Set<string>()
  /** The ids of the received rows that are not valid. */
  const unreadable = new Set<string>()
  let list: readonly RowOf<Name>[] = []

  const readReceived = (received: Row): RowOf<Name> | undefined => {
    const row = read(received) ?? undefined
    if (row) unreadable.delete(received.id)
    else unreadable.add(received.id)
    return row
  }
  const computeRow = (id: string): RowOf<Name> | undefined => {
    const received = state.rows[table].get(id)
    let row = received && readReceived(received)
    if (!received) unreadable.delete(id)
    for (const change of state.pending.ofRow(table, id)) row = changedRow<Name>(row, change, rules, read)
    return row
  }
  const computeAllRows = () => {
    const all = new Map<string, RowOf<Name>>()
    const set = (id: string, row: RowOf<Name> | undefined) => (row ? all.set(id, row) : all.delete(id))
    unreadable.clear()
    for (const received of state.rows[table].values()) set(received.id, readReceived(received))
    for (const { row: id, change } of state.pending.effectsOn(table)) {
      if (id !== null) set(id, changedRow<Name>(all.get(id), change, rules, read))
      else if (change.kind === 'call')
        for (const row of rules.calls[change.name]?.apply?.([...all.values()], change.args) ?? [])
          all.set(row.id, row)
    }
    return all
  }
  const hideIfDeleted = (row: RowOf<Name>) => {
    if (above && state.pending.isDeleted(above.table, String(row[above.column]))) hidden.add(row.id)
    else hidden.delete(row.id)
  }
  const updateAll = () => {
    const all = computeAllRows()
    for (const [id, known] of rows) {
      const row = all.get(id)
      if (row) all.set(id, unlessSame(known, row))
    }
    rows = all
    hidden.clear()
    if (above && state.pending.deletes(above.table)) for (const row of rows.values()) hideIfDeleted(row)
    const shown = [...rows.values()].filter(({ id }) => !hidden.has(id)).toSorted(rules.compare)
    if (!isSameList(list, shown)) list = shown
  }
  const shownRow = (id: string) => (hidden.has(id) ? undefined : rows.get(id))
  const updateRow = (id: string): ShownChange<RowOf<Name>> => {
    const before = shownRow(id)
    const row = computeRow(id)
    if (row) {
      rows.set(id, unlessSame(rows.get(id), row))
      hideIfDeleted(row)
    } else {
      rows.delete(id)
      hidden.delete(id)
    }
    return { before, after: shownRow(id) }
  }
  /** Rows that a deletion hides, or shows again. */
  const touchBelow = (ids: Set<string>) => {
    if (above === null || state.touched[above.table].deletions.size === 0) return
    const { deletions } = state.touched[above.table]
    for (const row of rows.values()) if (deletions.has(String(row[above.column]))) ids.add(row.id)
  }
  return {
    list: () => list,
    countUnreadable: () => unreadable.size,
    update: () => {
      const { ids, all } = state.touched[table]
      touchBelow(ids)
      if (all || (ids.size > 0 && state.pending.changesAnyRow(table))) return updateAll()
      const changes = [...ids].map(updateRow).filter(({ before, after }) => before !== after)
      if (changes.length > 0) list = withChanges(list, changes, rules.compare)
    },
  }
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

/** A row after a change of it; undefined if it does not exist. */
function changedRow<Name extends TableName>(
  row: RowOf<Name> | undefined,
  change: Change,
  rules: TableRules<Name>,
  read: Reader<Name>,
): RowOf<Name> | undefined {
  switch (change.kind) {
    case 'insert':
      // If the server has the row already, it may have been changed since.
      if (row) return { ...row, ...fieldsTypedAgain(change, rules.texts) }
      return read({ ...change.fields, id: change.row, rev: 0 }) ?? undefined
    case 'update':
      return (
        row && {
          ...row,
          ...('plain' in row && {
            plain: plainColumns(row).filter((name) => !(String(name) in change.fields)),
          }),
          ...rules.derive?.(change),
          ...change.fields,
        }
      )
    case 'delete':
      return undefined
    case 'call':
      return row && (rules.calls[change.name]?.apply?.([row], change.args)[0] ?? row)
  }
}

/** As many rows are put into their places one by one; if there are more, sorting the list takes less time. */
const FEW_CHANGES = 20

/** A sorted list of rows after some of them have changed. */
function withChanges<Shown>(
  list: readonly Shown[],
  changes: readonly ShownChange<Shown>[],
  compare: (a: Shown, b: Shown) => number,
): readonly Shown[] {
  if (changes.length > FEW_CHANGES) {
    const gone = new Set(changes.map(({ before }) => before))
    const others = list.filter((row) => !gone.has(row))
    return [...others, ...changes.flatMap(({ after }) => after ?? [])].toSorted(compare)
  }
  const rows = [...list]
  for (const { before, after } of changes) {
    const index = before === undefined ? -1 : rows.indexOf(before)
    if (before !== undefined && after !== undefined && compare(before, after) === 0) rows[index] = after
    else {
      if (before !== undefined) rows.splice(index, 1)
      if (after !== undefined) rows.splice(placeOf(after, rows, compare), 0, after)
    }
  }
  return rows
}

/** The index at which a row belongs in a sorted list: behind those that are the same to `compare`. */
function placeOf<Shown>(row: Shown, list: readonly Shown[], compare: (a: Shown, b: Shown) => number): number {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const other = list[middle]
    if (other !== undefined && compare(other, row) <= 0) from = middle + 1
    else to = middle
  }
  return from
}
