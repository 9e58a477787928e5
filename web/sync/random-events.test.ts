import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Change, NewChange, NewRowChange } from './change.ts'
import type { Pending, PendingChanges } from './pending.ts'
import { type Row, type RowOf, type Rules, type TableName, type TableRules, tablesOf } from './schema.ts'
import { applyEvent, createState, type State, type StateEvent } from './state.ts'
import type { Batch, StoredRow } from './storage.ts'
import {
  categoryRow,
  deleteOf,
  insertOf,
  prayerRow,
  reorderOf,
  RULES,
  updateOf,
  updateRow,
} from './sync.test-data.ts'
import { createViews } from './view.ts'

// After any events, what shows is what it is by definition: the received rows with all pending changes applied in order, sorted.

const rules: Rules = {
  ...RULES,
  // Several may have the same number.
  categories: { ...RULES.categories, compare: (a, b) => a.order - b.order || (a.id < b.id ? -1 : 1) },
}

const TABLES = tablesOf(rules)

const categoryId = fc.constantFrom('c1', 'c2', 'c3')
const prayerId = fc.constantFrom('p1', 'p2', 'p3', 'p4')
const updateId = fc.constantFrom('u1', 'u2', 'u3', 'u4')
const text = fc.constantFrom('one', 'two', 'three')
const number = fc.integer({ min: 1, max: 3 })

const category = fc.tuple(categoryId, text, number).map((values) => categoryRow(...values))
const prayer = fc.tuple(prayerId, text).map((values) => prayerRow(...values))
const update = fc.tuple(updateId, prayerId, text).map((values) => updateRow(...values))
const storedRow = fc.oneof(
  fc.record({
    table: fc.constant('categories' as const),
    row: category,
  }),
  fc.record({
    table: fc.constant('prayers' as const),
    row: prayer,
  }),
  fc.record({
    table: fc.constant('prayer_updates' as const),
    row: update,
  }),
)
const rowRef = storedRow.map(({ table, row: { id } }) => ({ table, id }))
const rowChange: fc.Arbitrary<NewRowChange> = fc.oneof(
  category.map((row) => insertOf('categories', row)),
  prayer.map((row) => insertOf('prayers', row)),
  update.map((row) => insertOf('prayer_updates', row)),
  fc.tuple(categoryId, number).map(([id, order]) => updateOf('categories', id, { order })),
  fc.tuple(prayerId, text).map(([id, note]) => updateOf('prayers', id, { note })),
  fc.tuple(updateId, prayerId).map(([id, prayer_id]) => updateOf('prayer_updates', id, { prayer_id })),
  categoryId.map((id) => deleteOf('categories', id)),
  prayerId.map((id) => deleteOf('prayers', id)),
  updateId.map((id) => deleteOf('prayer_updates', id)),
)
const newChange: fc.Arbitrary<NewChange> = fc.oneof(
  { arbitrary: rowChange, weight: 5 },
  fc.shuffledSubarray(['c1', 'c2', 'c3']).map((ids) => reorderOf(...ids)),
  fc.array(prayerId).map((prayer_ids): NewChange => {
    const args = { prayer_ids, prayed_on: '2026-03-01' }
    return { table: 'prayers', kind: 'call', name: 'mark_prayed', args }
  }),
  fc.array(rowChange).map((shownAs): NewChange => {
    const args = { prayer_id: 'p1', update_id: 'u1' }
    return { table: 'prayers', kind: 'call', name: 'undo_reopen_prayer', args, shownAs }
  }),
)

/** An event of which only the kind is known, and what it is about; `index` selects the changes. */
const action = fc.record({
  type: fc.constantFrom(
    'made',
    'committed',
    'received',
    'pulled',
    'not-stored',
    'saved',
    'acknowledged',
    'undone',
    'replaced',
    'loaded',
  ),
  index: fc.nat({ max: 5 }),
  changes: fc.array(newChange, { minLength: 1, maxLength: 3 }),
  put: fc.array(storedRow, { maxLength: 2 }),
  remove: fc.array(rowRef, { maxLength: 1 }),
  isLarge: fc.boolean(),
  isSeen: fc.boolean(),
})
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

