import type { Change } from './change.ts'
import { forEachTable, type Rules, type TableName } from './schema.ts'
import type { TouchedRows } from './touched-rows.ts'

/** How far a pending change has got, as far as this page knows. */
export type PendingState =
  /** It is being stored on this device. */
  | 'storing'
  /** It could not be stored and exists in this page only: it is not accepted before the server has saved it. */
  | 'volatile'
  /** It is safe on this device, and waits until the server has saved it. */
  | 'stored'
  /** The server has saved it. It shows until a pull has brought the row; if the page is closed before, it is sent again. */
  | 'saved'
  /** Shows likewise, but exists in this page only. It is accepted. */
  | 'saved-unstored'

/** What happens to a pending change. */
export type PendingEvent =
  /** It was written to the outbox. */
  | 'stored'
  /** It could not be. */
  | 'not-stored'
  /** The server has saved it, and the row is not stored here as it is there. */
  | 'saved'
  /** A pull was stored without it: the row was written again meanwhile, or the server was restored from a backup. */
  | 'missed'
  /** The server has saved it, and its row was received: if it was stored, it has left the outbox in the same transaction as the row. */
  | 'acknowledged'
  /** It has left the outbox in a transaction that has stored other changes, such as a rejected change or conflict copies in its place. */
  | 'replaced'
  /** It could not be saved, and is not stored: the form that has made it, or a rejected change, keeps what was typed. */
  | 'undone'

/** What becomes of a change in each state. What is not listed leaves it as it is. */
export const TRANSITIONS: Readonly<
  Record<PendingState, Partial<Readonly<Record<PendingEvent, PendingState | 'gone'>>>>
> = {
  storing: { stored: 'stored', 'not-stored': 'volatile' },
  volatile: { stored: 'stored', saved: 'saved-unstored', acknowledged: 'gone', undone: 'gone' },
  stored: { saved: 'saved', acknowledged: 'gone', replaced: 'gone' },
  saved: { missed: 'stored', acknowledged: 'gone', replaced: 'gone' },
  'saved-unstored': { stored: 'saved', missed: 'volatile', acknowledged: 'gone' },
}

/** Whether a change in this state would be lost if the page were closed. */
function isUnsafe(state: PendingState): boolean {
  return state === 'storing' || state === 'volatile'
}

/** Whether the server has saved a change, as far as this page knows: it is not sent. */
export function isSaved({ state }: Pick<Pending, 'state'>): boolean {
  return state === 'saved' || state === 'saved-unstored'
}

/** A change that is not part of the received rows yet. */
export interface Pending {
  readonly change: Change
  readonly state: PendingState
  /** Its position in the outbox; null while it is not stored. */
  readonly seq: number | null
  /** Once it is saved: the revision of its row with it; null if any later pull includes it, or a restored server may have lost it. */
  readonly rev: number | null
  /** The id of the change that the user has made: another one if this has taken its place in a page that stores nothing. */
  readonly origin: string
}

export function pendingOf(change: Change, state: 'storing' | 'volatile' | 'stored'): Pending {
  return { change, state, seq: null, rev: null, origin: change.id }
}

/** What a change does to one row, or to whatever rows the table has (`row` is null). */
export interface Effect {
  table: TableName
  row: string | null
  /** The change, or the part of it that is about this row. */
  change: Change
}

/** The effects on one table. */
interface TableEffects {
  /** By the id of the change, in order. */
  all: Map<string, Effect[]>
  /** The changes of each row, in order, by the id of the row. */
  byRow: Map<string, readonly Change[]>
  /** The ids of the changes of whatever rows there are. */
  ofAnyRow: Set<string>
  /** The ids of the changes that delete a row. */
  deletions: Set<string>
}

/**
 * The pending changes, in the order in which they are applied and sent. Each is found by its id, by its position in the
 * outbox, and by the rows that it changes: what happens to one of them does not take longer, the more others there are.
 */
export class PendingChanges {
  readonly #rules: Rules
  readonly #touched: TouchedRows
  /** By id. A Map keeps the order in which entries were added; one that is set again keeps its place. */
  readonly #all = new Map<string, Pending>()
  readonly #idsBySeq = new Map<number, string>()
  readonly #effects: Readonly<Record<TableName, TableEffects>>
  /** How many changes exist in this page only, by the id of the change that the user has made. */
  readonly #unsafe = new Map<string, number>()
  readonly #becameSafe = new Set<string>()

