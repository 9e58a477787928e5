import type { Statement } from '#server/db/request-scope.ts'
import { ANNA, BEN } from '#tests/support/users.ts'
import {
  ANNAS_CATEGORY,
  ANNAS_EMPTY_CATEGORY,
  ANNAS_PRAYER,
  BENS_CATEGORY,
  BENS_PRAYER,
} from './stored-rows.ts'

/** Who runs an operation: the owner is Anna, the stranger is Ben. The last two send a token that is rejected. */
export type Actor = 'owner' | 'stranger' | 'anonymous' | 'forged' | 'expired'

/** The number of rows read or changed, or the code of the error. */
export type Outcome = `${number} rows` | `error ${string}`

export interface Operation {
  name: string
  http: { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; prefer?: string; body?: object }
  sql: Statement
  owner: Outcome
  stranger: Outcome
  anonymous: Outcome
}

/** Anna's export. */
const ANNAS_FILE = {
  categories: [
    {
      id: ANNAS_CATEGORY,
      name: 'Family',
      order: 1,
      is_visible: true,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    },
  ],
  prayers: [
    {
      id: ANNAS_PRAYER,
      category_id: ANNAS_CATEGORY,
      person_name: 'Ruth',
      note: 'changed',
      resolved: false,
      created_at: '2026-01-01T00:00:00Z',
    },
  ],
}

