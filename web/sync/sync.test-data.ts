import { createStore } from '#web/lib/storage/store.ts'
import { NO_EVENTS, openDatabase } from './database.ts'
import type { FakeServer } from './fake-server.test-data.ts'
import type { NewChange, NewDeletion, NewInsert, NewUpdate } from './change.ts'
import type { RememberedEncryption } from './sealing/remembered.ts'
import type {
  Arguments,
  Copy,
  InsertFields,
  RowOf,
  Row,
  Rules,
  TableName,
  TextFields,
  UpdateFields,
} from './schema.ts'
import type { DeviceStorage } from './storage.ts'
import { createSyncEngine, type SyncEngine, type SyncEngineOptions } from './sync-engine.ts'

type Category = RowOf<'categories'>
type Prayer = RowOf<'prayers'>
type Update = RowOf<'prayer_updates'>

/** Columns of a prayer that rows may lack. */
const UNUSED = { due_on: null, times_prayed: 0, answer: null }

export const RULES: Rules = {
  categories: {
    name: 'categories',
    compare: (a, b) => a.order - b.order,
    order: [{ column: 'order' }, { column: 'id' }],
    columns: ['name'],
    defaults: {},
    isRow: (row): row is Row & Category => typeof row['name'] === 'string',
    typed: ['name'],
    texts: [],
    computed: ['updated_at'],
    reference: null,
    calls: { reorder_categories: { apply: reordered } },
  },
  prayers: {
    name: 'prayers',
    compare: (a, b) => (a.id < b.id ? -1 : 1),
    order: [{ column: 'id' }],
    columns: ['person_name', ...Object.keys(UNUSED)],
    defaults: UNUSED,
    isRow: (row): row is Row & Prayer => typeof row['person_name'] === 'string',
    typed: ['person_name', 'note', 'answer'],
    texts: ['note', 'answer'],
    movedText: { name: 'answer', with: ['resolved', 'answered_on'] },
    computed: ['times_prayed'],
    conflictCopy: keptAsUpdate,
    derive: ({ fields, base, at, datedAt = at }) =>
      fields.note === undefined || fields.note === base.note ? {} : { note_changed_at: datedAt },
    datedAt: ({ note_changed_at: changed, created_at: added }) =>
      [changed, added].find((time) => typeof time === 'string'),
    reference: { column: 'category_id', table: 'categories', cascades: false },
    calls: {
      mark_prayed: {
        apply: prayed,
        refersTo: prayersIn,
      },
      move_prayers: {
        apply: (prayers, { category_id: id }) =>
          prayers.map((prayer) => Object.assign({}, prayer, { category_id: id })),
        refersTo: prayersIn,
        update: ({ category_id = null }) => ({ category_id }),
      },
      reopen_prayer: { refersTo: ({ update_id: id }) => (typeof id === 'string' ? [id] : []) },
    },
  },
  prayer_updates: {
    name: 'prayer_updates',
    isReadLater: true,
    compare: (a, b) => (a.id < b.id ? -1 : 1),
    order: [{ column: 'id' }],
    columns: ['body'],
    defaults: {},
    isRow: (row): row is Row & Update => typeof row['body'] === 'string',
    typed: ['body'],
    texts: ['body'],
    computed: ['updated_at'],
    conflictCopy: keptAsUpdate,
    keptText: (text) => text.replace(/^(?:[-0-9]{10}T[0-9:.]+Z: )+/, ''),
    reference: { column: 'prayer_id', table: 'prayers', cascades: true },
    calls: {},
  },
}

function keptAsUpdate(prayer_id: string, text: string, at: string): Copy {
  return { table: 'prayer_updates', fields: { prayer_id, body: `${at}: ${text}`, created_at: at } }
}

function reordered(categories: readonly Category[], { category_ids: ids }: Arguments): readonly Category[] {
  const listed: readonly unknown[] = Array.isArray(ids) ? ids : []
  return categories.map((category) => Object.assign({}, category, { order: listed.indexOf(category.id) + 1 }))
}

function prayersIn({ prayer_ids: ids }: Arguments): readonly string[] {
  return Array.isArray(ids) ? ids.map(String) : []
}

