import { ANNA, BEN } from '#tests/support/users.ts'
import { DENIED, FULL, type Operation } from './operations.ts'
import { ANNAS_PRAYER, ANNAS_UPDATE, BENS_PRAYER, BENS_UPDATE } from './stored-rows.ts'

/** Operations on dated updates and prayed days. */
export const UPDATE_OPERATIONS: readonly Operation[] = [
  {
    name: 'read all updates',
    http: { method: 'GET', path: '/prayer_updates' },
    sql: { text: 'select * from public.prayer_updates', values: [] },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: "read the updates of Anna's prayer",
    http: { method: 'GET', path: `/prayer_updates?prayer_id=eq.${ANNAS_PRAYER}` },
    sql: { text: 'select * from public.prayer_updates where prayer_id = $1', values: [ANNAS_PRAYER] },
    owner: '1 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "add an update to Anna's prayer",
    http: {
      method: 'POST',
      path: '/prayer_updates',
      prefer: FULL,
      body: { prayer_id: ANNAS_PRAYER, body: 'x' },
    },
    sql: {
      text: `insert into public.prayer_updates (prayer_id, body) values ($1, 'x')`,
      values: [ANNAS_PRAYER],
    },
    owner: '1 rows',
    stranger: 'error 23503',
    anonymous: DENIED,
  },
  {
    name: 'add an update for Anna to her prayer',
    http: {
      method: 'POST',
      path: '/prayer_updates',
      prefer: FULL,
      body: { prayer_id: ANNAS_PRAYER, body: 'x', user_id: ANNA },
    },
    sql: {
      text: `insert into public.prayer_updates (prayer_id, body, user_id) values ($1, 'x', $2)`,
      values: [ANNAS_PRAYER, ANNA],
    },
    owner: '1 rows',
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "change Anna's update",
    http: {
      method: 'PATCH',
      path: `/prayer_updates?id=eq.${ANNAS_UPDATE}`,
      prefer: FULL,
      body: { body: 'Taken' },
    },
    sql: { text: `update public.prayer_updates set body = 'Taken' where id = $1`, values: [ANNAS_UPDATE] },
    owner: '1 rows',
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "move Anna's update to Ben's prayer",
    http: {
      method: 'PATCH',
      path: `/prayer_updates?id=eq.${ANNAS_UPDATE}`,
      prefer: FULL,
      body: { prayer_id: BENS_PRAYER },
    },
    sql: {
      text: 'update public.prayer_updates set prayer_id = $1 where id = $2',
      values: [BENS_PRAYER, ANNAS_UPDATE],
    },
    owner: DENIED,
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "give Anna's update to Ben, on his prayer",
    http: {
      method: 'PATCH',
      path: `/prayer_updates?id=eq.${ANNAS_UPDATE}`,
      prefer: FULL,
      body: { prayer_id: BENS_PRAYER, user_id: BEN },
    },
    sql: {
      text: 'update public.prayer_updates set prayer_id = $1, user_id = $2 where id = $3',
      values: [BENS_PRAYER, BEN, ANNAS_UPDATE],
    },
    owner: DENIED,
    stranger: '0 rows',
    anonymous: DENIED,
  },
  {
    name: "move Ben's update to Anna's prayer",
    http: {
      method: 'PATCH',
      path: `/prayer_updates?id=eq.${BENS_UPDATE}`,
      prefer: FULL,
      body: { prayer_id: ANNAS_PRAYER },
    },
    sql: {
      text: 'update public.prayer_updates set prayer_id = $1 where id = $2',
      values: [ANNAS_PRAYER, BENS_UPDATE],
    },
    owner: '0 rows',
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: 'delete all updates',
    http: { method: 'DELETE', path: '/prayer_updates?id=not.is.null', prefer: FULL },
    sql: { text: 'delete from public.prayer_updates', values: [] },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: "overwrite Anna's update by an upsert, on Ben's prayer",
    http: {
      method: 'POST',
      path: '/prayer_updates',
      prefer: `resolution=merge-duplicates,${FULL}`,
      body: { id: ANNAS_UPDATE, prayer_id: BENS_PRAYER, body: 'Taken' },
    },
    sql: {
      text: `insert into public.prayer_updates (id, prayer_id, body) values ($1, $2, 'Taken')
             on conflict (id) do update set prayer_id = excluded.prayer_id, body = excluded.body`,
      values: [ANNAS_UPDATE, BENS_PRAYER],
    },
    owner: DENIED,
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "mark Anna's and Ben's prayers as prayed",
    http: {
      method: 'POST',
      path: '/rpc/mark_prayed',
      body: { prayer_ids: [ANNAS_PRAYER, BENS_PRAYER], prayed_on: '2026-01-03' },
    },
    sql: {
      text: `select public.mark_prayed($1::uuid[], '2026-01-03')`,
      values: [[ANNAS_PRAYER, BENS_PRAYER]],
    },
    owner: '1 rows',
    stranger: '1 rows',
    anonymous: DENIED,
  },
  {
    name: 'read prayed days',
    http: { method: 'GET', path: '/prayed_days' },
    sql: { text: 'select * from public.prayed_days', values: [] },
    owner: DENIED,
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "add a prayed day to Anna's prayer",
    http: {
      method: 'POST',
      path: '/prayed_days',
      prefer: FULL,
      body: { prayer_id: ANNAS_PRAYER, user_id: ANNA, day: '2026-01-03' },
    },
    sql: {
      text: `insert into public.prayed_days (prayer_id, user_id, day) values ($1, $2, '2026-01-03')`,
      values: [ANNAS_PRAYER, ANNA],
    },
    owner: DENIED,
    stranger: DENIED,
    anonymous: DENIED,
  },
  {
    name: "remove Anna's prayed days",
    http: { method: 'DELETE', path: `/prayed_days?user_id=eq.${ANNA}`, prefer: FULL },
    sql: { text: 'delete from public.prayed_days where user_id = $1', values: [ANNA] },
    owner: DENIED,
    stranger: DENIED,
    anonymous: DENIED,
  },
]
