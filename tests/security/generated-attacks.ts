import fc from 'fast-check'
import { injectedJson, injection } from './injections.ts'

/** A request that is malicious in one or more parts. Names and values are not URL-encoded yet. */
export interface GeneratedAttack {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query: readonly (readonly [name: string, value: string])[]
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** A user whose ids and email address the attacker knows. */
export interface KnownTarget {
  userId: string
  categoryId: string
  prayerId: string
  updateId: string
  email: string
  /** The attacker's own category. */
  ownCategoryId: string
}

const COLUMNS = `id user_id name order is_visible note person_name category_id prayer_id body due_on pray_days
  times_prayed answer created_at`.split(/\s+/)
const OPERATORS = [...'eq neq gt lt like ilike match imatch in is cs fts not.eq'.split(' '), '']
const HEADERS = 'prefer range range-unit accept accept-profile content-profile x-client-info'.split(' ')

/** Without the characters that a header cannot contain. */
const headerText = injection.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').trim())
const headers = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), headerText, { maxKeys: 2 })

export function attackOnData(target: KnownTarget): fc.Arbitrary<GeneratedAttack> {
  const ids = [target.userId, target.categoryId, target.prayerId, target.updateId]
  const value = fc.oneof(injection, fc.constantFrom(...ids))
  const column = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...COLUMNS) },
    { weight: 1, arbitrary: injection },
  )
  const filter = fc
    .tuple(column, fc.constantFrom(...OPERATORS), value)
    .map(([name, operator, text]) => [name, `${operator}.${text}`] as const)
  const logic = fc
    .tuple(fc.constantFrom('or', 'and', 'not.or'), fc.array(fc.tuple(column, value), { maxLength: 3 }))
    .map(
      ([name, terms]) =>
        [name, `(${terms.map(([left, right]) => `${left}.eq.${right}`).join(',')})`] as const,
    )
  const parameter = fc.tuple(
    fc.constantFrom('select', 'order', 'limit', 'offset', 'columns', 'on_conflict', 'or', 'and', 'apikey'),
    value,
  )
  const row = fc.dictionary(column, fc.oneof(value, injectedJson), { maxKeys: 4 })
  const injected = fc.record({
    method: fc.constantFrom('GET', 'GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'PUT'),
    path: fc
      .oneof(
        {
          weight: 9,
          arbitrary: fc.constantFrom(
            'categories',
            'prayers',
            'prayer_updates',
            'prayed_days',
            'rpc/mark_prayed',
            'rpc/unmark_prayed',
            'rpc/prayed_months',
            'rpc/prayed_years',
            'rpc/reopen_prayer',
            'rpc/undo_reopen_prayer',
            'rpc/reorder_categories',
            'rpc/export_account',
            'rpc/export_supplement',
            'rpc/import_prayers',
            'rpc/import_sealed',
            'rpc/prayed_prayers',
            'rpc/set_encryption_key',
            'rpc/replace_texts',
            'rpc/abandon_encryption_key',
            'encryption_keys',
            'rpc/preview_account_deletion',
            'rpc/list_sessions',
            'rpc/end_session',
          ),
        },
        { weight: 1, arbitrary: injection.map((text) => encode(text).replace(/^\.+/, '')) },
      )
      .map((path) => `/rest/v1/${path}`),
    query: fc.array(fc.oneof(filter, logic, parameter), { maxLength: 3 }),
    headers: headers(HEADERS),
    body: fc
      .oneof(row, fc.array(row, { maxLength: 3 }), injectedJson)
      .map((json) => JSON.stringify(json) ?? ''),
  })
  return fc.oneof({ weight: 2, arbitrary: injected }, { weight: 1, arbitrary: validAttackOnData(target) })
}

