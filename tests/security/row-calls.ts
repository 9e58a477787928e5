import type { Attack } from './attack.ts'
import type { Owner } from './two-users.ts'

const FULL = 'return=representation'
const MERGE = 'resolution=merge-duplicates'
const IGNORE = 'resolution=ignore-duplicates'
const UNUSED = '00000000-0000-4000-8000-0000000000ff'

/** Calls of the REST API, sent by `intruder`, by what they would do to rows of `owner`. */
export function rowCalls(owner: Owner, intruder: Owner): Readonly<Record<string, Attack>> {
  const category = { id: owner.categoryId, user_id: owner.id, name: 'Taken', order: 7 }
  const prayer = {
    id: owner.prayerId,
    user_id: owner.id,
    category_id: owner.categoryId,
    person_name: 'Taken',
  }
  const get = (path: string, headers: Record<string, string> = {}): Attack => ({
    method: 'GET',
    path,
    headers,
  })
  const post = (path: string, body: unknown, prefer: string): Attack => ({
    method: 'POST',
    path,
    body,
    headers: { prefer },
  })
  const patch = (path: string, body: unknown, prefer = FULL): Attack => ({
    method: 'PATCH',
    path,
    body,
    headers: { prefer },
  })
  const remove = (path: string, prefer = FULL): Attack => ({ method: 'DELETE', path, headers: { prefer } })
  const categories = '/rest/v1/categories'
  const prayers = '/rest/v1/prayers'
  const rpc = '/rest/v1/rpc'
  const reorder = `${rpc}/reorder_categories`
  const updates = '/rest/v1/prayer_updates'
  const update = { id: owner.updateId, user_id: owner.id, prayer_id: owner.prayerId, body: 'Taken' }
  const days = '/rest/v1/prayed_days'
  const markPrayed = (body: Readonly<Record<string, unknown>>) => post(`${rpc}/mark_prayed`, body, '')

  return {
    'reads all': get(prayers),
    'reads all with a count': get(prayers, { prefer: 'count=exact' }),
    'reads all with a planned count': get(prayers, { prefer: 'count=planned' }),
    'reads all in a range': get(prayers, { range: '0-999', 'range-unit': 'items' }),
    'reads one as an object': get(`${prayers}?id=eq.${owner.prayerId}`, {
      accept: 'application/vnd.pgrst.object+json',
    }),
    'reads by owner': get(`${categories}?user_id=eq.${owner.id}`),
    'reads by excluding itself': get(`${categories}?user_id=neq.${intruder.id}`),
    'reads by a list of ids': get(`${categories}?id=in.(${owner.categoryId},${intruder.categoryId})`),
    'reads by a condition that is always true': get(`${prayers}?or=(id.is.null,id.not.is.null)`),
    'reads by a negation': get(`${prayers}?not.and=(user_id.eq.${intruder.id},id.not.is.null)`),
    'reads by a pattern': get(`${prayers}?note=like.*whispered*`),
    'reads by two filters on one column': get(`${prayers}?user_id=eq.${owner.id}&user_id=eq.${intruder.id}`),
    'reads prayers within categories': get(`${categories}?select=*,prayers(*)`),
    'reads categories within prayers': get(`${prayers}?select=*,categories!inner(*)`),
    'reads accounts within categories': get(`${categories}?select=*,users(*)`),
    'reads system columns': get(`${prayers}?select=xmin,ctid,tableoid`),
    'reads an aggregate': get(`${prayers}?select=count()`),
    'reads the auth schema': get('/rest/v1/users', { 'accept-profile': 'auth' }),
    'reads the settings of the server': get('/rest/v1/settings', { 'accept-profile': 'intercede' }),
    'reads accounts by a qualified name': get('/rest/v1/auth.users'),
    'reads the system catalog': get('/rest/v1/pg_authid'),
    'reads with HEAD': { method: 'HEAD', path: prayers, headers: { prefer: 'count=exact' } },
    'reads the OpenAPI description': get('/rest/v1/'),
    'reads the execution plan': get(prayers, { accept: 'application/vnd.pgrst.plan+json' }),
    'adds a category for the owner': post(categories, { ...category, id: UNUSED }, FULL),
    'adds a category for the owner with a minimal response': post(
      categories,
      { ...category, id: UNUSED },
      'return=minimal',
    ),
    'adds several, one of them for the owner': post(
      categories,
      [
        { name: 'Mine', order: 1, user_id: intruder.id },
        { name: 'Taken', order: 1, user_id: owner.id },
      ],
      FULL,
    ),
    'adds a prayer to a category of the owner': post(
      prayers,
      { category_id: owner.categoryId, person_name: 'x' },
      FULL,
    ),
    'upserts a category by id': post(`${categories}?on_conflict=id`, category, `${MERGE},${FULL}`),
    'upserts a category by id and owner': post(
      `${categories}?on_conflict=id,user_id`,
      category,
      `${MERGE},${FULL}`,
    ),
    'upserts a category as its own': post(
      categories,
      { ...category, user_id: intruder.id },
      `${MERGE},${FULL}`,
    ),
    'upserts some columns of a category': post(`${categories}?columns=id,name,order`, category, MERGE),
    'upserts a prayer': post(prayers, prayer, `${MERGE},${FULL}`),
    'upserts a prayer as its own': post(
      prayers,
      { ...prayer, user_id: intruder.id, category_id: intruder.categoryId },
      `${MERGE},${FULL}`,
    ),
    'adds a category, ignoring duplicates': post(categories, category, `${IGNORE},${FULL}`),
    'adds a prayer as its own, ignoring duplicates': post(
      prayers,
      { ...prayer, user_id: intruder.id, category_id: intruder.categoryId },
      `${IGNORE},${FULL}`,
    ),
    'puts a category': {
      method: 'PUT',
      path: `${categories}?id=eq.${owner.categoryId}`,
      body: category,
      headers: { prefer: FULL },
    },
    'changes a category': patch(`${categories}?id=eq.${owner.categoryId}`, { name: 'Taken' }),
    'changes a prayer with a minimal response': patch(
      `${prayers}?id=eq.${owner.prayerId}`,
      { note: 'Taken' },
      'return=minimal',
    ),
    'gives a prayer away': patch(`${prayers}?id=eq.${intruder.prayerId}`, { user_id: owner.id }),
    'takes over a prayer': patch(`${prayers}?id=eq.${owner.prayerId}`, { user_id: intruder.id }),
    'moves a prayer into a category of the owner': patch(`${prayers}?id=eq.${intruder.prayerId}`, {
      category_id: owner.categoryId,
    }),
    'changes an id to that of the owner’s prayer': patch(`${prayers}?id=eq.${intruder.prayerId}`, {
      id: owner.prayerId,
    }),
    'removes a prayer': remove(`${prayers}?id=eq.${owner.prayerId}`),
    'removes a category with a minimal response': remove(
      `${categories}?id=eq.${owner.categoryId}`,
      'return=minimal',
    ),
    'removes all prayers of the owner': remove(`${prayers}?user_id=eq.${owner.id}`),
    'reads the sync state': get(`/rest/v1/sync_state?user_id=eq.${owner.id}`),
    'changes the sync state': patch(`/rest/v1/sync_state?user_id=eq.${owner.id}`, { rev: 0, floor: 0 }),
    'replaces the sync state': post(
      '/rest/v1/sync_state',
      { user_id: owner.id, rev: 0, floor: 0 },
      `${MERGE},${FULL}`,
    ),
    'removes the sync state': remove(`/rest/v1/sync_state?user_id=eq.${owner.id}`),
    'reads deletions': get(`/rest/v1/deletions?user_id=eq.${owner.id}`),
    'adds a deletion': post(
      '/rest/v1/deletions',
      { user_id: owner.id, table_name: 'prayers', row_id: owner.prayerId, rev: 1 },
      FULL,
    ),
    'removes deletions': remove(`/rest/v1/deletions?user_id=eq.${owner.id}`),
    'sets the number of a change': patch(`${prayers}?id=eq.${owner.prayerId}`, { rev: 0 }),
    'reads all updates': get(updates),
    'reads the updates of a prayer of the owner': get(`${updates}?prayer_id=eq.${owner.prayerId}`),
    'reads updates within prayers': get(`${prayers}?select=*,prayer_updates(*)`),
    'adds an update for the owner': post(updates, { ...update, id: UNUSED }, FULL),
    'adds an update of its own to a prayer of the owner': post(
      updates,
      { prayer_id: owner.prayerId, body: 'x' },
      FULL,
    ),
    'adds several updates, one of them to a prayer of the owner': post(
      updates,
      [
        { prayer_id: intruder.prayerId, body: 'x' },
        { prayer_id: owner.prayerId, body: 'x' },
      ],
      FULL,
    ),
    'upserts an update': post(updates, update, `${MERGE},${FULL}`),
    'upserts an update as its own': post(
      updates,
      { ...update, user_id: intruder.id, prayer_id: intruder.prayerId },
      `${MERGE},${FULL}`,
    ),
    'adds an update as its own, ignoring duplicates': post(
      updates,
      { ...update, user_id: intruder.id, prayer_id: intruder.prayerId },
      `${IGNORE},${FULL}`,
    ),
    'changes an update': patch(`${updates}?id=eq.${owner.updateId}`, { body: 'Taken' }),
    'changes all updates': patch(`${updates}?id=not.is.null`, { body: 'Taken' }),
    'gives an update away': patch(`${updates}?id=eq.${intruder.updateId}`, { user_id: owner.id }),
    'gives an update away, with a prayer of the owner': patch(`${updates}?id=eq.${intruder.updateId}`, {
      user_id: owner.id,
      prayer_id: owner.prayerId,
    }),
    'moves an update to a prayer of the owner': patch(`${updates}?id=eq.${intruder.updateId}`, {
      prayer_id: owner.prayerId,
    }),
    'takes over an update': patch(`${updates}?id=eq.${owner.updateId}`, {
      user_id: intruder.id,
      prayer_id: intruder.prayerId,
    }),
    'removes an update': remove(`${updates}?id=eq.${owner.updateId}`),
    'removes all updates of the owner': remove(`${updates}?user_id=eq.${owner.id}`, 'return=minimal'),
    'answers a prayer of the owner': patch(`${prayers}?id=eq.${owner.prayerId}`, {
      resolved: true,
      answer: 'Taken',
    }),
    'reopens a prayer of the owner, whose answer becomes an update': patch(
      `${prayers}?id=eq.${owner.prayerId}`,
      { resolved: false, answer: 'Taken' },
    ),
    'marks a prayer of the owner as prayed': markPrayed({
      prayer_ids: [owner.prayerId],
      prayed_on: '2026-01-03',
    }),
    'marks prayers as prayed, one of them of the owner': markPrayed({
      prayer_ids: [intruder.prayerId, owner.prayerId],
      prayed_on: '2026-01-03',
    }),
    'marks a prayer as prayed for the owner': markPrayed({
      prayer_ids: [owner.prayerId],
      prayed_on: '2026-01-03',
      user_id: owner.id,
    }),
    'marks a prayer as prayed through the internal function': post(
      `${rpc}/record_prayed_days`,
      { prayer_ids: [owner.prayerId], days: ['2026-01-03'] },
      '',
    ),
    'reads prayed days': get(`${days}?prayer_id=eq.${owner.prayerId}`),
    'reads prayed days within prayers': get(`${prayers}?select=*,prayed_days(*)`),
    'reads prayed days through the internal function': post(`${rpc}/prayed_days_of_caller`, {}, ''),
    'adds a prayed day': post(
      days,
      { prayer_id: owner.prayerId, user_id: owner.id, day: '2026-01-03' },
      `${MERGE},${FULL}`,
    ),
    'changes prayed days': patch(`${days}?prayer_id=eq.${owner.prayerId}`, { day: '2026-01-03' }),
    'removes prayed days': remove(`${days}?prayer_id=eq.${owner.prayerId}`),
    'takes a number through the internal function': post(`${rpc}/next_rev`, { owner: owner.id }, ''),
    reorders: post(reorder, { category_ids: [owner.categoryId] }, ''),
    'reorders with GET': get(`${reorder}?category_ids={${owner.categoryId}}`),
    'exports the account': post(`${rpc}/export_account`, {}, ''),
    'exports the account of the owner with GET': get(`${rpc}/export_account?user_id=${owner.id}`),
    'exports the account of the owner': post(
      `${rpc}/export_account`,
      { user_id: owner.id, id: owner.id },
      '',
    ),
    'exports through the internal function': post(`${rpc}/account_of_caller`, {}, ''),
    'imports over existing rows': post(
      `${rpc}/import_prayers`,
      { data: { categories: [category], prayers: [{ ...prayer, note: 'Taken' }] }, preview: false },
      '',
    ),
    'imports updates and days over existing rows': post(
      `${rpc}/import_prayers`,
      {
        data: {
          categories: [category],
          prayers: [{ ...prayer, note: 'Taken', updates: [update], prayed_days: ['2026-01-03'] }],
        },
        preview: false,
      },
      '',
    ),
    'previews the deletion of the owner’s account': post(
      `${rpc}/preview_account_deletion`,
      { user_id: owner.id },
      '',
    ),
    'deletes the account of the owner': post(
      `${rpc}/delete_account`,
      { user_id: owner.id, id: owner.id },
      '',
    ),
    'deletes through the internal function': post(`${rpc}/delete_account_of_caller`, {}, ''),
    'calls a function of another schema': post('/rest/v1/rpc/rotate_refresh_token', {}, ''),
    'calls a function that reads files': post('/rest/v1/rpc/pg_read_file', { filename: '/etc/passwd' }, ''),
    'calls auth.uid': post('/rest/v1/rpc/uid', {}, ''),
    'requests a rollback': post(categories, { ...category, id: UNUSED }, `tx=rollback,${FULL}`),
  }
}