export const DENIED = 'error 42501'
export const FULL = 'return=representation'
const MERGE = `resolution=merge-duplicates,${FULL}`
const IGNORE = `resolution=ignore-duplicates,${FULL}`

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'read all categories',
    http: { method: 'GET', path: '/categories' },
    sql: { text: 'select * from public.categories', values: [] },
    owner: '2 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: "read Anna's categories by her id",
    http: { method: 'GET', path: `/categories?user_id=eq.${ANNA}` },
    sql: { text: 'select * from public.categories where user_id = $1', values: [ANNA] },
    owner: '2 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: 'add a category without naming its owner',
    http: { method: 'POST', path: '/categories', prefer: FULL, body: { name: 'New', order: 3 } },
    sql: { text: `insert into public.categories (name, "order") values ('New', 3) returning id`, values: [] },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: 'add a category for Anna',
    http: {
      method: 'POST',
      path: '/categories',
      body: { name: 'New', order: 3, user_id: ANNA },
      prefer: FULL,
    },
    sql: {
      text: `insert into public.categories (name, "order", user_id) values ('New', 3, $1)`,
      values: [ANNA],
    },
    owner: '1 rows',
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "rename Anna's category",
    http: {
      method: 'PATCH',
      path: `/categories?id=eq.${ANNAS_CATEGORY}`,
      prefer: FULL,
      body: { name: 'Taken' },
    },
    sql: { text: `update public.categories set name = 'Taken' where id = $1`, values: [ANNAS_CATEGORY] },
    owner: '1 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: 'hide all categories',
    http: { method: 'PATCH', path: '/categories?id=not.is.null', prefer: FULL, body: { is_visible: false } },
    sql: { text: 'update public.categories set is_visible = false', values: [] },
    owner: '2 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: "give Anna's category to Ben",
    http: {
      method: 'PATCH',
      path: `/categories?id=eq.${ANNAS_EMPTY_CATEGORY}`,
      prefer: FULL,
      body: { user_id: BEN },
    },
    sql: {
      text: 'update public.categories set user_id = $1 where id = $2',
      values: [BEN, ANNAS_EMPTY_CATEGORY],
    },
    owner: DENIED,
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "take over Ben's category for Anna",
    http: {
      method: 'PATCH',
      path: `/categories?id=eq.${BENS_CATEGORY}`,
      prefer: FULL,
      body: { user_id: ANNA },
    },
    sql: { text: 'update public.categories set user_id = $1 where id = $2', values: [ANNA, BENS_CATEGORY] },
    owner: '0 rows',
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "delete Anna's category",
    http: { method: 'DELETE', path: `/categories?id=eq.${ANNAS_EMPTY_CATEGORY}`, prefer: FULL },
    sql: { text: 'delete from public.categories where id = $1', values: [ANNAS_EMPTY_CATEGORY] },
    owner: '1 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "overwrite Anna's category by an upsert",
    http: {
      method: 'POST',
      path: '/categories?on_conflict=id',
      prefer: MERGE,
      body: { id: ANNAS_CATEGORY, name: 'Taken', order: 9 },
    },
    sql: {
      text: `insert into public.categories (id, name, "order") values ($1, 'Taken', 9)
             on conflict (id) do update set name = excluded.name, "order" = excluded."order"`,
      values: [ANNAS_CATEGORY],
    },
    owner: '1 rows',
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "add a category with the id of Anna's, ignoring duplicates",
    http: {
      method: 'POST',
      path: '/categories',
      prefer: IGNORE,
      body: { id: ANNAS_CATEGORY, name: 'x', order: 9 },
    },
    sql: {
      text: `insert into public.categories (id, name, "order") values ($1, 'x', 9) on conflict (id) do nothing`,
      values: [ANNAS_CATEGORY],
    },
    owner: '0 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: 'read all prayers',
    http: { method: 'GET', path: '/prayers' },
    sql: { text: 'select * from public.prayers', values: [] },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: "read Anna's prayer by its id",
    http: { method: 'GET', path: `/prayers?id=eq.${ANNAS_PRAYER}` },
    sql: { text: 'select * from public.prayers where id = $1', values: [ANNAS_PRAYER] },
    owner: '1 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "find Anna's prayer by its text",
    http: { method: 'GET', path: `/prayers?or=(note.like.a*,person_name.eq.Ruth)` },
    sql: { text: `select * from public.prayers where note like 'a%' or person_name = 'Ruth'`, values: [] },
    owner: '1 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "add a prayer to Anna's category",
    http: {
      method: 'POST',
      path: '/prayers',
      prefer: FULL,
      body: { person_name: 'x', category_id: ANNAS_CATEGORY },
    },
    sql: {
      text: `insert into public.prayers (person_name, category_id) values ('x', $1)`,
      values: [ANNAS_CATEGORY],
    },
    owner: '1 rows',
    stranger: 'error 23503',
    anonymous: DENIED,
  },
  {
    name: 'add a prayer for Anna to her category',
    http: {
      method: 'POST',
      path: '/prayers',
      prefer: FULL,
      body: { person_name: 'x', category_id: ANNAS_CATEGORY, user_id: ANNA },
    },
    sql: {
      text: `insert into public.prayers (person_name, category_id, user_id) values ('x', $1, $2)`,
      values: [ANNAS_CATEGORY, ANNA],
    },
    owner: '1 rows',
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "resolve Anna's prayer",
    http: { method: 'PATCH', path: `/prayers?id=eq.${ANNAS_PRAYER}`, prefer: FULL, body: { resolved: true } },
    sql: { text: 'update public.prayers set resolved = true where id = $1', values: [ANNAS_PRAYER] },
    owner: '1 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "move Anna's prayer to Ben's category",
    http: {
      method: 'PATCH',
      path: `/prayers?id=eq.${ANNAS_PRAYER}`,
      prefer: FULL,
      body: { category_id: BENS_CATEGORY },
    },
    sql: {
      text: 'update public.prayers set category_id = $1 where id = $2',
      values: [BENS_CATEGORY, ANNAS_PRAYER],
    },
    owner: 'error 23503',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "move Ben's prayer to Anna's category",
    http: {
      method: 'PATCH',
      path: `/prayers?id=eq.${BENS_PRAYER}`,
      prefer: FULL,
      body: { category_id: ANNAS_CATEGORY },
    },
    sql: {
      text: 'update public.prayers set category_id = $1 where id = $2',
      values: [ANNAS_CATEGORY, BENS_PRAYER],
    },
    owner: '0 rows',
    stranger: 'error 23503',
    anonymous: DENIED,
  },
  {
    name: "give Anna's prayer to Ben, in Ben's category",
    http: {
      method: 'PATCH',
      path: `/prayers?id=eq.${ANNAS_PRAYER}`,
      prefer: FULL,
      body: { user_id: BEN, category_id: BENS_CATEGORY },
    },
    sql: {
      text: 'update public.prayers set user_id = $1, category_id = $2 where id = $3',
      values: [BEN, BENS_CATEGORY, ANNAS_PRAYER],
    },
    owner: DENIED,
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "delete Anna's prayer",
    http: { method: 'DELETE', path: `/prayers?id=eq.${ANNAS_PRAYER}`, prefer: FULL },
    sql: { text: 'delete from public.prayers where id = $1', values: [ANNAS_PRAYER] },
    owner: '1 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: 'delete all prayers',
    http: { method: 'DELETE', path: '/prayers?id=not.is.null', prefer: FULL },
    sql: { text: 'delete from public.prayers', values: [] },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: "overwrite Anna's prayer by an upsert, in Ben's category",
    http: {
      method: 'POST',
      path: '/prayers',
      prefer: MERGE,
      body: { id: ANNAS_PRAYER, person_name: 'Taken', category_id: BENS_CATEGORY },
    },
    sql: {
      text: `insert into public.prayers (id, person_name, category_id) values ($1, 'Taken', $2)
             on conflict (id) do update set person_name = excluded.person_name, category_id = excluded.category_id`,
      values: [ANNAS_PRAYER, BENS_CATEGORY],
    },
    owner: 'error 23503',
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "reorder Anna's and Ben's categories together",
    http: {
      method: 'POST',
      path: '/rpc/reorder_categories',
      body: { category_ids: [BENS_CATEGORY, ANNAS_EMPTY_CATEGORY, ANNAS_CATEGORY] },
    },
    sql: {
      text: 'select public.reorder_categories($1::uuid[])',
      values: [[BENS_CATEGORY, ANNAS_EMPTY_CATEGORY, ANNAS_CATEGORY]],
    },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: 'export the account',
    http: { method: 'POST', path: '/rpc/export_account', body: {} },
    sql: { text: 'select public.export_account()', values: [] },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: "import Anna's category and prayer under their ids",
    http: { method: 'POST', path: '/rpc/import_prayers', body: { data: ANNAS_FILE, preview: false } },
    sql: { text: 'select public.import_prayers($1, false)', values: [JSON.stringify(ANNAS_FILE)] },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: 'count what deleting the account would delete',
    http: { method: 'POST', path: '/rpc/preview_account_deletion', body: {} },
    sql: { text: 'select public.preview_account_deletion()', values: [] },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    // These tokens have no recent sign-in. tests/db covers deletion with one.
    name: 'delete the account without a recent sign-in',
    http: { method: 'POST', path: '/rpc/delete_account', body: {} },
    sql: { text: 'select public.delete_account()', values: [] },
    owner: 'error PT403',
    stranger: 'error PT403',
    anonymous: DENIED,
  },
]