/** Turns actions into events that can happen in the state in which they are met. */
function createEvents(state: State) {
  let count = 0
  const made = (change: NewChange): Change => {
    count += 1
    return Object.assign({ seen: [] }, change, {
      id: `change-${String(count)}`,
      user_id: 'me',
      at: '2026-03-01T09:00:00Z',
    })
  }
  const newest = (rows: readonly StoredRow[]) => {
    count += 1
    return rows.map(({ table, row }) => ({ table, row: { ...row, rev: count } }))
  }
  const seqsFor = (changes: readonly Change[]) => changes.map(() => (count += 1))
  const seqsOf = (pending: readonly Pending[]) => pending.flatMap(({ seq }) => seq ?? [])
  const eventOf = ({ type, index, changes, put, remove, isLarge }: Action): StateEvent => {
    const pending = [...state.pending]
    const inState = (...states: readonly Pending['state'][]) =>
      pending.filter((each) => states.includes(each.state))
    const some = (all: readonly Pending[]) => (isLarge ? all : all.slice(index, index + 1))
    const idsOf = (all: readonly Pending[]) => some(all).map(({ change }) => change.id)
    const batch: Batch = { put: newest(put), remove, clearRows: isLarge && index > 3 }
    switch (type) {
      case 'made':
        return { type, changes: changes.map(made) }
      case 'committed': {
        // The oldest one of this page, or one of another tab.
        const [own] = inState('storing')
        const addChanges = isLarge && own ? [own.change] : changes.slice(1).map(made)
        return {
          type,
          batch: { ...batch, addChanges, removeChanges: seqsOf(some(pending)) },
          seqs: seqsFor(addChanges),
        }
      }
      case 'received':
        return { type, batch, isComplete: isLarge }
      case 'pulled':
        return { type }
      case 'not-stored':
        return { type, ids: idsOf(inState('storing')) }
      case 'saved':
        return { type, id: pending[index]?.change.id ?? '', rev: count }
      case 'acknowledged':
        return { type, ids: idsOf(inState('volatile', 'saved-unstored')) }
      case 'undone':
        return { type, ids: idsOf(inState('volatile')) }
      case 'replaced':
        return { type, id: inState('volatile')[0]?.change.id ?? '', replacements: changes.slice(1).map(made) }
      case 'loaded': {
        const others = changes.slice(1).map(made)
        const seqs = seqsFor(others)
        const outbox = [
          ...pending.flatMap(({ seq, change }) =>
            seq === null || seq % 5 === index ? [] : [{ seq, change }],
          ),
          ...others.map((change, position) => ({ change, seq: seqs[position] ?? 0 })),
        ]
        const rows = TABLES.flatMap((table) => [...state.rows[table].values()].map((row) => ({ table, row })))
        const stored = structuredClone([...rows, ...(batch.put ?? [])])
        const cursor = { rev: 1, epoch: isLarge ? 'first' : 'second' }
        const contents = {
          version: count,
          rows: stored,
          outbox: structuredClone(outbox),
          rejected: [],
          cursor,
        }
        return { type, contents, tables: isLarge ? TABLES : ['prayers'] }
      }
    }
  }
  return eventOf
}

