import { describe, expect, it } from 'vitest'
import type { Caller } from '#server/db/request-scope.ts'
import { ANNA, asAnna, asBen, BEN } from '#tests/support/users.ts'
import { createAccounts, FAMILY, RUTH as PRAYER, UNKNOWN } from './accounts.ts'

const { asOwner, run, valueOf } = createAccounts()

const exportOf = (caller: Caller) =>
  valueOf<Record<string, unknown>>(caller, 'select public.export_account() as value')

async function addRows(): Promise<void> {
  await asOwner(
    `insert into public.categories (id, user_id, name, "order", is_visible, created_at, updated_at)
     values ($1, $2, 'Family', 3, false, '2026-01-02T03:04:05.123456Z', '2026-01-03T00:00:00Z')`,
    [FAMILY, ANNA],
  )
  await asOwner(
    `insert into public.prayers (id, user_id, category_id, person_name, note, resolved, created_at)
     values ($1, $2, $3, 'Ruth', E'two\\nlines', true, '2026-02-03T04:05:06.789012Z')`,
    [PRAYER, ANNA, FAMILY],
  )
}

describe('the export', () => {
  it('contains all fields of categories and prayers except the numbers of changes, with times to the microsecond', async () => {
    await addRows()
    const exported = await exportOf(asAnna)
    expect(exported).toMatchObject({
      format: 'intercede-export',
      version: 3,
      categories: [
        {
          id: FAMILY,
          name: 'Family',
          order: 3,
          is_visible: false,
          created_at: '2026-01-02T03:04:05.123456+00:00',
          updated_at: '2026-01-03T00:00:00+00:00',
        },
      ],
      prayers: [
        {
          id: PRAYER,
          category_id: FAMILY,
          person_name: 'Ruth',
          note: 'two\nlines',
          resolved: true,
          created_at: '2026-02-03T04:05:06.789012+00:00',
        },
      ],
    })
    // Numbers of changes mean nothing elsewhere.
    expect(JSON.stringify([exported['categories'], exported['prayers']])).not.toMatch(/"(?:rev|user_id)"/)
  })

  it('contains empty lists if the user has no rows', async () => {
    expect(await exportOf(asAnna)).toMatchObject({ categories: [], prayers: [], account: { sessions: [] } })
  })

  it('contains the account with its identities, the data from X, and each signed-in device', async () => {
    await asOwner(
      `insert into auth.identities (user_id, provider, provider_id, identity_data, created_at)
       values ($1, 'twitter', '77', '{"name": "Anna A."}', '2026-01-01T00:00:00Z')`,
      [ANNA],
    )
    await asOwner(
      `with session as (
         insert into auth.sessions (id, user_id, created_at, refreshed_at, user_agent, ip)
         values (gen_random_uuid(), $1, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00', 'Firefox', '203.0.113.9')
         returning id
       )
       insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
       select gen_random_uuid(), id, 'oauth', now(), now() from session`,
      [ANNA],
    )
    expect(await exportOf(asAnna)).toMatchObject({
      account: {
        id: ANNA,
        email: 'anna@example.org',
        identities: [{ provider: 'twitter', provider_id: '77', identity_data: { name: 'Anna A.' } }],
        sessions: [
          {
            created_at: '2026-01-01T00:00:00+00:00',
            last_used_at: '2026-01-02T00:00:00+00:00',
            user_agent: 'Firefox',
            ip: '203.0.113.9',
            signed_in_by: ['oauth'],
          },
        ],
      },
    })
  })

  it('contains the reminders, and where push messages go, without what lets somebody send them', async () => {
    await run(
      asAnna,
      `insert into public.reminders (remind_at, weekdays, time_zone) values ('07:00', 3, 'UTC')`,
    )
    await asOwner(
      `with session as (insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1) returning id)
       insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
       select $1, id, 'https://fcm.googleapis.com/fcm/send/hidden', 'hidden', 'hidden', '2026-01-01T00:00:00Z' from session`,
      [ANNA],
    )
    const exported = await exportOf(asAnna)
    expect(exported).toMatchObject({
      account: {
        reminders: [{ remind_at: '07:00:00', weekdays: 3, time_zone: 'UTC', enabled: true }],
        push_subscriptions: [{ service: 'fcm.googleapis.com', created_at: '2026-01-01T00:00:00+00:00' }],
      },
    })
    expect(JSON.stringify(exported)).not.toContain('hidden')
    expect(await exportOf(asBen)).toMatchObject({ account: { reminders: [], push_subscriptions: [] } })
  })

  it('contains which prayer keys there were, without their proofs', async () => {
    await asOwner(
      `insert into public.encryption_keys values ($1, '0123456789ABCDEF', 'off', 4, repeat('p', 43))`,
      [ANNA],
    )
    const [{ account }, { account: bens }] = [await exportOf(asAnna), await exportOf(asBen)]
    expect(account).toMatchObject({
      encryption_keys: [{ key_id: '0123456789ABCDEF', state: 'off', counter: 4 }],
    })
    expect(JSON.stringify(account)).not.toContain('ppp')
    expect(bens).toMatchObject({ encryption_keys: [] })
  })

  it('contains only data of the caller', async () => {
    await addRows()
    const bens = await exportOf(asBen)
    expect(bens).toMatchObject({ account: { id: BEN }, categories: [], prayers: [] })
    expect(JSON.stringify(bens)).not.toContain(ANNA)
  })

  it('contains no data for a token whose account was deleted', async () => {
    const ghost: Caller = {
      role: 'authenticated',
      claims: JSON.stringify({ sub: UNKNOWN, role: 'authenticated' }),
    }
    expect(await exportOf(ghost)).toMatchObject({ account: null, categories: [], prayers: [] })
  })
})

