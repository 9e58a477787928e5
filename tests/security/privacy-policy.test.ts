import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { storeNewServiceKey } from '#server/auth/service-key.ts'
import { call, refresh, sessionOf, signIn, signUp, textMember } from '#tests/contract/auth/auth-client.ts'
import { addApp, newRecoveryCodes } from '#tests/contract/auth/two-factor-client.ts'
import { useSurroundings, useTestServer } from '#tests/support/shared-server.ts'

/**
 * Every column that is filled when a user uses the product, with the text of /privacy that covers it. Null if it holds
 * nothing about a user: ids of rows, names of the protocol, constants.
 */
const COVERED_BY: Readonly<Record<string, string | null>> = {
  'auth.flow_state.authentication_method': null,
  'auth.flow_state.created_at': 'for about a quarter of an hour',
  'auth.flow_state.email_optional': null,
  'auth.flow_state.id': 'a random number',
  'auth.flow_state.oauth_client_state_id': null,
  'auth.flow_state.provider_type': 'if you sign in with X',
  'auth.flow_state.referrer': 'the page you will return to',
  'auth.flow_state.updated_at': 'for about a quarter of an hour',
  'auth.identities.created_at': 'when you first and last signed in with X',
  'auth.identities.email': 'your e-mail address',
  'auth.identities.id': null,
  'auth.identities.identity_data': 'your name, user name and id there',
  'auth.identities.last_sign_in_at': 'when you first and last signed in with X',
  'auth.identities.provider': 'how you sign in',
  'auth.identities.provider_id': 'your name, user name and id there',
  'auth.identities.updated_at': 'when you first and last signed in with X',
  'auth.identities.user_id': null,
  'auth.mfa_amr_claims.authentication_method': 'how you signed in',
  'auth.mfa_amr_claims.created_at': 'when the session began',
  'auth.mfa_amr_claims.id': null,
  'auth.mfa_amr_claims.session_id': null,
  'auth.mfa_amr_claims.updated_at': 'when the session began',
  'auth.mfa_challenges.created_at': 'when its codes were last asked for',
  'auth.mfa_challenges.factor_id': null,
  'auth.mfa_challenges.id': null,
  'auth.mfa_factors.created_at': 'when it was added',
  'auth.mfa_factors.factor_type': null,
  'auth.mfa_factors.friendly_name': 'the name that you gave each app',
  'auth.mfa_factors.id': null,
  'auth.mfa_factors.last_challenged_at': 'when its codes were last asked for',
  'auth.mfa_factors.secret': 'its secret (encrypted)',
  'auth.mfa_factors.status': null,
  'auth.mfa_factors.updated_at': 'when it was added',
  'auth.mfa_factors.user_id': null,
  'auth.oauth_client_states.code_verifier': 'a random number',
  'auth.oauth_client_states.created_at': 'for about a quarter of an hour',
  'auth.oauth_client_states.id': null,
  'auth.oauth_client_states.provider_type': 'if you sign in with X',
  'auth.one_time_tokens.created_at': 'your e-mail address and the time',
  'auth.one_time_tokens.id': null,
  'auth.one_time_tokens.relates_to': 'your e-mail address and the time',
  'auth.one_time_tokens.token_hash': 'a hash of the link or code',
  'auth.one_time_tokens.token_type': 'its purpose',
  'auth.one_time_tokens.updated_at': 'your e-mail address and the time',
  'auth.one_time_tokens.user_id': null,
  'auth.refresh_tokens.created_at': 'last renewed',
  'auth.refresh_tokens.id': null,
  'auth.refresh_tokens.parent': 'the refresh tokens that keep it going',
  'auth.refresh_tokens.revoked': 'used ones for a day',
  'auth.refresh_tokens.session_id': null,
  'auth.refresh_tokens.token': 'the refresh tokens that keep it going',
  'auth.refresh_tokens.updated_at': 'last renewed',
  'auth.refresh_tokens.user_id': null,
  'auth.sessions.aal': null,
  'auth.sessions.created_at': 'when the session began',
  'auth.sessions.factor_id': null,
  'auth.sessions.id': null,
  'auth.sessions.ip': 'network address',
  'auth.sessions.refreshed_at': 'last renewed',
  'auth.sessions.updated_at': 'last renewed',
  'auth.sessions.user_agent': 'the browser’s name',
  'auth.sessions.user_id': null,
  'auth.users.aud': null,
  'auth.users.banned_until': 'until when it is blocked',
  'auth.users.confirmation_sent_at': 'last sent an e-mail',
  'auth.users.confirmed_at': 'when it was confirmed',
  'auth.users.created_at': 'when you signed up',
  'auth.users.email': 'your e-mail address',
  'auth.users.email_change': 'a new address that you have asked for',
  'auth.users.email_change_confirm_status': null,
  'auth.users.email_change_sent_at': 'a new address that you have asked for',
  'auth.users.email_confirmed_at': 'when it was confirmed',
  'auth.users.encrypted_password': 'only as a one-way hash',
  'auth.users.id': null,
  'auth.users.instance_id': null,
  'auth.users.invited_at': 'when you were invited',
  'auth.users.is_anonymous': null,
  'auth.users.is_sso_user': null,
  'auth.users.last_sign_in_at': 'last signed in',
  'auth.users.raw_app_meta_data': 'how you sign in',
  'auth.users.raw_user_meta_data': 'your name, user name and id there',
  'auth.users.reauthentication_sent_at': 'last sent an e-mail',
  'auth.users.recovery_sent_at': 'last sent an e-mail',
  'auth.users.role': null,
  'auth.users.updated_at': 'last changed something about your account',
  'intercede.account_actions.account_id': 'your account’s id',
  'intercede.account_actions.action': 'What the operator has done to your account',
  'intercede.account_actions.done_by': null,
  'intercede.account_actions.happened_at': 'what and when',
  'intercede.account_actions.id': null,
  'intercede.ended_sessions.account_hash': 'a hash of it',
  'intercede.ended_sessions.ended_at': 'for 30 days',
  'intercede.ended_sessions.session_hash': 'a hash of it',
  'intercede.failed_sign_ins.blocked_until': 'how often someone has entered a wrong password',
  'intercede.failed_sign_ins.email_hash': 'for which e-mail address (as a hash)',
  'intercede.failed_sign_ins.failures': 'how often someone has entered a wrong password',
  'intercede.failed_sign_ins.updated_at': 'how often someone has entered a wrong password',
  'intercede.known_networks.last_used_at': 'when you last signed in there',
  'intercede.known_networks.network_hash': 'a hash of each network',
  'intercede.known_networks.user_id': null,
  'intercede.pictures.content': 'your picture',
  'intercede.pictures.fetched_at': 'when you first and last signed in with X',
  'intercede.pictures.identity_id': null,
  'intercede.pictures.media_type': 'your picture',
  'intercede.pictures.source': 'your picture and its address',
  'intercede.rate_limits.key': 'a network address',
  'intercede.rate_limits.tokens': 'how often',
  'intercede.rate_limits.updated_at': 'recently',
  'intercede.recovery_codes.code_hash': 'hashes of your unused recovery codes',
  'intercede.recovery_codes.user_id': null,
  'intercede.settings.created_at': null,
  'intercede.settings.name': null,
  'intercede.settings.value': null,
  'intercede.used_codes.first_session': null,
  'intercede.used_codes.factor_id': null,
  'intercede.used_codes.time_step': 'when its codes were last asked for and used',
  'private.account_usage.categories': 'how many there are',
  'private.account_usage.deletions': null,
  'private.account_usage.prayed_days': 'how many there are',
  'private.account_usage.prayers': 'how many there are',
  'private.account_usage.text_bytes': 'how long their texts are',
  'private.account_usage.updates': 'how many there are',
  'private.account_usage.user_id': null,
  'private.account_usage.written_bytes': 'how much has changed within the hour',
  'private.account_usage.written_since': 'how much has changed within the hour',
  'private.push_subscriptions.auth': 'two keys for encrypting them',
  'private.push_subscriptions.created_at': 'when it was turned on',
  'private.push_subscriptions.endpoint': 'the address at its maker’s push service',
  'private.push_subscriptions.id': null,
  'private.push_subscriptions.p256dh': 'two keys for encrypting them',
  'private.push_subscriptions.session_id': null,
  'private.push_subscriptions.user_id': null,
  'private.reminder_deliveries.attempts': 'reminders that are just being sent',
  'private.reminder_deliveries.day': 'reminders that are just being sent',
  'private.reminder_deliveries.due_at': 'reminders that are just being sent',
  'private.reminder_deliveries.id': null,
  'private.reminder_deliveries.reminder_id': null,
  'private.reminder_deliveries.subscription_id': null,
  'private.reminder_deliveries.try_at': 'reminders that are just being sent',
  'public.categories.created_at': 'when each was created or last changed',
  'public.categories.id': null,
  'public.categories.is_visible': 'names, order, visibility',
  'public.categories.name': 'names, order, visibility',
  'public.categories.order': 'names, order, visibility',
  'public.categories.pray_days': 'days of the week',
  'public.categories.rev': 'a number for each change',
  'public.categories.updated_at': 'when each was created or last changed',
  'public.categories.user_id': null,
  'public.deletions.rev': 'a number for each change',
  'public.deletions.row_id': 'the ids of deleted ones',
  'public.deletions.row_rev': 'a number for each change',
  'public.deletions.table_name': 'the ids of deleted ones',
  'public.deletions.user_id': null,
  'public.encryption_keys.counter': 'a number and a proof',
  'public.encryption_keys.key_id': 'the id of each prayer key',
  'public.encryption_keys.proof': 'a number and a proof',
  'public.encryption_keys.state': 'whether it is in use',
  'public.encryption_keys.user_id': null,
  'public.prayed_days.day': 'the days on which you did',
  'public.prayed_days.prayer_id': null,
  'public.prayed_days.user_id': null,
  'public.prayer_updates.answered_on': 'when and how it was answered',
  'public.prayer_updates.body': 'your updates',
  'public.prayer_updates.created_at': 'when each was created or last changed',
  'public.prayer_updates.id': null,
  'public.prayer_updates.prayer_id': null,
  'public.prayer_updates.rev': 'a number for each change',
  'public.prayer_updates.updated_at': 'when each was created or last changed',
  'public.prayer_updates.user_id': null,
  'public.prayers.answer': 'when and how it was answered',
  'public.prayers.answered_on': 'when and how it was answered',
  'public.prayers.category_id': 'its category',
  'public.prayers.created_at': 'when each was created or last changed',
  'public.prayers.due_on': 'when you want to pray for it',
  'public.prayers.due_repeats': 'when you want to pray for it',
  'public.prayers.id': null,
  'public.prayers.last_prayed_on': 'the days on which you did',
  'public.prayers.note': 'your note',
  'public.prayers.note_changed_at': 'when each was created or last changed',
  'public.prayers.person_name': 'the person’s name',
  'public.prayers.pray_days': 'when you want to pray for it',
  'public.prayers.resolved': 'whether it is resolved',
  'public.prayers.resting_until': 'when you want to pray for it',
  'public.prayers.rev': 'a number for each change',
  'public.prayers.written_rev': 'a number for each change',
  'public.prayers.times_prayed': 'the days on which you did',
  'public.prayers.user_id': null,
  'public.reminders.by_email': 'how you want to receive them',
  'public.reminders.by_push': 'how you want to receive them',
  'public.reminders.created_at': 'when each was created',
  'public.reminders.email_refused_at': 'whether your address refused one',
  'public.reminders.enabled': 'whether it is on',
  'public.reminders.id': null,
  'public.reminders.next_at': 'when it is due next',
  'public.reminders.remind_at': 'time, weekdays and time zone',
  'public.reminders.skipped_on': 'a day on which you want no more',
  'public.reminders.time_zone': 'time, weekdays and time zone',
  'public.reminders.user_id': null,
  'public.reminders.weekdays': 'time, weekdays and time zone',
  'public.sync_state.epoch': 'a number for each change',
  'public.sync_state.floor': 'a number for each change',
  'public.sync_state.key': 'the id of each prayer key',
  'public.sync_state.restores': 'a number for each change',
  'public.sync_state.rev': 'a number for each change',
  'public.sync_state.user_id': null,
}

