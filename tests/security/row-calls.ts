import type { Attack } from './attack.ts'
import type { Owner } from './two-people.ts'

const FULL = 'return=representation'
const MERGE = 'resolution=merge-duplicates'
const IGNORE = 'resolution=ignore-duplicates'
const UNUSED = '00000000-0000-4000-8000-0000000000ff'

/** Calls of the data surface by what they do to rows that are `owner`'s; `intruder` is whoever tries. */
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

  return {
    'reads all': get(prayers),
    'reads all, with a count': get(prayers, { prefer: 'count=exact' }),
    'reads all, with a planned count': get(prayers, { prefer: 'count=planned' }),
    'reads all in a range': get(prayers, { range: '0-999', 'range-unit': 'items' }),
    'reads one as an object': get(`${prayers}?id=eq.${owner.prayerId}`, {
      accept: 'application/vnd.pgrst.object+json',
    }),
    'reads by owner': get(`${categories}?user_id=eq.${owner.id}`),
    'reads by whoever it is not': get(`${categories}?user_id=neq.${intruder.id}`),
    'reads by a list of ids': get(`${categories}?id=in.(${owner.categoryId},${intruder.categoryId})`),
    'reads by an alternative that is always true': get(`${prayers}?or=(id.is.null,id.not.is.null)`),
    'reads by a negation': get(`${prayers}?not.and=(user_id.eq.${intruder.id},id.not.is.null)`),
    'reads by a pattern': get(`${prayers}?note=like.*whispered*`),
    'reads by two filters on one column': get(`${prayers}?user_id=eq.${owner.id}&user_id=eq.${intruder.id}`),
    'reads prayers within categories': get(`${categories}?select=*,prayers(*)`),
    'reads categories within prayers': get(`${prayers}?select=*,categories!inner(*)`),
    'reads accounts within categories': get(`${categories}?select=*,users(*)`),
    'reads a column of the system': get(`${prayers}?select=xmin,ctid,tableoid`),
    'reads an aggregate': get(`${prayers}?select=count()`),
    'reads with the schema of accounts': get('/rest/v1/users', { 'accept-profile': 'auth' }),
    'reads the settings of the server': get('/rest/v1/settings', { 'accept-profile': 'intercede' }),
    'reads the accounts by a qualified name': get('/rest/v1/auth.users'),
    'reads the catalogue': get('/rest/v1/pg_authid'),
    'reads as HEAD': { method: 'HEAD', path: prayers, headers: { prefer: 'count=exact' } },
    'asks for the description of the API': get('/rest/v1/'),
    'asks how it is carried out': get(prayers, { accept: 'application/vnd.pgrst.plan+json' }),
    'adds a category for the owner': post(categories, { ...category, id: UNUSED }, FULL),
    'adds a category for the owner, saying nothing': post(
      categories,
      { ...category, id: UNUSED },
      'return=minimal',
    ),
    'adds several, one for the owner': post(
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
    'merges over a category by id': post(`${categories}?on_conflict=id`, category, `${MERGE},${FULL}`),
    'merges over a category by id and owner': post(
      `${categories}?on_conflict=id,user_id`,
      category,
      `${MERGE},${FULL}`,
    ),
    'merges over a category, as its own': post(
      categories,
      { ...category, user_id: intruder.id },
      `${MERGE},${FULL}`,
    ),
    'merges over a category, naming only some columns': post(
      `${categories}?columns=id,name,order`,
      category,
      MERGE,
    ),
    'merges over a prayer': post(prayers, prayer, `${MERGE},${FULL}`),
    'merges over a prayer, as its own': post(
      prayers,
      { ...prayer, user_id: intruder.id, category_id: intruder.categoryId },
      `${MERGE},${FULL}`,
    ),
    'adds over a category, ignoring it': post(categories, category, `${IGNORE},${FULL}`),
    'adds over a prayer as its own, ignoring it': post(
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
    'changes a prayer, saying nothing': patch(
      `${prayers}?id=eq.${owner.prayerId}`,
      { note: 'Taken' },
      'return=minimal',
    ),
    'gives a prayer away': patch(`${prayers}?id=eq.${intruder.prayerId}`, { user_id: owner.id }),
    'takes a prayer over': patch(`${prayers}?id=eq.${owner.prayerId}`, { user_id: intruder.id }),
    'moves a prayer into a category of the owner': patch(`${prayers}?id=eq.${intruder.prayerId}`, {
      category_id: owner.categoryId,
    }),
    'changes the id to that of the owner': patch(`${prayers}?id=eq.${intruder.prayerId}`, {
      id: owner.prayerId,
    }),
    'removes a prayer': remove(`${prayers}?id=eq.${owner.prayerId}`),
    'removes a category, saying nothing': remove(`${categories}?id=eq.${owner.categoryId}`, 'return=minimal'),
    'removes what is of the owner': remove(`${prayers}?user_id=eq.${owner.id}`),
    reorders: post(reorder, { category_ids: [owner.categoryId] }, ''),
    'reorders by address': get(`${reorder}?category_ids={${owner.categoryId}}`),
    'exports the account': post(`${rpc}/export_account`, {}, ''),
    'exports the account by address': get(`${rpc}/export_account?user_id=${owner.id}`),
    'exports the account of the owner': post(
      `${rpc}/export_account`,
      { user_id: owner.id, id: owner.id },
      '',
    ),
    'exports by the function behind it': post(`${rpc}/account_of_caller`, {}, ''),
    'imports over what is there': post(
      `${rpc}/import_prayers`,
      { data: { categories: [category], prayers: [{ ...prayer, note: 'Taken' }] }, preview: false },
      '',
    ),
    'previews the deletion of the account': post(
      `${rpc}/preview_account_deletion`,
      { user_id: owner.id },
      '',
    ),
    'deletes the account of the owner': post(
      `${rpc}/delete_account`,
      { user_id: owner.id, id: owner.id },
      '',
    ),
    'deletes by the function behind it': post(`${rpc}/delete_account_of_caller`, {}, ''),
    'calls a function of another schema': post('/rest/v1/rpc/rotate_refresh_token', {}, ''),
    'calls a function that reads files': post('/rest/v1/rpc/pg_read_file', { filename: '/etc/passwd' }, ''),
    'calls who it is': post('/rest/v1/rpc/uid', {}, ''),
    'asks to undo what it did': post(categories, { ...category, id: UNUSED }, `tx=rollback,${FULL}`),
  }
}