describe('what devices do not have', () => {
  const supplementOf = (caller: Caller) => valueOf(caller, 'select public.export_supplement() as value')

  it('is the account as in the export, and the prayed days of the caller by the id of the prayer', async () => {
    await addRows()
    for (const day of ['2026-02-05', '2026-02-04'])
      await asOwner('insert into public.prayed_days (prayer_id, user_id, day) values ($1, $2, $3)', [
        PRAYER,
        ANNA,
        day,
      ])
    expect(await supplementOf(asAnna)).toEqual({
      account: (await exportOf(asAnna))['account'],
      prayed_days: { [PRAYER]: ['2026-02-04', '2026-02-05'] },
    })
    expect(await supplementOf(asBen)).toMatchObject({ account: { id: BEN }, prayed_days: {} })
  })
})

/** Columns that are not exported, with the reason. */
const LEFT_OUT = {
  users: {
    secret: [
      'encrypted_password',
      'confirmation_token',
      'recovery_token',
      'email_change_token_new',
      'email_change_token_current',
      'phone_change_token',
      'reauthentication_token',
    ],
    derived: ['confirmed_at'],
    'the same for all users': ['instance_id', 'aud', 'role', 'is_super_admin', 'is_sso_user', 'is_anonymous'],
    'unused features': [
      'invited_at',
      'phone_confirmed_at',
      'phone_change',
      'phone_change_sent_at',
      'deleted_at',
    ],
    'passing: a change that is not complete': [
      'email_change',
      'email_change_sent_at',
      'email_change_confirm_status',
      'reauthentication_sent_at',
    ],
  },
  identities: { 'id of the account': ['user_id'], derived: ['email'] },
  sessions: {
    'id of the account': ['user_id'],
    derived: ['updated_at', 'factor_id', 'aal'],
    'unused features': ['tag'],
  },
  mfa_factors: { secret: ['secret'], 'id of the account': ['user_id'], 'unused features': ['phone'] },
}

/** Exported names that differ from those of the columns. */
const RENAMED: Readonly<Record<string, string>> = {
  raw_app_meta_data: 'app_metadata',
  raw_user_meta_data: 'user_metadata',
  refreshed_at: 'last_used_at',
  not_after: 'ends_at',
}

it.each(['users', 'identities', 'sessions', 'mfa_factors'] as const)(
  'all columns of auth.%s are exported, or left out for a stated reason',
  async (table) => {
    const rows = await asOwner<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'auth' and table_name = $1`,
      [table],
    )
    const source = await asOwner<{ prosrc: string }>(
      `select prosrc from pg_proc where oid = 'private.account_of_caller'::regproc`,
    )
    const text = source[0]?.prosrc ?? ''
    const leftOut = Object.values(LEFT_OUT[table]).flat()
    const missing = rows
      .map(({ name }) => name)
      .filter((name) => !leftOut.includes(name) && !text.includes(`'${RENAMED[name] ?? name}'`))
    expect(missing).toEqual([])
    expect(leftOut.filter((name) => !rows.some((row) => row.name === name))).toEqual([])
  },
)