const around = useSurroundings()
const server = useTestServer(() => ({ config: around.config }))

beforeAll(async () => {
  await useEveryFeature()
})

/** Fills every column that the product fills. */
async function useEveryFeature(): Promise<void> {
  const picture = `${around.x.url}/profile_images/ruth.gif`
  around.x.behaviour = {
    user: { ...around.x.behaviour.user, profile_image_url: picture },
    avatar: (response) => {
      response.writeHead(200).end('GIF89a')
    },
  }
  const { refresh_token: token, user } = await signUp(server, 'anna@example.org')
  await refresh(server, token)
  await signOutAgain(user.email)
  await turnOnTwoFactor()
  await signIn(server, 'nobody@example.org')
  await call(server, 'POST', '/recover', { body: { email: user.email } })
  await changeAddress(user.email)
  await inviteAndBlock('miriam@example.org')
  const confirmed = { email: 'ben@example.org', password: 'a quiet hour' }
  server.services.config.confirmEmail = true
  await call(server, 'POST', '/signup', { body: confirmed })
  const authorize = await fetch(`${server.url}/auth/v1/authorize?provider=twitter`, { redirect: 'manual' })
  const back = new URL(
    (await fetch(authorize.headers.get('location') ?? '', { redirect: 'manual' })).headers.get('location') ??
      '',
  )
  await fetch(`${server.url}${back.pathname}${back.search}`, { redirect: 'manual' })
  await fetch(`${server.url}/auth/v1/authorize?provider=twitter`, { redirect: 'manual' })
  await server.database.pool.query(
    `with category as (
       insert into public.categories (user_id, name, "order", pray_days) values ($1, 'x', 1, 1) returning id
     ) insert into public.prayers (user_id, category_id, person_name, note)
       select $1, id, name, name from category, (values ('x'), ('y')) as given (name)`,
    [user.id],
  )
  await server.database.pool.query(`
    delete from public.prayers where note = 'y';
    insert into public.prayer_updates (user_id, prayer_id, body, answered_on)
    select user_id, id, 'x', '2026-01-01' from public.prayers;
    insert into public.prayed_days (user_id, prayer_id, day) select user_id, id, '2026-01-01' from public.prayers;
    insert into public.reminders (user_id, remind_at, weekdays, time_zone, skipped_on, email_refused_at)
    select user_id, '07:00', 127, 'UTC', '2026-01-01', '2026-01-01' from public.categories;
    insert into public.encryption_keys
    select user_id, '0123456789ABCDEF', 'off', 1, repeat('p', 43) from public.categories;
    insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
    select user_id, id, 'https://fcm.googleapis.com/x', 'x', 'x', '2026-01-01' from auth.sessions limit 1;
    insert into private.reminder_deliveries (reminder_id, subscription_id, due_at, day, try_at)
    select r.id, s.id, '2026-01-01', '2026-01-01', '2026-01-01' from public.reminders r, private.push_subscriptions s;
    update public.prayers
    set note = 'z', due_on = '2026-01-01', due_repeats = 'yearly', pray_days = 1, resting_until = '2026-01-01', last_prayed_on = '2026-01-01', times_prayed = 1,
        resolved = true, answered_on = '2026-01-01', answer = 'x'`)
}