/** Requests that are valid, and therefore reach the database, about rows of the target. */
function validAttackOnData({
  userId,
  categoryId,
  ownCategoryId,
}: KnownTarget): fc.Arbitrary<GeneratedAttack> {
  const category_id = fc.constantFrom(categoryId, ownCategoryId)
  const row = fc.oneof(
    fc.record({ name: injection, order: fc.constantFrom(1, 2) }),
    fc.record({ id: category_id, name: injection, order: fc.constant(1), user_id: fc.constant(userId) }),
    fc.record({ person_name: injection, category_id }),
    fc.record({ user_id: fc.constant(userId) }),
    fc.record({ is_visible: fc.boolean() }),
    fc.record({ category_ids: fc.array(category_id, { maxLength: 3 }) }),
  )
  const filters = [
    ['id', `eq.${categoryId}`],
    ['user_id', `eq.${userId}`],
    ['or', `(user_id.eq.${userId},id.not.is.null)`],
  ] as const
  const preferences = [
    'return=representation',
    'resolution=merge-duplicates,return=representation',
    'resolution=ignore-duplicates',
    'missing=default,return=representation',
    'count=exact',
  ].map((prefer) => ({ prefer }))
  const others = [
    { accept: 'application/vnd.pgrst.object+json' },
    { accept: 'text/csv' },
    { 'accept-profile': 'auth' },
    { 'content-profile': 'intercede' },
  ]
  return fc.record({
    method: fc.constantFrom('GET', 'POST', 'POST', 'PATCH', 'DELETE'),
    path: fc
      .constantFrom('categories', 'categories', 'prayers', 'rpc/reorder_categories')
      .map((path) => `/rest/v1/${path}`),
    query: fc.array(fc.constantFrom(...filters), { minLength: 1, maxLength: 2 }),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...preferences) },
      { weight: 1, arbitrary: fc.constantFrom<Record<string, string>[]>(...others) },
    ),
    body: row.map((json) => JSON.stringify(json)),
  })
}

/** In characters: about as many as Node.js accepts in a URL, and the server in a body. */
const MAX_URL_LENGTH = 14_000
const MAX_BODY_LENGTH = 1_000_000

/** The texts again and again, so many times or up to a length. `#` becomes a number that is different each time. */
function repeated(texts: readonly string[], separator: string, times: number, maxLength = MAX_URL_LENGTH) {
  const parts: string[] = []
  for (let length = 0; parts.length < times;) {
    const part = (texts[parts.length % texts.length] ?? '').replaceAll('#', String(parts.length))
    length += part.length + separator.length
    if (length > maxLength) break
    parts.push(part)
  }
  return parts.join(separator)
}

const multiplied = fc.record({
  part: fc.constantFrom('select', 'select', 'filters', 'logic', 'order', 'columns', 'arguments', 'value'),
  method: fc.constantFrom('GET', 'GET', 'PATCH'),
  columns: fc.shuffledSubarray(['note', 'note', 'person_name', 'id', 'created_at'], { minLength: 1 }),
  operator: fc.constantFrom('neq.x#', 'is.not_null', 'not.is.null', 'in.(x#,y)', `neq.${'v'.repeat(1000)}`),
  direction: fc.constantFrom('', '.desc', '.asc.nullsfirst'),
  depth: fc.integer({ min: 0, max: 40 }),
  times: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(100, 300, 1600, 3000)),
})
type Multiplied = typeof multiplied extends fc.Arbitrary<infer Value> ? Value : never

/**
 * Requests that are valid or nearly so, and multiply what the server has to do, to send or to remember: by repetition, size, nesting
 * and ever different orders.
 */
export const costlyAttackOnData: fc.Arbitrary<GeneratedAttack> = multiplied.map((given) => {
  const { part } = given
  const method =
    part === 'arguments' || part === 'columns' ? 'POST' : part === 'value' ? 'PATCH' : given.method
  const filter = method === 'PATCH' ? [['resolved', 'not.is.null'] as const] : []
  return {
    method,
    path: part === 'arguments' ? '/rest/v1/rpc/mark_prayed' : '/rest/v1/prayers',
    query: [...filter, ...costlyParameters(given)],
    headers: { prefer: 'return=representation' },
    body: costlyBody(given),
  }
})

