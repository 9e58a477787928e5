import { describe, expect, it } from 'vitest'
import type { Change, NewChange } from './change.ts'
import { type PendingEvent, type PendingState, TRANSITIONS } from './pending.ts'
import { applyEvent, createState, type State, type StateEvent } from './state.ts'
import type { Contents, RowRef, StoredRow } from './storage.ts'
import { deleteOf, insertOf, prayerRow, RULES, updateOf, updateRow } from './sync.test-data.ts'

const CURSOR = { rev: 5, epoch: 'first' }
const WHY = { reason: 'rejected', code: '', message: '' } as const
const EMPTY: Contents = { version: 1, rows: [], outbox: [], rejected: [], cursor: CURSOR }

function made(id: string, change: NewChange = updateOf('prayers', 'anna', { note: id })): Change {
  return Object.assign({}, change, { id, user_id: 'me', at: '2026-03-01T09:00:00Z', seen: [] })
}

const load = (contents: Partial<Contents> = {}): StateEvent => ({
  type: 'loaded',
  contents: { ...EMPTY, ...contents },
  tables: ['categories', 'prayers', 'prayer_updates'],
})
const make = (id: string): StateEvent => ({ type: 'made', changes: [made(id)] })
const store = (id: string, seq: number): StateEvent => ({
  type: 'committed',
  batch: { addChanges: [made(id)] },
  seqs: [seq],
})
const remove = (seq: number): StateEvent => ({ type: 'committed', batch: { removeChanges: [seq] }, seqs: [] })

function after(...events: readonly StateEvent[]): State {
  const state = createState(RULES)
  for (const event of events) applyEvent(state, event, RULES)
  return state
}

const pendingAfter = (...events: readonly StateEvent[]) =>
  [...after(...events).pending].map(({ change, state, seq }) => [change.id, state, seq])

const stored = (row: StoredRow['row'], table: StoredRow['table'] = 'prayers'): StoredRow => ({ table, row })

it('has everything to be sent again that was saved before another tab has noticed a restore', () => {
  const outbox = [{ seq: 1, change: made('a') }]
  const saved: StateEvent = { type: 'saved', id: 'a', rev: 7 }
  expect(pendingAfter(load({ outbox }), saved, load({ outbox }))).toEqual([['a', 'saved', 1]])
  for (const cursor of [
    { rev: 1000, epoch: 'second' },
    { rev: CURSOR.rev - 1, epoch: CURSOR.epoch },
  ]) {
    const noticed: readonly StateEvent[] = [
      load({ outbox, cursor }),
      { type: 'committed', batch: { cursor }, seqs: [] },
    ]
    for (const event of noticed)
      expect([...after(load({ outbox }), saved, event).pending]).toMatchObject([
        { state: 'stored', rev: null },
      ])
  }
})

it.each([
  ['stays saved', 'saved', []],
  ['has to be sent again if it is not the first one', 'stored', [{ epoch: 'zeroth', rev: 3 }]],
])('what was saved before the epoch was known %s', (_what, state, restores) => {
  const outbox = [{ seq: 1, change: made('a') }]
  const saved: StateEvent = { type: 'saved', id: 'a', rev: 7 }
  const pull: StateEvent = { type: 'committed', batch: { cursor: { ...CURSOR, restores } }, seqs: [] }
  for (const cursor of [null, { rev: 0, epoch: null }])
    expect([...after(load({ outbox, cursor }), saved, pull).pending]).toMatchObject([{ state }])
})

