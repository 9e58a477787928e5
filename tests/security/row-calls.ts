import type { Attack } from './attack.ts'
import type { Owner } from './two-users.ts'

const FULL = 'return=representation'
const MERGE = `resolution=merge-duplicates,${FULL}`
const IGNORE = `resolution=ignore-duplicates,${FULL}`
const UNUSED = '00000000-0000-4000-8000-0000000000ff'

/**
 * Calls of the REST API, sent by `intruder`, by what they would do to rows of `owner`. tests/rls has the plain ones, which
 * differ only in table and operation; here are those that try to get around the policies.
 */
export function rowCalls(owner: Owner, intruder: Owner): Readonly<Record<string, Attack>> {
  const call =
    (method: string, prefer: string) =>
    (path: string, body?: unknown, preferred = prefer): Attack => ({
      method,
      path: `/rest/v1/${path}`,
      body,
      headers: { prefer: preferred },
    })
  const get = (path: string, headers: Record<string, string> = {}): Attack => ({
    method: 'GET',
    path: `/rest/v1/${path}`,
    headers,
  })
  const post = call('POST', '')
  const patch = call('PATCH', FULL)
  const put = call('PUT', FULL)
  const remove = call('DELETE', FULL)
  const theirs = { user_id: owner.id }
  const mine = { user_id: intruder.id }
  const category = { id: owner.categoryId, ...theirs, name: 'Taken', order: 7 }
  const newCategory = { ...category, id: UNUSED }
  const prayer = { id: owner.prayerId, ...theirs, category_id: owner.categoryId, person_name: 'Taken' }
  const ownPrayer = { ...prayer, ...mine, category_id: intruder.categoryId }
  const update = { id: owner.updateId, ...theirs, prayer_id: owner.prayerId, body: 'Taken' }
  const ownUpdate = { ...update, ...mine, prayer_id: intruder.prayerId }
  const aDay = { prayer_ids: [owner.prayerId], prayed_on: '2026-01-03' }
  const ofOwner = `prayers?id=eq.${owner.prayerId}`
  const ofIntruder = `prayers?id=eq.${intruder.prayerId}`

  return {
    'reads all': get('prayers'),
    'reads all with a count': get('prayers', { prefer: 'count=exact' }),
    'reads all with a planned count': get('prayers', { prefer: 'count=planned' }),
    'reads one as an object': get(ofOwner, { accept: 'application/vnd.pgrst.object+json' }),
    'reads by excluding itself': get(`categories?user_id=neq.${intruder.id}`),
    'reads by a list of ids': get(`categories?id=in.(${owner.categoryId},${intruder.categoryId})`),
    'reads by a condition that is always true': get('prayers?or=(id.is.null,id.not.is.null)'),
    'reads by a negation': get(`prayers?not.and=(user_id.eq.${intruder.id},id.not.is.null)`),
    'reads by two filters on one column': get(`prayers?user_id=eq.${owner.id}&user_id=eq.${intruder.id}`),
    'reads prayers within categories': get('categories?select=*,prayers(*)'),
    'reads categories within prayers': get('prayers?select=*,categories!inner(*)'),
    'reads accounts within categories': get('categories?select=*,users(*)'),
    'reads prayed days within prayers': get('prayers?select=*,prayed_days(*)'),
    'reads system columns': get('prayers?select=xmin,ctid,tableoid'),
    'reads an aggregate': get('prayers?select=count()'),
    'reads the auth schema': get('users', { 'accept-profile': 'auth' }),
    'reads the settings of the server': get('settings', { 'accept-profile': 'intercede' }),
    'reads accounts by a qualified name': get('auth.users'),
    'reads the system catalog': get('pg_authid'),
    'reads with HEAD': call('HEAD', 'count=exact')('prayers'),
    'reads the OpenAPI description': get(''),
    'reads the execution plan': get('prayers', { accept: 'application/vnd.pgrst.plan+json' }),
    'adds several, one of them for the owner': post(
      'categories',
      [
        { name: 'Mine', order: 1, ...mine },
        { name: 'Taken', order: 1, ...theirs },
      ],
      FULL,
    ),
    'requests a rollback': post('categories', newCategory, `tx=rollback,${FULL}`),
    'upserts a category by id and owner': post('categories?on_conflict=id,user_id', category, MERGE),
    'upserts a category as its own': post('categories', { ...category, ...mine }, MERGE),
    'upserts some columns of a category': post('categories?columns=id,name,order', category, MERGE),
    'upserts a prayer as its own': post('prayers', ownPrayer, MERGE),
    'adds a prayer as its own, ignoring duplicates': post('prayers', ownPrayer, IGNORE),
    'adds an update as its own, ignoring duplicates': post('prayer_updates', ownUpdate, IGNORE),
    'puts a category': put(`categories?id=eq.${owner.categoryId}`, category),
    'changes a prayer with a minimal response': patch(ofOwner, { note: 'Taken' }, 'return=minimal'),
    'changes all updates': patch('prayer_updates?id=not.is.null', { body: 'Taken' }),
    'changes an id to that of the owner’s prayer': patch(ofIntruder, { id: owner.prayerId }),
    'reopens a prayer of the owner, whose answer becomes an update': patch(ofOwner, {
      resolved: false,
      answer: 'Taken',
    }),
    'removes a category with a minimal response': remove(
      `categories?id=eq.${owner.categoryId}`,
      undefined,
      'return=minimal',
    ),
    'marks a prayer as prayed for the owner': post('rpc/mark_prayed', { ...aDay, ...theirs }),
    'takes a prayed day back through the internal function': post('rpc/remove_prayed_day', {
      prayer_ids: [owner.prayerId],
      day: '2026-01-02',
    }),
    'reads the prayed years of the owner': post('rpc/prayed_years', theirs),
    'marks a prayer as prayed through the internal function': post('rpc/record_prayed_days', {
      prayer_ids: [owner.prayerId],
      days: ['2026-01-03'],
    }),
    'reads prayed days through the internal function': post('rpc/prayed_days_of_caller', {}),
    'takes a number through the internal function': post('rpc/next_rev', { owner: owner.id }),
    'exports the account of the owner': post('rpc/export_account', { ...theirs, id: owner.id }),
    'exports what the owner’s devices do not have': post('rpc/export_supplement', theirs),
    'exports through the internal function': post('rpc/account_of_caller', {}),
    'imports updates and days over existing rows': post('rpc/import_prayers', {
      data: {
        categories: [category],
        prayers: [{ ...prayer, note: 'Taken', updates: [update], prayed_days: ['2026-01-03'] }],
      },
      preview: false,
    }),
    'previews the deletion of the owner’s account': post('rpc/preview_account_deletion', theirs),
    'lists the sessions of the owner': post('rpc/list_sessions', theirs),
    'lists sessions through the internal function': post('rpc/sessions_of_caller', {}),
    'ends a session through the internal function': post('rpc/end_session_of_caller', { session_id: UNUSED }),
    'deletes the account of the owner': post('rpc/delete_account', { ...theirs, id: owner.id }),
    'deletes through the internal function': post('rpc/delete_account_of_caller', {}),
    'calls a function of another schema': post('rpc/rotate_refresh_token', {}),
    'calls a function that reads files': post('rpc/pg_read_file', { filename: '/etc/passwd' }),
    'calls auth.uid': post('rpc/uid', {}),
  }
}