function costlyParameters(given: Multiplied): (readonly [name: string, value: string])[] {
  const { part, columns, operator, direction, depth, times } = given
  switch (part) {
    case 'select':
      return [['select', repeated([...columns, '*'], ',', times)]]
    case 'filters':
      return repeated(columns, ',', times, MAX_URL_LENGTH / 2)
        .split(',')
        .map((name, index) => [name, operator.replaceAll('#', String(index))])
    case 'logic': {
      const conditions = columns.map((name) => `${name}.${operator}`)
      return [['or', `${'(and'.repeat(depth)}(${repeated(conditions, ',', times)})${')'.repeat(depth)}`]]
    }
    case 'order':
      return [['order', repeated(columns, `${direction},`, times)]]
    case 'columns':
      return [['columns', repeated(columns, ',', times)]]
    case 'arguments':
    case 'value':
      return []
  }
}

function costlyBody({ part, times }: Multiplied): string {
  if (part === 'arguments') return `{${repeated(['"name#":1'], ',', times * 20, MAX_BODY_LENGTH)}}`
  if (part === 'value') return JSON.stringify({ category_id: 'v'.repeat(times * 300) })
  return part === 'columns' ? `[${repeated(['{}'], ',', times * 20, MAX_BODY_LENGTH)}]` : '{"resolved":true}'
}

const AUTH_PATHS = [
  ['POST', 'signup'],
  ['POST', 'token?grant_type=password'],
  ['POST', 'token?grant_type=refresh_token'],
  ['POST', 'recover'],
  ['POST', 'resend'],
  ['POST', 'verify'],
  ['GET', 'verify'],
  ['GET', 'authorize'],
  ['GET', 'authorize?provider=twitter'],
  ['GET', 'callback'],
  ['POST', 'callback'],
  ['GET', 'user'],
  ['PUT', 'user'],
  ['GET', 'reauthenticate'],
  ['POST', 'logout'],
  ['GET', 'settings'],
] as const
const PARAMETERS = 'redirect_to type token token_hash provider scopes scope state code error'.split(' ')
const FIELDS =
  'email phone data type token token_hash refresh_token redirect_to state code nonce current_password'.split(
    ' ',
  )

/** Mostly ones that are rejected by their length, because each other one is hashed. */
const password = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('', 'short', 'x'.repeat(73)) },
  { weight: 1, arbitrary: injection },
)

export function attackOnAccounts(target: KnownTarget): fc.Arbitrary<GeneratedAttack> {
  const value = fc.oneof(
    { weight: 4, arbitrary: injection },
    {
      weight: 1,
      arbitrary: fc.constantFrom(target.userId, target.email, 'signup', 'email_change', 'twitter', 'global'),
    },
  )
  const email = fc.oneof(
    value,
    injection.map((text) => `${text}@example.org`),
    injection.map((text) => `x@${text}.org`),
  )
  const body = fc
    .tuple(
      fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(value, injectedJson), { maxKeys: 4 }),
      fc.option(fc.record({ email, password }), { nil: {} }),
    )
    .map(([fields, account]) => JSON.stringify({ ...account, ...fields }))
  return fc
    .record({
      call: fc.constantFrom(...AUTH_PATHS),
      query: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...PARAMETERS), injection), value), { maxLength: 3 }),
      headers: headers([
        'redirect_to',
        'referer',
        'user-agent',
        'x-supabase-api-version',
        'content-type',
        'x-forwarded-for',
      ]),
      body: fc.oneof({ weight: 5, arbitrary: body }, { weight: 1, arbitrary: injection }),
    })
    .map(({ call: [method, path], query, headers: sent, body: text }) => ({
      method,
      path: `/auth/v1/${path}`,
      query,
      headers: sent,
      body: text,
    }))
}

/** The URL of the request, encoded correctly. */
export function urlOf({ path, query }: GeneratedAttack): string {
  const text = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`
}

/** `encodeURIComponent`, also for strings that are not well-formed. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