async function inviteAndBlock(email: string): Promise<void> {
  const token = await storeNewServiceKey(server.services.pool)
  const { body } = await call(server, 'POST', '/invite', { token, body: { email } })
  await call(server, 'PUT', `/admin/users/${textMember(body, 'id')}`, { token, body: { ban_duration: '1h' } })
}

async function signOutAgain(email: string): Promise<void> {
  const { access_token: token } = sessionOf(await signIn(server, email))
  await call(server, 'POST', '/logout?scope=local', { token })
}

async function changeAddress(email: string): Promise<void> {
  const { access_token: token } = sessionOf(await signIn(server, email))
  await call(server, 'PUT', '/user', { token, body: { email: 'moved@example.org' } })
  await call(server, 'GET', '/reauthenticate', { token })
}

async function turnOnTwoFactor(): Promise<void> {
  const { session, ...app } = await addApp(server, await signUp(server, 'naomi@example.org'))
  await newRecoveryCodes(server, session.access_token)
  await call(server, 'POST', `/factors/${app.factorId}/challenge`, { token: session.access_token, body: {} })
}

/** Columns with a value other than null and the empty string. */
async function filledColumns(): Promise<string[]> {
  const { pool } = server.database
  const { rows } = await pool.query<{ name: string; rows: string }>(
    `select format('%s.%s', table_schema, table_name) as name,
            format('select to_jsonb(t) as row from %I.%I t', table_schema, table_name) as rows
     from information_schema.tables
     where table_schema in ('auth', 'intercede', 'public', 'private') and table_type = 'BASE TABLE'
       and table_name <> 'schema_migrations'`,
  )
  const filled = new Set<string>()
  for (const { name, rows: query } of rows) {
    const found = await pool.query<{ row: Record<string, unknown> }>(query)
    for (const { row } of found.rows) {
      for (const [column, value] of Object.entries(row)) {
        if (value !== null && value !== '') filled.add(`${name}.${column}`)
      }
    }
  }
  return [...filled].toSorted()
}

