import fc from 'fast-check'
import { ANNA, BEN } from '#tests/support/users.ts'

/** In every row of Ben's and in none of Anna's. */
export const SECRET = 'whispered-by-ben'
export const BENS_CATEGORY = '00000000-0000-4000-8000-0000000000b1'
export const ANNAS_CATEGORY = '00000000-0000-4000-8000-0000000000a1'

export interface GeneratedRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query: readonly Pair[]
  headers: Readonly<Record<string, string>>
  body: string
}

type Pair = [name: string, value: string]

const pick = <Item>(...items: readonly Item[]) => fc.constantFrom(...items)
const SYMBOLS = `' " \\ ; -- $1 ( ) , . * % a \u00e9 : { } [ ] /* \u0000`.split(' ')
const noise = fc.string({ unit: pick(...SYMBOLS), maxLength: 12 })
const NAMES = 'id user_id name person_name note category_id order is_visible xmin *'.split(' ')
const column = fc.oneof(pick(...NAMES), noise)
const IDS = [ANNA, BEN, BENS_CATEGORY, ANNAS_CATEGORY]
const value = fc.oneof(pick(...IDS, 'null', 'true', '1', '2026-01-01', '1e999', 'whispered*', '*'), noise)
const operator = pick(...'eq neq gt lte like ilike is not.eq isdistinct cs fts'.split(' '), '')

const wildFilter: fc.Arbitrary<Pair> = fc.oneof(
  fc.tuple(column, operator, value).map(([name, op, given]): Pair => [name, `${op}.${given}`]),
  fc
    .tuple(column, fc.array(value, { maxLength: 3 }))
    .map(([name, list]): Pair => [name, `in.(${list.join(',')})`]),
  fc
    .tuple(column, operator, value)
    .map(([name, op, given]): Pair => ['or', `(id.not.is.null,not.and(${name}.${op}.${given}))`]),
)
const wildParameter: fc.Arbitrary<Pair> = fc.oneof(
  fc
    .tuple(pick('select', 'order', 'columns', 'on_conflict'), fc.array(column, { maxLength: 3 }))
    .map(([key, names]): Pair => [key, names.join(',')]),
  fc.tuple(pick('limit', 'offset'), pick('0', '1', '-1', '99999999999999999999', 'x', '')),
  fc.tuple(noise, noise),
)
const object = fc.dictionary(
  fc.oneof(column, pick('category_ids')),
  fc.oneof(value, fc.integer(), fc.boolean(), fc.constant(null), fc.array(value, { maxLength: 2 })),
  { maxKeys: 5 },
)
const wildBody = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.oneof(object, fc.jsonValue({ maxDepth: 3 })).map((json) => JSON.stringify(json)),
  },
  { weight: 2, arbitrary: fc.array(object, { maxLength: 3 }).map((json) => JSON.stringify(json)) },
  { weight: 1, arbitrary: noise },
)
const prefer = pick(
  'return=representation',
  'resolution=merge-duplicates,return=representation',
  'resolution=ignore-duplicates',
  'missing=default,return=representation',
  'return=headers-only',
  'count=exact',
)
const anyHeaders = fc
  .record(
    {
      prefer: fc.oneof(prefer, pick('handling=strict, x', '=,=')),
      accept: pick('application/vnd.pgrst.object+json', 'application/json', 'text/csv', ';q=x'),
      range: pick('0-0', '5-1', '0-', 'bytes=0-1', '99999999999999999999-'),
      'content-profile': pick('public', 'auth', 'intercede'),
      'accept-profile': pick('public', 'auth'),
    },
    { requiredKeys: [] },
  )
  .map((headers): Record<string, string> => Object.fromEntries(Object.entries(headers)))

/** Random requests, most of them invalid. */
const wildRequest: fc.Arbitrary<GeneratedRequest> = fc.record({
  method: pick('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: fc.oneof(
    { weight: 8, arbitrary: pick('categories', 'prayers', 'rpc/reorder_categories') },
    { weight: 1, arbitrary: pick('users', 'rpc/uid', 'rpc/', 'pg_class', 'auth.users', '') },
    { weight: 1, arbitrary: noise.map((text) => encodeURIComponent(text)) },
  ),
  query: fc.array(fc.oneof(wildFilter, wildParameter), { maxLength: 4 }),
  headers: anyHeaders,
  body: wildBody,
})

/** Attacks by a user who knows the schema and the ids of another user's rows. */
const craftedRequest: fc.Arbitrary<GeneratedRequest> = fc.record({
  method: pick('GET', 'POST', 'POST', 'PATCH', 'DELETE'),
  path: pick('categories', 'categories', 'prayers', 'rpc/reorder_categories'),
  query: fc.array(
    pick<Pair>(
      ['id', `eq.${BENS_CATEGORY}`],
      ['user_id', `eq.${BEN}`],
      ['user_id', `neq.${ANNA}`],
      ['or', `(user_id.eq.${BEN},id.not.is.null)`],
    ),
    { minLength: 1, maxLength: 2 },
  ),
  headers: fc.oneof(
    fc.constant({}),
    prefer.map((given) => ({ prefer: given })),
  ),
  body: fc
    .oneof(
      fc.record({ name: value, order: pick(1, 2) }),
      fc.record({ id: pick(...IDS), name: value, order: pick(1), user_id: pick(ANNA, BEN) }),
      fc.record({ person_name: value, category_id: pick(BENS_CATEGORY, ANNAS_CATEGORY) }),
      fc.record({ user_id: pick(ANNA, BEN) }),
      fc.record({ is_visible: fc.boolean() }),
      fc.record({ category_ids: fc.array(pick(BENS_CATEGORY, ANNAS_CATEGORY), { maxLength: 3 }) }),
    )
    .map((json) => JSON.stringify(json)),
})

export const generatedRequest = fc.oneof(wildRequest, craftedRequest)