/** What shows, by definition. */
function definedRows<Name extends TableName>(
  table: Name,
  { rows: received, pending }: State,
  { [table]: own }: Rules,
): readonly RowOf<Name>[] {
  const rows = new Map([...received[table].values()].map((row) => [row.id, complete(row, own)]))
  const deleted = new Set<unknown>()
  for (const change of [...pending].flatMap((each) => parts(each.change))) {
    if (change.table === own.reference?.table && change.kind === 'delete') deleted.add(change.row)
    if (change.table !== table) continue
    if (change.kind === 'insert' && !rows.has(change.row))
      rows.set(change.row, complete({ ...change.fields, id: change.row, rev: 0 }, own))
    const row = change.kind === 'call' ? undefined : rows.get(change.row)
    if (change.kind === 'update' && row)
      rows.set(row.id, { ...row, ...own.derive?.(change), ...change.fields })
    if (change.kind === 'delete') rows.delete(change.row)
    if (change.kind === 'call')
      for (const changed of own.calls[change.name]?.apply?.([...rows.values()], change.args) ?? [])
        rows.set(changed.id, changed)
  }
  const isShown = (row: RowOf<Name>) => !own.reference?.cascades || !deleted.has(row[own.reference.column])
  return [...rows.values()].filter(isShown).toSorted(own.compare)
}

function complete<Name extends TableName>(row: Row, { defaults, isRow }: TableRules<Name>): RowOf<Name> {
  const all = { ...defaults, ...row }
  if (!isRow(all)) throw new Error('The test has made a row without all columns.')
  return all
}

function parts(change: Change): readonly Change[] {
  if (change.kind !== 'call' || !change.shownAs) return [change]
  const { id, user_id, at } = change
  return change.shownAs.map((each) => Object.assign({ seen: [] }, each, { id, user_id, at }))
}

/** The lists and rows that are as they were, but not the same objects: the page would render them again. */
function needlesslyNew(
  before: readonly { id: string }[],
  after: readonly { id: string }[],
): readonly unknown[] {
  const known = new Map<string, unknown>(before.map((row) => [row.id, row]))
  const pairs = [[before, after], ...after.map((row) => [known.get(row.id), row])]
  return pairs.filter(([one, other]) => one !== other && JSON.stringify(one) === JSON.stringify(other))
}

it('shows after any events the received rows with all pending changes applied in order, sorted', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40, size: 'max' }), (actions) => {
      const state = createState(rules)
      const views = createViews(state, rules)
      const eventOf = createEvents(state)
      for (const each of actions) {
        const before = TABLES.map((table) => views.rows(table))
        const event = eventOf(each)
        applyEvent(state, event, rules)
        // Several events may come before the page looks.
        if (!each.isSeen) applyEvent(state, eventOf({ ...each, type: 'made' }), rules)
        for (const [index, table] of TABLES.entries()) {
          const after = views.rows(table)
          expect(after).toEqual(definedRows(table, state, rules))
          expect(needlesslyNew(before[index] ?? [], after)).toEqual([])
        }
      }
    }),
    { numRuns: 100 },
  )
})

/** The changes of the user that the server does not have, and that are not stored. */
function unsafeIn(pending: PendingChanges): ReadonlySet<string> {
  const isUnsafe = ({ state }: Pending) => state === 'storing' || state === 'volatile'
  return new Set(pending.filter(isUnsafe).map(({ origin }) => origin))
}

it('finds pending changes by what it knows of them, after any events', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40, size: 'max' }), (actions) => {
      const state = createState(rules)
      const eventOf = createEvents(state)
      const { pending } = state
      for (const each of actions) {
        const before = unsafeIn(pending)
        applyEvent(state, eventOf(each), rules)
        const all = [...pending]
        const unsafe = unsafeIn(pending)
        expect([pending.size, pending.first, pending.isUnsafe]).toEqual([all.length, all[0], unsafe.size > 0])
        for (const known of all) {
          expect(pending.get(known.change.id)).toBe(known)
          expect(pending.withSeq(known.seq ?? -1)).toBe(known.seq === null ? undefined : known)
        }
        expect([...before].filter((id) => !unsafe.has(id)).toSorted()).toEqual(
          pending
            .takeSafe()
            .filter((id) => before.has(id))
            .toSorted(),
        )
      }
    }),
    { numRuns: 50 },
  )
})
