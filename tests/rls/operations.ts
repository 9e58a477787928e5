import type { Statement } from '#server/db/request-scope.ts'
import { ANNA, BEN } from '#tests/support/users.ts'
import {
  ANNAS_CATEGORY,
  ANNAS_DELETED_PRAYER,
  ANNAS_EMPTY_CATEGORY,
  ANNAS_PRAYER,
  ANNAS_REMINDER,
  ANNAS_SESSION,
  ANNAS_UPDATE,
  BENS_CATEGORY,
  BENS_PRAYER,
  BENS_REMINDER,
  BENS_UPDATE,
  KEY_ID,
  PROOF,
} from './stored-rows.ts'

/** The number of rows read or changed, or the code of the error. */
export type Outcome = `${number} rows` | `error ${string}`

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  prefer: string
  body?: object
}

/** Something that a caller may try, and what becomes of it. It is denied to everyone who has not signed in. */
export interface Operation {
  name: string
  http: HttpRequest
  sql: Statement
  /** Anna, whose rows most operations are about. */
  owner: Outcome
  /** Ben. */
  stranger: Outcome
}

export const DENIED = 'error 42501'
/** A row that is referred to does not exist among the caller's. */
const NO_SUCH_ROW = 'error 23503'
const FULL = 'return=representation'
const MERGE = `resolution=merge-duplicates,${FULL}`
const IGNORE = `resolution=ignore-duplicates,${FULL}`

const get = (path: string): HttpRequest => ({ method: 'GET', path, prefer: '' })
const remove = (path: string): HttpRequest => ({ method: 'DELETE', path, prefer: FULL })
const patch = (path: string, body: object): HttpRequest => ({ method: 'PATCH', path, prefer: FULL, body })
const post = (path: string, body: object, prefer = FULL): HttpRequest => ({
  method: 'POST',
  path,
  prefer,
  body,
})

/** A statement whose values are bound. */
function sql(texts: TemplateStringsArray, ...values: (string | readonly string[])[]): Statement {
  const [first = '', ...rest] = texts
  return { text: rest.reduce((text, next, index) => `${text}$${String(index + 1)}${next}`, first), values }
}

function operation(
  name: string,
  http: HttpRequest,
  statement: Statement,
  owner: Outcome,
  stranger: Outcome,
): Operation {
  return { name, http, sql: statement, owner, stranger }
}

const TIME = '2026-01-01T00:00:00Z'
/** Anna's export. */
const ANNAS_FILE = {
  categories: [
    { id: ANNAS_CATEGORY, name: 'Family', order: 1, is_visible: true, created_at: TIME, updated_at: TIME },
  ],
  prayers: [
    {
      id: ANNAS_PRAYER,
      category_id: ANNAS_CATEGORY,
      person_name: 'Ruth',
      note: 'changed',
      resolved: false,
      created_at: TIME,
    },
  ],
}
const ALL_CATEGORIES = [BENS_CATEGORY, ANNAS_EMPTY_CATEGORY, ANNAS_CATEGORY]