/** The columns of the user's own rows, whether this test fills them or not. */
async function ownColumns(): Promise<string[]> {
  const { rows } = await server.database.pool.query<{ name: string }>(
    `select format('%s.%s.%s', table_schema, table_name, column_name) as name
     from information_schema.columns where table_schema = 'public'`,
  )
  return rows.map(({ name }) => name)
}

/** The text of the page as a reader sees it, without markup and line breaks. */
function privacyPage(): string {
  const source = readFileSync(
    new URL('../../web/features/legal/stored-information.tsx', import.meta.url),
    'utf8',
  )
  return source
    .replaceAll('&rsquo;', '’')
    .replaceAll(/<\/?\w+>/g, '')
    .replaceAll(/\s+/g, ' ')
}

it('the privacy policy covers every column that holds something about a user', async () => {
  const filled = await filledColumns()
  expect([...filled, ...(await ownColumns())].filter((column) => !(column in COVERED_BY))).toEqual([])
  expect(
    Object.keys(COVERED_BY).filter(
      (column) => !filled.includes(column) && !column.startsWith('intercede.settings'),
    ),
  ).toEqual([])
  const page = privacyPage()
  const missing = Object.entries(COVERED_BY).filter(([, text]) => text !== null && !page.includes(text))
  expect(missing).toEqual([])
})

it('deleting an account leaves only rate limits, failed sign-ins, ended sessions and operator actions, which identify no user', async () => {
  const { pool } = server.database
  const before = await pool.query<{ id: string }>('select id from auth.users')
  await pool.query('delete from auth.users')
  const left = (await filledColumns()).filter(
    (column) =>
      !/^(?:intercede\.(?:settings|rate_limits|failed_sign_ins|ended_sessions|account_actions)|auth\.(?:flow_state|oauth_client_states))\./.test(
        column,
      ),
  )
  expect(before.rows.length).toBeGreaterThan(2)
  expect(left).toEqual([])
  const limits = await pool.query<{ key: string }>(
    'select key from intercede.rate_limits union all select email_hash from intercede.failed_sign_ins',
  )
  for (const { key } of limits.rows) expect(key).not.toContain('@')
})