describe('a pending change', () => {
  const [STORED, SAVED] = [store('a', 1), { type: 'saved', id: 'a', rev: 7 } as const]
  const NOT_STORED = { type: 'not-stored', ids: ['a'] } as const
  const UNDONE = { type: 'undone', ids: ['a'] } as const

  /** How a change gets into each state. */
  const INTO: Record<PendingState, readonly StateEvent[]> = {
    storing: [make('a')],
    volatile: [make('a'), NOT_STORED],
    stored: [make('a'), STORED],
    saved: [make('a'), STORED, SAVED],
    'saved-unstored': [make('a'), NOT_STORED, SAVED],
  }
  const EVENTS: Record<PendingEvent, readonly StateEvent[]> = {
    stored: [STORED, load({ outbox: [{ seq: 1, change: made('a') }] })],
    'not-stored': [NOT_STORED],
    saved: [SAVED],
    missed: [{ type: 'pulled' }],
    acknowledged: [{ type: 'acknowledged', ids: ['a'] }],
    replaced: [
      { type: 'committed', batch: { removeChanges: [1], addRejected: [{ ...made('a'), ...WHY }] }, seqs: [] },
      { type: 'committed', batch: { removeChanges: [1], addChanges: [made('copy')] }, seqs: [2] },
    ],
    undone: [UNDONE],
  }
  const cases = Object.entries(INTO).flatMap(([state, into]) =>
    Object.entries(EVENTS).map(([event, ways]) => ({ state, event, into, ways })),
  )
  /** What is expected, in words a reader can check: everything else stays as it is. */
  const EXPECTED: Record<string, string> = {
    'storing stored': 'stored',
    'storing not-stored': 'volatile',
    'volatile stored': 'stored',
    'volatile saved': 'saved-unstored',
    'volatile acknowledged': 'gone',
    'volatile undone': 'gone',
    'stored saved': 'saved',
    'stored acknowledged': 'gone',
    'stored replaced': 'gone',
    'saved missed': 'stored',
    'saved acknowledged': 'gone',
    'saved replaced': 'gone',
    'saved-unstored stored': 'saved',
    'saved-unstored missed': 'volatile',
    'saved-unstored acknowledged': 'gone',
  }

  it.each(cases)('that is $state, after $event', ({ state, event, into, ways }) => {
    for (const way of ways) {
      const pending = after(load(), ...into, way).pending.get('a')
      expect(pending?.state ?? 'gone').toBe(EXPECTED[`${state} ${event}`] ?? state)
    }
  })

  it('has no transition that is not tested', () => {
    const all = Object.entries(TRANSITIONS).flatMap(([state, events]) =>
      Object.entries(events).map(([event, next]) => [`${state} ${event}`, next]),
    )
    expect(Object.fromEntries(all)).toEqual(EXPECTED)
  })

  it('leaves the outbox with the commit that removes its position', () => {
    expect(pendingAfter(load(), ...INTO.saved, make('b'), store('b', 2), remove(1))).toEqual([
      ['b', 'stored', 2],
    ])
  })

  it('keeps what is known about it when the storage is read again, and is gone if another tab has removed it', () => {
    const outbox = [{ seq: 1, change: made('a') }]
    expect(pendingAfter(load(), ...INTO.saved, load({ outbox }))).toEqual([['a', 'saved', 1]])
    expect(pendingAfter(load(), ...INTO.saved, load())).toEqual([])
    expect(pendingAfter(load(), ...INTO.volatile, load())).toEqual([['a', 'volatile', null]])
  })

  it('comes before the later ones of this page while it cannot be stored, and after those of other tabs', () => {
    const outbox = [
      { seq: 8, change: made('other') },
      { seq: 9, change: made('b') },
    ]
    expect(pendingAfter(load(), make('a'), NOT_STORED, make('b'), store('b', 9), load({ outbox }))).toEqual([
      ['other', 'stored', 8],
      ['a', 'volatile', null],
      ['b', 'stored', 9],
    ])
  })

  it('comes behind what it needs when that is sent to a restored server before it', () => {
    const lost: StateEvent = {
      type: 'committed',
      batch: { addChanges: [made('lost'), made('b')], removeChanges: [9] },
      seqs: [10, 11],
    }
    const both = [make('a'), NOT_STORED, make('b'), store('b', 9)]
    expect(pendingAfter(load(), ...both, lost)).toEqual([
      ['lost', 'stored', 10],
      ['a', 'volatile', null],
      ['b', 'stored', 11],
    ])
    const notKept: StateEvent = { type: 'committed', batch: { addChanges: [made('lost')] }, seqs: [] }
    expect(pendingAfter(load(), make('a'), NOT_STORED, notKept)).toEqual([
      ['lost', 'volatile', null],
      ['a', 'volatile', null],
    ])
  })

  it('is not shown if it is of a table that this version of the app does not know', () => {
    const unknown: Change = JSON.parse(JSON.stringify({ ...made('a'), table: 'reminders' }))
    expect(pendingAfter(load({ outbox: [{ seq: 1, change: unknown }] }))).toEqual([])
  })

  it('is replaced by conflict copies of its texts, which its author waits for', () => {
    const copies = [made('copy-1'), made('copy-2')]
    const { pending } = after(load(), ...INTO.volatile, { type: 'replaced', id: 'a', replacements: copies })
    expect([...pending]).toMatchObject([
      { change: { id: 'copy-1' }, state: 'volatile', origin: 'a' },
      { change: { id: 'copy-2' }, state: 'volatile', origin: 'a' },
    ])
  })
})