const CATEGORIES: readonly Operation[] = [
  operation(
    'read all categories',
    get('/categories'),
    sql`select * from public.categories`,
    '2 rows',
    '1 rows',
  ),
  operation(
    "read Anna's categories by her id",
    get(`/categories?user_id=eq.${ANNA}`),
    sql`select * from public.categories where user_id = ${ANNA}`,
    '2 rows',
    '0 rows',
  ),
  operation(
    'add a category without naming its owner',
    post('/categories', { name: 'New', order: 3 }),
    sql`insert into public.categories (name, "order") values ('New', 3) returning id`,
    '1 rows',
    '1 rows',
  ),
  operation(
    'add a category for Anna',
    post('/categories', { name: 'New', order: 3, user_id: ANNA }),
    sql`insert into public.categories (name, "order", user_id) values ('New', 3, ${ANNA})`,
    '1 rows',
    DENIED,
  ),
  operation(
    "rename Anna's category",
    patch(`/categories?id=eq.${ANNAS_CATEGORY}`, { name: 'Taken' }),
    sql`update public.categories set name = 'Taken' where id = ${ANNAS_CATEGORY}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    'hide all categories',
    patch('/categories?id=not.is.null', { is_visible: false }),
    sql`update public.categories set is_visible = false`,
    '2 rows',
    '1 rows',
  ),
  operation(
    "give Anna's category to Ben",
    patch(`/categories?id=eq.${ANNAS_EMPTY_CATEGORY}`, { user_id: BEN }),
    sql`update public.categories set user_id = ${BEN} where id = ${ANNAS_EMPTY_CATEGORY}`,
    DENIED,
    '0 rows',
  ),
  operation(
    "take over Ben's category for Anna",
    patch(`/categories?id=eq.${BENS_CATEGORY}`, { user_id: ANNA }),
    sql`update public.categories set user_id = ${ANNA} where id = ${BENS_CATEGORY}`,
    '0 rows',
    DENIED,
  ),
  operation(
    "delete Anna's category",
    remove(`/categories?id=eq.${ANNAS_EMPTY_CATEGORY}`),
    sql`delete from public.categories where id = ${ANNAS_EMPTY_CATEGORY}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    "overwrite Anna's category by an upsert",
    post('/categories?on_conflict=id', { id: ANNAS_CATEGORY, name: 'Taken', order: 9 }, MERGE),
    sql`insert into public.categories (id, name, "order") values (${ANNAS_CATEGORY}, 'Taken', 9)
        on conflict (id) do update set name = excluded.name, "order" = excluded."order"`,
    '1 rows',
    DENIED,
  ),
  operation(
    "add a category with the id of Anna's, ignoring duplicates",
    post('/categories', { id: ANNAS_CATEGORY, name: 'x', order: 9 }, IGNORE),
    sql`insert into public.categories (id, name, "order") values (${ANNAS_CATEGORY}, 'x', 9)
        on conflict (id) do nothing`,
    '0 rows',
    '0 rows',
  ),
  operation(
    "reorder Anna's and Ben's categories together",
    post('/rpc/reorder_categories', { category_ids: ALL_CATEGORIES }),
    sql`select public.reorder_categories(${ALL_CATEGORIES}::uuid[])`,
    '1 rows',
    '1 rows',
  ),
]