function prayed(prayers: readonly Prayer[], { prayer_ids: ids }: Arguments): readonly Prayer[] {
  const listed: readonly unknown[] = Array.isArray(ids) ? ids : []
  return prayers
    .filter(({ id }) => listed.includes(id))
    .map((prayer) => Object.assign({}, prayer, { times_prayed: prayer.times_prayed + 1 }))
}

const CREATED = '2026-01-01T00:00:00+00:00'

export function categoryRow(id: string, name: string, order: number): RowOf<'categories'> {
  return {
    id,
    user_id: 'me',
    name,
    order,
    is_visible: true,
    pray_days: null,
    created_at: CREATED,
    updated_at: CREATED,
    rev: 1,
  }
}

export function prayerRow(id: string, note: string | null): InsertFields<'prayers'> & { rev: number } {
  const fields = { category_id: 'family', person_name: 'Anna', note, resolved: false }
  return { id, user_id: 'me', ...fields, ...UNUSED, created_at: CREATED, rev: 1 }
}

export function updateRow(
  id: string,
  prayer_id: string,
  body: string,
): InsertFields<'prayer_updates'> & { rev: number } {
  return { id, user_id: 'me', prayer_id, body, created_at: CREATED, updated_at: CREATED, rev: 1 }
}

/** Opens the data of the user `me` in one tab, on the current test's IndexedDB. Nothing is sent before `syncNow`. */
export async function openTab(
  server: FakeServer,
  { fails, ...options }: Partial<SyncEngineOptions> & { fails?: () => boolean } = {},
): Promise<SyncEngine> {
  const storage = await openDatabase('me', NO_EVENTS)
  let ids = 0
  const tab = (tabs += 1)
  return createSyncEngine({
    userId: 'me',
    rules: RULES,
    storage: withFailures(storage, fails ?? (() => false)),
    url: 'http://localhost/rest/v1',
    send: server.fetch,
    isAccountDeleted: async () => false,
    isPaused: () => false,
    remembered: createStore<RememberedEncryption | null>(null),
    newId: () => `tab-${String(tab)}-${String((ids += 1))}`,
    now: () => new Date('2026-03-01T09:00:00Z'),
    exclusively: (round) => round(),
    onCommit: () => {},
    onPending: () => {},
    ...options,
  })
}
let tabs = 0

function withFailures(storage: DeviceStorage, fails: () => boolean): DeviceStorage {
  const requireSpace = () => {
    if (fails()) throw new DOMException('The disk is full.', 'QuotaExceededError')
  }
  return {
    ...storage,
    commit: async (batch, version) => {
      requireSpace()
      return storage.commit(batch, version)
    },
    addKeys: async (keys) => {
      requireSpace()
      return storage.addKeys(keys)
    },
  }
}

/** Makes changes, one after the other, and runs a round. Resolves to whether it succeeded. */
export async function sendChanges(sync: SyncEngine, ...changes: readonly NewChange[]): Promise<boolean> {
  for (const change of changes) await sync.change(change)
  return sync.syncNow()
}

export function insertOf<Name extends TableName>(
  table: Name,
  row: InsertFields<Name> & { rev?: number },
): NewInsert<Name> {
  const fields = { ...row }
  delete fields.rev
  return { table, kind: 'insert', row: row.id, fields }
}

export function updateOf<Name extends TableName>(
  table: Name,
  row: string,
  fields: UpdateFields<Name>,
  base: TextFields<Name> = {},
): NewUpdate<Name> {
  return { table, kind: 'update', row, fields, base }
}

export function deleteOf<Name extends TableName>(
  table: Name,
  row: string,
  base: TextFields<Name> = {},
): NewDeletion<Name> {
  return { table, kind: 'delete', row, base }
}

export function moveOf(category_id: string, ...ids: readonly string[]): NewChange {
  return {
    table: 'prayers',
    kind: 'call',
    name: 'move_prayers',
    args: { prayer_ids: [...ids], category_id },
  }
}

export function reorderOf(...ids: readonly string[]): NewChange {
  return {
    table: 'categories',
    kind: 'call',
    name: 'reorder_categories',
    args: { category_ids: [...ids] },
  }
}