describe('the received rows', () => {
  // A column may be a list.
  const anna = { ...prayerRow('anna', 'Exam'), labels: ['family'] }
  const update = updateRow('passed', 'anna', 'She has passed')
  const ROWS = [stored(anna), stored(update, 'prayer_updates')]

  it('are not replaced by older ones', () => {
    const older = { ...anna, rev: 0, note: 'Before' }
    const { rows } = after(load({ rows: ROWS }), {
      type: 'committed',
      batch: { put: [stored(older)] },
      seqs: [],
    })
    expect(rows.prayers.get('anna')).toBe(anna)
  })

  it('stay the same objects where nothing has changed', () => {
    const again = after(load({ rows: ROWS }), load({ rows: structuredClone(ROWS) }))
    expect(again.rows.prayers.get('anna')).toBe(anna)
    const everything = structuredClone(ROWS)
    const pull: StateEvent = { type: 'committed', batch: { clearRows: true, put: everything }, seqs: [] }
    expect(after(load({ rows: ROWS }), pull).rows.prayers.get('anna')).toBe(anna)
  })

  it('are complete once all of them were received, stored or not', () => {
    const start = load({ cursor: null })
    expect(after(start).isComplete).toBe(false)
    expect(after(start, { type: 'received', batch: { put: ROWS }, isComplete: false }).isComplete).toBe(false)
    expect(after(start, { type: 'received', batch: { put: ROWS }, isComplete: true })).toMatchObject({
      isComplete: true,
      cursor: null,
    })
    const pull: StateEvent = { type: 'committed', batch: { put: ROWS, cursor: CURSOR }, seqs: [] }
    expect(after(start, pull)).toMatchObject({ isComplete: true, cursor: CURSOR, version: 2 })
  })

  it('that this page alone has removed are remembered until they are removed from the storage', () => {
    const both: RowRef[] = [
      { table: 'prayers', id: 'anna' },
      { table: 'prayer_updates', id: 'passed' },
    ]
    const batch = { remove: both.slice(0, 1) }
    const removed = [load({ rows: ROWS }), { type: 'received', batch, isComplete: false } as const]
    expect(after(...removed).rows.prayer_updates.size).toBe(0)
    expect(after(...removed).notRemoved).toEqual(both)
    const commit = (refs: RowRef[]): StateEvent => ({ type: 'committed', batch: { remove: refs }, seqs: [] })
    expect(after(...removed, commit([])).notRemoved).toEqual(both)
    expect(after(...removed, commit(both)).notRemoved).toEqual([])
  })
})

it('keeps rejected changes, oldest first, until they are removed', () => {
  const [older, newer] = [
    { ...made('a', deleteOf('prayers', 'anna')), ...WHY, at: '2026-01-01T00:00:00Z' },
    { ...made('b', insertOf('prayers', prayerRow('ben', null))), ...WHY },
  ]
  const reject: StateEvent = { type: 'committed', batch: { addRejected: [older] }, seqs: [] }
  expect(after(load({ rejected: [newer] }), reject).rejected).toEqual([older, newer])
  const discard: StateEvent = { type: 'committed', batch: { removeRejected: ['b'] }, seqs: [] }
  expect(after(load({ rejected: [newer] }), reject, discard).rejected).toEqual([older])
})
