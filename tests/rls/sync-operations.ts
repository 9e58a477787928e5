import { ANNA } from '#tests/support/users.ts'
import { DENIED, FULL, type Operation } from './operations.ts'
import { ANNAS_CATEGORY, ANNAS_DELETED_PRAYER, ANNAS_PRAYER } from './stored-rows.ts'

/** Operations on what devices need to follow changes. Only the database writes it. */
export const SYNC_OPERATIONS: readonly Operation[] = [
  {
    name: 'read the sync state',
    http: { method: 'GET', path: '/sync_state' },
    sql: { text: 'select * from public.sync_state', values: [] },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: "read Anna's sync state by her id",
    http: { method: 'GET', path: `/sync_state?user_id=eq.${ANNA}` },
    sql: { text: 'select * from public.sync_state where user_id = $1', values: [ANNA] },
    owner: '1 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "change Anna's sync state",
    http: { method: 'PATCH', path: `/sync_state?user_id=eq.${ANNA}`, prefer: FULL, body: { rev: 0 } },
    sql: { text: 'update public.sync_state set rev = 0 where user_id = $1', values: [ANNA] },
    owner: DENIED,
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "read Anna's deletion",
    http: { method: 'GET', path: `/deletions?row_id=eq.${ANNAS_DELETED_PRAYER}` },
    sql: { text: 'select * from public.deletions where row_id = $1', values: [ANNAS_DELETED_PRAYER] },
    owner: '1 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: 'add a deletion for Anna',
    http: {
      method: 'POST',
      path: '/deletions',
      prefer: FULL,
      body: { user_id: ANNA, table_name: 'prayers', row_id: ANNAS_PRAYER, rev: 1 },
    },
    sql: {
      text: `insert into public.deletions (user_id, table_name, row_id, rev) values ($1, 'prayers', $2, 1)`,
      values: [ANNA, ANNAS_PRAYER],
    },
    owner: DENIED,
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "remove Anna's deletion",
    http: { method: 'DELETE', path: `/deletions?row_id=eq.${ANNAS_DELETED_PRAYER}`, prefer: FULL },
    sql: { text: 'delete from public.deletions where row_id = $1', values: [ANNAS_DELETED_PRAYER] },
    owner: DENIED,
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "add Anna's deleted prayer again, in Anna's category",
    http: {
      method: 'POST',
      path: '/prayers',
      prefer: FULL,
      body: { id: ANNAS_DELETED_PRAYER, person_name: 'x', category_id: ANNAS_CATEGORY, user_id: ANNA },
    },
    sql: {
      text: `insert into public.prayers (id, person_name, category_id, user_id) values ($1, 'x', $2, $3)`,
      values: [ANNAS_DELETED_PRAYER, ANNAS_CATEGORY, ANNA],
    },
    owner: '0 rows',
    stranger: DENIED,
    anonymous: DENIED,
  },
]