  /** @param touched gets the rows that show differently after each step */
  constructor(rules: Rules, touched: TouchedRows) {
    this.#rules = rules
    this.#touched = touched
    this.#effects = forEachTable(rules, () => ({
      all: new Map(),
      byRow: new Map(),
      ofAnyRow: new Set(),
      deletions: new Set(),
    }))
  }

  get size(): number {
    return this.#all.size
  }

  get first(): Pending | undefined {
    return this.#all.values().next().value
  }

  /** Whether one of them would be lost if the page were closed. */
  get isUnsafe(): boolean {
    return this.#unsafe.size > 0
  }

  get(id: string): Pending | undefined {
    return this.#all.get(id)
  }

  withSeq(seq: number): Pending | undefined {
    const id = this.#idsBySeq.get(seq)
    return id === undefined ? undefined : this.#all.get(id)
  }

  [Symbol.iterator](): Iterator<Pending> {
    return this.#all.values()
  }

  filter(test: (pending: Pending) => boolean): Pending[] {
    return [...this.#all.values()].filter(test)
  }

  /** The changes of a row, in order, apart from those of whatever rows the table has. */
  ofRow(table: TableName, row: string): readonly Change[] {
    return this.#effects[table].byRow.get(row) ?? []
  }

  /** All effects on the rows of a table, in order. */
  effectsOn(table: TableName): readonly Effect[] {
    return [...this.#effects[table].all.values()].flat()
  }

  /** Whether one of them changes whatever rows a table has: then each row may depend on all changes of the table. */
  changesAnyRow(table: TableName): boolean {
    return this.#effects[table].ofAnyRow.size > 0
  }

  /** Whether one of them deletes a row of a table. */
  deletes(table: TableName): boolean {
    return this.#effects[table].deletions.size > 0
  }

  isDeleted(table: TableName, row: string): boolean {
    return this.ofRow(table, row).some(({ kind }) => kind === 'delete')
  }

  /** The ids of the changes of the user that have become safe, or are gone, since this was called last. */
  takeSafe(): readonly string[] {
    const ids = [...this.#becameSafe]
    this.#becameSafe.clear()
    return ids
  }

  /** Adds a change behind all others. */
  add(pending: Pending): void {
    const { id } = pending.change
    this.#all.set(id, pending)
    this.#index(pending)
    for (const effect of effectsOf(pending.change, this.#rules)) {
      const { table, row, change } = effect
      const { all, byRow, ofAnyRow, deletions } = this.#effects[table]
      if (change.kind === 'delete') deletions.add(id)
      const effects = all.get(id)
      if (effects) effects.push(effect)
      else all.set(id, [effect])
      if (row === null) ofAnyRow.add(id)
      else byRow.set(row, [...this.ofRow(table, row), change])
      this.#touch(effect)
    }
  }

  /** Changes what is known about a change; it keeps its place. */
  update(known: Pending, fields: Partial<Omit<Pending, 'change'>>): void {
    const { id } = known.change
    const updated = { ...known, ...fields }
    this.#all.set(id, updated)
    // First what is new: a change that is safe before and after has not become safe.
    this.#index(updated)
    this.#unindex(known, updated.seq)
  }

  /** Does what `TRANSITIONS` says. */
  step(known: Pending | undefined, event: PendingEvent, fields: Partial<Omit<Pending, 'change'>> = {}): void {
    if (!known) return
    const next = TRANSITIONS[known.state][event]
    if (next === 'gone') this.remove(known)
    else if (next !== undefined) this.update(known, { ...fields, state: next })
  }

  remove(known: Pending): void {
    const { id } = known.change
    this.#all.delete(id)
    this.#unindex(known, null)
    for (const { all, byRow, ofAnyRow, deletions } of Object.values(this.#effects)) {
      const effects = all.get(id)
      if (!effects) continue
      deletions.delete(id)
      all.delete(id)
      ofAnyRow.delete(id)
      for (const effect of effects) {
        const { table, row } = effect
        this.#touch(effect)
        if (row === null) continue
        const others = this.ofRow(table, row).filter((change) => change.id !== id)
        if (others.length > 0) byRow.set(row, others)
        else byRow.delete(row)
      }
    }
  }

  /** Puts others in the place of all of them. That takes longer, the more there are: it is for what happens rarely. */
  replaceAll(others: readonly Pending[]): void {
    const known = [...this.#all.values()]
    for (const each of known) this.remove(each)
    for (const each of others) this.add(each)
  }

  #index({ change, state, seq, origin }: Pending): void {
    if (seq !== null) this.#idsBySeq.set(seq, change.id)
    if (!isUnsafe(state)) return
    this.#unsafe.set(origin, (this.#unsafe.get(origin) ?? 0) + 1)
    this.#becameSafe.delete(origin)
  }

  #unindex({ state, seq, origin }: Pending, newSeq: number | null): void {
    if (seq !== null && seq !== newSeq) this.#idsBySeq.delete(seq)
    if (!isUnsafe(state)) return
    const others = (this.#unsafe.get(origin) ?? 0) - 1
    if (others > 0) this.#unsafe.set(origin, others)
    else {
      this.#unsafe.delete(origin)
      this.#becameSafe.add(origin)
    }
  }

  #touch({ table, row, change }: Effect): void {
    const touched = this.#touched[table]
    if (row === null) touched.all = true
    else {
      touched.ids.add(row)
      if (change.kind === 'delete') touched.deletions.add(row)
    }
  }
}

/** What a change does to rows, as far as this version of the app knows. */
function effectsOf(change: Change, rules: Rules): readonly Effect[] {
  const { table } = change
  if (change.kind !== 'call') return [{ table, row: change.row, change }]
  const { id, user_id, at, name, args, shownAs } = change
  if (shownAs)
    return shownAs
      .filter((each) => each.table in rules)
      .map((each) => {
        const part: Change = Object.assign({ seen: [] }, each, { id, user_id, at })
        return { table: each.table, row: each.row, change: part }
      })
  const { apply, refersTo } = rules[table].calls[name] ?? {}
  if (!apply) return []
  return refersTo
    ? [...new Set(refersTo(args))].map((row) => ({ table, row, change }))
    : [{ table, row: null, change }]
}