const PRAYERS: readonly Operation[] = [
  operation('read all prayers', get('/prayers'), sql`select * from public.prayers`, '1 rows', '1 rows'),
  operation(
    "read Anna's prayer by its id",
    get(`/prayers?id=eq.${ANNAS_PRAYER}`),
    sql`select * from public.prayers where id = ${ANNAS_PRAYER}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    "find Anna's prayer by its text",
    get(`/prayers?or=(note.like.a*,person_name.eq.Ruth)`),
    sql`select * from public.prayers where note like 'a%' or person_name = 'Ruth'`,
    '1 rows',
    '0 rows',
  ),
  operation(
    "add a prayer to Anna's category",
    post('/prayers', { person_name: 'x', category_id: ANNAS_CATEGORY }),
    sql`insert into public.prayers (person_name, category_id) values ('x', ${ANNAS_CATEGORY})`,
    '1 rows',
    NO_SUCH_ROW,
  ),
  operation(
    'add a prayer for Anna to her category',
    post('/prayers', { person_name: 'x', category_id: ANNAS_CATEGORY, user_id: ANNA }),
    sql`insert into public.prayers (person_name, category_id, user_id) values ('x', ${ANNAS_CATEGORY}, ${ANNA})`,
    '1 rows',
    DENIED,
  ),
  operation(
    "resolve Anna's prayer",
    patch(`/prayers?id=eq.${ANNAS_PRAYER}`, { resolved: true }),
    sql`update public.prayers set resolved = true where id = ${ANNAS_PRAYER}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    "move Anna's prayer to Ben's category",
    patch(`/prayers?id=eq.${ANNAS_PRAYER}`, { category_id: BENS_CATEGORY }),
    sql`update public.prayers set category_id = ${BENS_CATEGORY} where id = ${ANNAS_PRAYER}`,
    NO_SUCH_ROW,
    '0 rows',
  ),
  operation(
    "move Ben's prayer to Anna's category",
    patch(`/prayers?id=eq.${BENS_PRAYER}`, { category_id: ANNAS_CATEGORY }),
    sql`update public.prayers set category_id = ${ANNAS_CATEGORY} where id = ${BENS_PRAYER}`,
    '0 rows',
    NO_SUCH_ROW,
  ),
  operation(
    "give Anna's prayer to Ben, in Ben's category",
    patch(`/prayers?id=eq.${ANNAS_PRAYER}`, { user_id: BEN, category_id: BENS_CATEGORY }),
    sql`update public.prayers set user_id = ${BEN}, category_id = ${BENS_CATEGORY} where id = ${ANNAS_PRAYER}`,
    DENIED,
    '0 rows',
  ),
  operation(
    "delete Anna's prayer",
    remove(`/prayers?id=eq.${ANNAS_PRAYER}`),
    sql`delete from public.prayers where id = ${ANNAS_PRAYER}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    'delete all prayers',
    remove('/prayers?id=not.is.null'),
    sql`delete from public.prayers`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "overwrite Anna's prayer by an upsert, in Ben's category",
    post('/prayers', { id: ANNAS_PRAYER, person_name: 'Taken', category_id: BENS_CATEGORY }, MERGE),
    sql`insert into public.prayers (id, person_name, category_id) values (${ANNAS_PRAYER}, 'Taken', ${BENS_CATEGORY})
        on conflict (id) do update set person_name = excluded.person_name, category_id = excluded.category_id`,
    NO_SUCH_ROW,
    DENIED,
  ),
]

const ACCOUNT: readonly Operation[] = [
  operation(
    'export the account',
    post('/rpc/export_account', {}),
    sql`select public.export_account()`,
    '1 rows',
    '1 rows',
  ),
  operation(
    'export what devices do not have',
    post('/rpc/export_supplement', {}),
    sql`select public.export_supplement()`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "import Anna's category and prayer under their ids",
    post('/rpc/import_prayers', { data: ANNAS_FILE, preview: false }),
    sql`select public.import_prayers(${JSON.stringify(ANNAS_FILE)}, false)`,
    '1 rows',
    '1 rows',
  ),
  operation(
    'count what deleting the account would delete',
    post('/rpc/preview_account_deletion', {}),
    sql`select public.preview_account_deletion()`,
    '1 rows',
    '1 rows',
  ),
  operation(
    'list the sessions',
    post('/rpc/list_sessions', {}),
    sql`select from jsonb_array_elements(public.list_sessions())`,
    '1 rows',
    '0 rows',
  ),
  operation(
    "end Anna's session",
    post('/rpc/end_session', { session_id: ANNAS_SESSION }),
    sql`select public.end_session(${ANNAS_SESSION})`,
    '1 rows',
    '1 rows',
  ),
  // These tokens have no recent sign-in. tests/db covers deletion with one.
  operation(
    'delete the account without a recent sign-in',
    post('/rpc/delete_account', {}),
    sql`select public.delete_account()`,
    'error PT403',
    'error PT403',
  ),
]

/** What devices need to follow changes. Only the database writes it. */
const SYNC: readonly Operation[] = [
  operation(
    'read the sync state',
    get('/sync_state'),
    sql`select * from public.sync_state`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "read Anna's sync state by her id",
    get(`/sync_state?user_id=eq.${ANNA}`),
    sql`select * from public.sync_state where user_id = ${ANNA}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    'add a sync state for Anna',
    post('/sync_state', { user_id: ANNA, rev: 9 }, MERGE),
    sql`insert into public.sync_state (user_id, rev) values (${ANNA}, 9)`,
    DENIED,
    DENIED,
  ),
  operation(
    "change Anna's sync state",
    patch(`/sync_state?user_id=eq.${ANNA}`, { rev: 0, floor: 0 }),
    sql`update public.sync_state set rev = 0 where user_id = ${ANNA}`,
    DENIED,
    DENIED,
  ),
  operation(
    "remove Anna's sync state",
    remove(`/sync_state?user_id=eq.${ANNA}`),
    sql`delete from public.sync_state where user_id = ${ANNA}`,
    DENIED,
    DENIED,
  ),
  operation(
    "read Anna's deletion",
    get(`/deletions?row_id=eq.${ANNAS_DELETED_PRAYER}`),
    sql`select * from public.deletions where row_id = ${ANNAS_DELETED_PRAYER}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    'add a deletion for Anna',
    post('/deletions', { user_id: ANNA, table_name: 'prayers', row_id: ANNAS_PRAYER, rev: 1, row_rev: 1 }),
    sql`insert into public.deletions (user_id, table_name, row_id, rev, row_rev) values (${ANNA}, 'prayers', ${ANNAS_PRAYER}, 1, 1)`,
    DENIED,
    DENIED,
  ),
  operation(
    "change Anna's deletion",
    patch(`/deletions?row_id=eq.${ANNAS_DELETED_PRAYER}`, { user_id: BEN }),
    sql`update public.deletions set user_id = ${BEN} where row_id = ${ANNAS_DELETED_PRAYER}`,
    DENIED,
    DENIED,
  ),
  operation(
    "remove Anna's deletion",
    remove(`/deletions?row_id=eq.${ANNAS_DELETED_PRAYER}`),
    sql`delete from public.deletions where row_id = ${ANNAS_DELETED_PRAYER}`,
    DENIED,
    DENIED,
  ),
  operation(
    "add Anna's deleted prayer again, in Anna's category",
    post('/prayers', {
      id: ANNAS_DELETED_PRAYER,
      person_name: 'x',
      category_id: ANNAS_CATEGORY,
      user_id: ANNA,
    }),
    sql`insert into public.prayers (id, person_name, category_id, user_id)
        values (${ANNAS_DELETED_PRAYER}, 'x', ${ANNAS_CATEGORY}, ${ANNA})`,
    '0 rows',
    DENIED,
  ),
]

const UPDATES_AND_DAYS: readonly Operation[] = [
  operation(
    'read all updates',
    get('/prayer_updates'),
    sql`select * from public.prayer_updates`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "read the updates of Anna's prayer",
    get(`/prayer_updates?prayer_id=eq.${ANNAS_PRAYER}`),
    sql`select * from public.prayer_updates where prayer_id = ${ANNAS_PRAYER}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    "add an update to Anna's prayer",
    post('/prayer_updates', { prayer_id: ANNAS_PRAYER, body: 'x' }),
    sql`insert into public.prayer_updates (prayer_id, body) values (${ANNAS_PRAYER}, 'x')`,
    '1 rows',
    NO_SUCH_ROW,
  ),
  operation(
    'add an update for Anna to her prayer',
    post('/prayer_updates', { prayer_id: ANNAS_PRAYER, body: 'x', user_id: ANNA }),
    sql`insert into public.prayer_updates (prayer_id, body, user_id) values (${ANNAS_PRAYER}, 'x', ${ANNA})`,
    '1 rows',
    DENIED,
  ),
  operation(
    "change Anna's update",
    patch(`/prayer_updates?id=eq.${ANNAS_UPDATE}`, { body: 'Taken' }),
    sql`update public.prayer_updates set body = 'Taken' where id = ${ANNAS_UPDATE}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    "move Anna's update to Ben's prayer",
    patch(`/prayer_updates?id=eq.${ANNAS_UPDATE}`, { prayer_id: BENS_PRAYER }),
    sql`update public.prayer_updates set prayer_id = ${BENS_PRAYER} where id = ${ANNAS_UPDATE}`,
    DENIED,
    '0 rows',
  ),
  operation(
    "give Anna's update to Ben, on his prayer",
    patch(`/prayer_updates?id=eq.${ANNAS_UPDATE}`, { prayer_id: BENS_PRAYER, user_id: BEN }),
    sql`update public.prayer_updates set prayer_id = ${BENS_PRAYER}, user_id = ${BEN} where id = ${ANNAS_UPDATE}`,
    DENIED,
    '0 rows',
  ),
  operation(
    "move Ben's update to Anna's prayer",
    patch(`/prayer_updates?id=eq.${BENS_UPDATE}`, { prayer_id: ANNAS_PRAYER }),
    sql`update public.prayer_updates set prayer_id = ${ANNAS_PRAYER} where id = ${BENS_UPDATE}`,
    '0 rows',
    DENIED,
  ),
  operation(
    'delete all updates',
    remove('/prayer_updates?id=not.is.null'),
    sql`delete from public.prayer_updates`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "overwrite Anna's update by an upsert, on Ben's prayer",
    post('/prayer_updates', { id: ANNAS_UPDATE, prayer_id: BENS_PRAYER, body: 'Taken' }, MERGE),
    sql`insert into public.prayer_updates (id, prayer_id, body) values (${ANNAS_UPDATE}, ${BENS_PRAYER}, 'Taken')
        on conflict (id) do update set prayer_id = excluded.prayer_id, body = excluded.body`,
    DENIED,
    DENIED,
  ),
  operation(
    "mark Anna's and Ben's prayers as prayed",
    post('/rpc/mark_prayed', { prayer_ids: [ANNAS_PRAYER, BENS_PRAYER], prayed_on: '2026-01-03' }),
    sql`select public.mark_prayed(${[ANNAS_PRAYER, BENS_PRAYER]}::uuid[], '2026-01-03')`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "take back that Anna's and Ben's prayers were prayed",
    post('/rpc/unmark_prayed', { prayer_ids: [ANNAS_PRAYER, BENS_PRAYER], prayed_on: '2026-01-02' }),
    sql`select public.unmark_prayed(${[ANNAS_PRAYER, BENS_PRAYER]}::uuid[], '2026-01-02')`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "count the prayed days of Anna's prayer",
    post('/rpc/prayed_months', { prayer_id: ANNAS_PRAYER }),
    sql`select public.prayed_months(${ANNAS_PRAYER})`,
    '1 rows',
    '1 rows',
  ),
  operation(
    'count the people prayed for',
    post('/rpc/prayed_years', {}),
    sql`select public.prayed_years()`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "reopen Anna's prayer",
    post('/rpc/reopen_prayer', { prayer_id: ANNAS_PRAYER, update_id: BENS_CATEGORY, reopened_at: TIME }),
    sql`select public.reopen_prayer(${ANNAS_PRAYER}, ${BENS_CATEGORY}, ${TIME})`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "make Anna's update the answer of her prayer",
    post('/rpc/undo_reopen_prayer', { prayer_id: ANNAS_PRAYER, update_id: ANNAS_UPDATE }),
    sql`select public.undo_reopen_prayer(${ANNAS_PRAYER}, ${ANNAS_UPDATE})`,
    '1 rows',
    '1 rows',
  ),
  operation('read prayed days', get('/prayed_days'), sql`select * from public.prayed_days`, DENIED, DENIED),
  operation(
    "add a prayed day to Anna's prayer",
    post('/prayed_days', { prayer_id: ANNAS_PRAYER, user_id: ANNA, day: '2026-01-03' }),
    sql`insert into public.prayed_days (prayer_id, user_id, day) values (${ANNAS_PRAYER}, ${ANNA}, '2026-01-03')`,
    DENIED,
    DENIED,
  ),
  operation(
    "change Anna's prayed days",
    patch(`/prayed_days?user_id=eq.${ANNA}`, { day: '2026-01-03' }),
    sql`update public.prayed_days set day = '2026-01-03' where user_id = ${ANNA}`,
    DENIED,
    DENIED,
  ),
  operation(
    "remove Anna's prayed days",
    remove(`/prayed_days?user_id=eq.${ANNA}`),
    sql`delete from public.prayed_days where user_id = ${ANNA}`,
    DENIED,
    DENIED,
  ),
]

const NEW_REMINDER = { remind_at: '09:00', weekdays: 127, time_zone: 'UTC' }

const REMINDERS: readonly Operation[] = [
  operation('read all reminders', get('/reminders'), sql`select * from public.reminders`, '1 rows', '1 rows'),
  operation(
    "read Anna's reminder by its id",
    get(`/reminders?id=eq.${ANNAS_REMINDER}`),
    sql`select * from public.reminders where id = ${ANNAS_REMINDER}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    'add a reminder without naming its owner',
    post('/reminders', NEW_REMINDER),
    sql`insert into public.reminders (remind_at, weekdays, time_zone) values ('09:00', 127, 'UTC') returning id`,
    '1 rows',
    '1 rows',
  ),
  operation(
    'add a reminder for Anna',
    post('/reminders', { ...NEW_REMINDER, user_id: ANNA }),
    sql`insert into public.reminders (remind_at, weekdays, time_zone, user_id) values ('09:00', 127, 'UTC', ${ANNA})`,
    '1 rows',
    DENIED,
  ),
  operation(
    "turn Anna's reminder off",
    patch(`/reminders?id=eq.${ANNAS_REMINDER}`, { enabled: false }),
    sql`update public.reminders set enabled = false where id = ${ANNAS_REMINDER}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    'change the time zone of all reminders',
    patch('/reminders?id=not.is.null', { time_zone: 'Asia/Tokyo' }),
    sql`update public.reminders set time_zone = 'Asia/Tokyo'`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "give Anna's reminder to Ben",
    patch(`/reminders?id=eq.${ANNAS_REMINDER}`, { user_id: BEN }),
    sql`update public.reminders set user_id = ${BEN} where id = ${ANNAS_REMINDER}`,
    DENIED,
    '0 rows',
  ),
  operation(
    "take over Ben's reminder for Anna",
    patch(`/reminders?id=eq.${BENS_REMINDER}`, { user_id: ANNA }),
    sql`update public.reminders set user_id = ${ANNA} where id = ${BENS_REMINDER}`,
    '0 rows',
    DENIED,
  ),
  operation(
    "overwrite Anna's reminder by an upsert",
    post('/reminders?on_conflict=id', { ...NEW_REMINDER, id: ANNAS_REMINDER }, MERGE),
    sql`insert into public.reminders (id, remind_at, weekdays, time_zone) values (${ANNAS_REMINDER}, '09:00', 127, 'UTC')
        on conflict (id) do update set remind_at = excluded.remind_at`,
    '1 rows',
    DENIED,
  ),
  operation(
    "delete Anna's reminder",
    remove(`/reminders?id=eq.${ANNAS_REMINDER}`),
    sql`delete from public.reminders where id = ${ANNAS_REMINDER}`,
    '1 rows',
    '0 rows',
  ),
]

const ENCRYPTION: readonly Operation[] = [
  operation(
    'read all encryption keys',
    get('/encryption_keys'),
    sql`select * from public.encryption_keys`,
    '1 rows',
    '1 rows',
  ),
  operation(
    "read Anna's encryption keys by her id",
    get(`/encryption_keys?user_id=eq.${ANNA}`),
    sql`select * from public.encryption_keys where user_id = ${ANNA}`,
    '1 rows',
    '0 rows',
  ),
  operation(
    'add an encryption key for Anna',
    post('/encryption_keys', {
      user_id: ANNA,
      key_id: 'A'.repeat(16),
      state: 'on',
      counter: 2,
      proof: PROOF,
    }),
    sql`insert into public.encryption_keys values (${ANNA}, ${'A'.repeat(16)}, 'on', 2, ${PROOF})`,
    DENIED,
    DENIED,
  ),
  operation(
    "turn Anna's encryption key on",
    patch(`/encryption_keys?user_id=eq.${ANNA}`, { state: 'on' }),
    sql`update public.encryption_keys set state = 'on' where user_id = ${ANNA}`,
    DENIED,
    DENIED,
  ),
  operation(
    "remove Anna's encryption key",
    remove(`/encryption_keys?user_id=eq.${ANNA}`),
    sql`delete from public.encryption_keys where user_id = ${ANNA}`,
    DENIED,
    DENIED,
  ),
  // Their former keys cannot be used again. tests/db covers keys in use.
  operation(
    'turn on an encryption key that has ended',
    post('/rpc/set_encryption_key', { key_id: KEY_ID, state: 'on', counter: 2, proof: PROOF }),
    sql`select public.set_encryption_key(${KEY_ID}, 'on', 2, ${PROOF})`,
    'error IC002',
    'error IC002',
  ),
  operation(
    'abandon an encryption key that has ended',
    post('/rpc/abandon_encryption_key', { key_id: KEY_ID, counter: 2, category_names: {} }),
    sql`select public.abandon_encryption_key(${KEY_ID}, 2, '{}')`,
    'error IC002',
    'error IC002',
  ),
  operation(
    "replace the texts of Anna's prayer without a key in use",
    post('/rpc/replace_texts', { rows: [{ table: 'prayers', id: ANNAS_PRAYER, rev: 1, note: 'x' }] }),
    sql`select public.replace_texts(${JSON.stringify([{ table: 'prayers', id: ANNAS_PRAYER, rev: 1, note: 'x' }])})`,
    'error IC002',
    'error IC002',
  ),
  operation(
    "import Anna's category and prayer under the same ids",
    post('/rpc/import_sealed', { data: ANNAS_FILE }),
    sql`select public.import_sealed(${JSON.stringify(ANNAS_FILE)})`,
    '1 rows',
    'error 23505',
  ),
  operation(
    'list the prayers that were prayed for in each year',
    post('/rpc/prayed_prayers', {}),
    sql`select public.prayed_prayers()`,
    '1 rows',
    '1 rows',
  ),
]

export const OPERATIONS: readonly Operation[] = [
  ...CATEGORIES,
  ...PRAYERS,
  ...ACCOUNT,
  ...SYNC,
  ...UPDATES_AND_DAYS,
  ...REMINDERS,
  ...ENCRYPTION,
]
