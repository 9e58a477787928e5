import { describe, expect, it } from 'vitest'
import {
  call,
  claimsOf,
  newUser,
  refresh,
  sessionOf,
  textMember,
  type WireSession,
} from '#tests/contract/auth/auth-client.ts'
import { attack, bearer } from './attack.ts'
import { useTwoUsers } from './two-users.ts'

const world = useTwoUsers()

/** Properties of an account that only the server may set. */
const FORBIDDEN: Readonly<Record<string, unknown>> = {
  id: '00000000-0000-4000-8000-00000000cafe',
  sub: '00000000-0000-4000-8000-00000000cafe',
  user_id: '00000000-0000-4000-8000-00000000cafe',
  instance_id: '00000000-0000-4000-8000-00000000cafe',
  role: 'service_role',
  aud: 'elsewhere',
  aal: 'aal3',
  amr: [{ method: 'oauth', timestamp: 0 }],
  is_super_admin: true,
  is_anonymous: true,
  is_sso_user: true,
  email_confirmed_at: '2000-01-01T00:00:00Z',
  confirmed_at: '2000-01-01T00:00:00Z',
  created_at: '2000-01-01T00:00:00Z',
  updated_at: '2000-01-01T00:00:00Z',
  last_sign_in_at: '2000-01-01T00:00:00Z',
  banned_until: '2000-01-01T00:00:00Z',
  deleted_at: '2000-01-01T00:00:00Z',
  encrypted_password: 'x',
  raw_app_meta_data: { role: 'admin' },
  raw_user_meta_data: { role: 'admin' },
  confirmation_token: 'x',
  recovery_token: 'x',
  session_id: '00000000-0000-4000-8000-00000000cafe',
  identities: [{ provider: 'twitter', id: '1' }],
  factors: [{ id: 'x' }],
  ['__proto__']: { role: 'service_role' },
  constructor: { prototype: { role: 'service_role' } },
}

/** The account without what differs from user to user. */
async function accountOf(id: string): Promise<unknown> {
  const { rows } = await world.server.database.pool.query(
    `select to_jsonb(u) - '{id,email,encrypted_password,raw_user_meta_data,updated_at}'::text[] as account
     from auth.users u where id = $1`,
    [id],
  )
  return rows[0].account
}

/** The claims of a session's token without what differs from session to session, except for the user. */
function grantedBy({ access_token: token }: WireSession): object {
  const names = 'iat exp iss aud role aal amr app_metadata is_anonymous sub'.split(' ')
  return Object.fromEntries(Object.entries(Object(claimsOf(token))).filter(([name]) => names.includes(name)))
}

const signUpWith = async (email: string, more: string) =>
  sessionOf(
    await call(world.server, 'POST', '/signup', {
      text: `{"email":"${email}","password":"a quiet hour"${more}}`,
    }),
  )

describe('properties that only the server may set', () => {
  it.each([
    ['in the request', `,${JSON.stringify(FORBIDDEN).slice(1, -1)}`],
    ['as user metadata', `,"data":${JSON.stringify(FORBIDDEN)}`],
  ])('%s make no account different from an ordinary one when signing up', async (where, more) => {
    const name = where.replaceAll(' ', '-')
    const ordinary = await signUpWith(`ordinary-${name}@example.org`, '')
    const session = await signUpWith(`${name}@example.org`, more)
    expect(session.user.id).not.toBe(FORBIDDEN['id'])
    expect(await accountOf(session.user.id)).toEqual(await accountOf(ordinary.user.id))
    expect(grantedBy(session)).toEqual({ ...grantedBy(ordinary), sub: session.user.id })
    const rows = await attack(world.server, {
      method: 'GET',
      path: '/rest/v1/prayers?select=*',
      headers: bearer(session.access_token),
    })
    expect([rows.status, rows.text]).toEqual([200, '[]'])
  })

  it("change nothing when updating one's own account", async () => {
    const { access_token: token } = world.anna.session
    const before = await accountOf(world.anna.id)
    const body = { ...FORBIDDEN, data: { note: 'x' } }
    const response = await call(world.server, 'PUT', '/user', { body, token })
    expect(response.status).toBe(200)
    expect(await accountOf(world.anna.id)).toEqual(before)
  })

  it('reach no prototype through __proto__', async () => {
    const { access_token: token } = world.anna.session
    const text =
      '{"data":{"__proto__":{"role":"service_role"},"constructor":{"prototype":{"polluted":true}}}}'
    expect((await call(world.server, 'PUT', '/user', { text, token })).status).toBe(200)
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(Object(new Map())).not.toHaveProperty('polluted')
  })
})

describe('user metadata', () => {
  it('cannot grow until tokens are too large to be accepted', async () => {
    const { access_token: token, refresh_token: refreshToken } = await newUser(world.server)
    const text = 'x'.repeat(3000)
    expect((await call(world.server, 'PUT', '/user', { body: { data: { one: text } }, token })).status).toBe(
      200,
    )
    const second = await call(world.server, 'PUT', '/user', { body: { data: { two: text } }, token })
    expect([second.status, textMember(second.body, 'code')]).toEqual([400, 'validation_failed'])
    const less = await call(world.server, 'PUT', '/user', { body: { data: { one: null } }, token })
    expect(less.status).toBe(200)
    const renewed = sessionOf(await refresh(world.server, refreshToken))
    expect((await call(world.server, 'GET', '/user', { token: renewed.access_token })).status).toBe(200)
  })

  it('cannot be too large at sign-up either', async () => {
    const body = { email: 'larger@example.org', password: 'a quiet hour', data: { one: 'x'.repeat(5000) } }
    expect((await call(world.server, 'POST', '/signup', { body })).status).toBe(400)
  })
})

describe('a row', () => {
  it.each(['categories', 'prayers', 'prayer_updates'] as const)(
    'in %s belongs to the caller who inserts it, whatever user_id it has',
    async (table) => {
      const { access_token: token } = world.anna.session
      const own = {
        categories: { name: 'x', order: 1 },
        prayers: { person_name: 'x', category_id: world.anna.categoryId },
        prayer_updates: { body: 'x', prayer_id: world.anna.prayerId },
      }[table]
      for (const user of [world.ben.id, null, '00000000-0000-4000-8000-00000000cafe']) {
        const response = await attack(world.server, {
          method: 'POST',
          path: `/rest/v1/${table}`,
          body: { ...own, user_id: user },
          headers: bearer(token),
        })
        expect([400, 403], response.text).toContain(response.status)
      }
    },
  )

  it.each([999_999, -1, null])('cannot be given a number for its change: %j', async (rev) => {
    const { access_token: token } = world.anna.session
    const send = async (method: string, path: string, body: object) => {
      const headers = { ...bearer(token), prefer: 'return=representation' }
      const response = await attack(world.server, { method, path: `/rest/v1/${path}`, body, headers })
      expect(response.status, response.text).toBeLessThan(300)
    }
    await send('POST', 'categories', { name: 'x', order: 1, rev })
    await send('PATCH', `prayers?id=eq.${world.anna.prayerId}`, { note: 'x', rev })
    await send('PATCH', `prayer_updates?id=eq.${world.anna.updateId}`, { body: 'x', rev })
    const { rows } = await world.server.database.pool.query(
      `select s.rev - c.rev as category, s.rev - p.rev as prayer, s.rev - u.rev as update
       from public.sync_state s
       join public.prayers p on p.id = $2
       join public.prayer_updates u on u.id = $3
       join (select max(rev) as rev from public.categories where user_id = $1) c on true
       where s.user_id = $1`,
      [world.anna.id, world.anna.prayerId, world.anna.updateId],
    )
    // A change of the update is one of its prayer, too.
    expect(rows).toEqual([{ category: '2', prayer: '0', update: '0' }])
  })

  it.each([{ times_prayed: 1000 }, { times_prayed: -1 }, { last_prayed_on: '2026-06-01' }])(
    'of a prayer cannot be given what is counted: %j',
    async (counted) => {
      const { id, categoryId, prayerId, session } = world.anna
      const prayer = { person_name: 'x', category_id: categoryId, ...counted }
      const countsAfter = async (method: string, path: string, body: object): Promise<unknown> => {
        const headers = {
          ...bearer(session.access_token),
          prefer: 'resolution=merge-duplicates,return=representation',
        }
        const select = 'select=times_prayed,last_prayed_on'
        const url = `/rest/v1/prayers?${select}${path}`
        const response = await attack(world.server, { method, path: url, body, headers })
        expect(response.status, response.text).toBeLessThan(300)
        return JSON.parse(response.text)
      }
      const stored = [{ times_prayed: 1, last_prayed_on: null }]
      expect(await countsAfter('POST', '', prayer)).toEqual([{ times_prayed: 0, last_prayed_on: null }])
      expect(await countsAfter('PATCH', `&id=eq.${prayerId}`, counted)).toEqual(stored)
      expect(await countsAfter('POST', '', { ...prayer, id: prayerId, user_id: id })).toEqual(stored)
    },
  )

  it.each(['role', 'owner', 'xmin', 'ctid', 'tableoid', 'constructor', '__proto__'])(
    'with a column %s is rejected',
    async (name) => {
      const { access_token: token } = world.anna.session
      const response = await attack(world.server, {
        method: 'POST',
        path: '/rest/v1/categories',
        body: `{"name":"x","order":1,${JSON.stringify(name)}:"1"}`,
        headers: bearer(token),
      })
      expect(response.status, response.text).toBe(400)
    },
  )
})

describe('marking prayers as prayed', () => {
  const mark = async (body: unknown) => {
    const headers = bearer(world.anna.session.access_token)
    return (await attack(world.server, { method: 'POST', path: '/rest/v1/rpc/mark_prayed', body, headers }))
      .status
  }
  const daysOf = async () =>
    (
      await world.server.database.pool.query<{ day: string }>(
        'select day::text from public.prayed_days where user_id = $1 order by day',
        [world.anna.id],
      )
    ).rows.map(({ day }) => day)

  it.each([
    ['a day before the first year', '4000-01-01 BC'],
    ['a day that no date can hold', '99999999-01-01'],
    ['-infinity', '-infinity'],
    ['no day', null],
    ['several days', ['2026-01-03', '2026-01-04']],
    ['text', 'x'.repeat(10_000)],
  ])('with %s is rejected', async (_what, day) => {
    const before = await daysOf()
    expect(await mark({ prayer_ids: [world.anna.prayerId], prayed_on: day })).toBe(400)
    expect(await daysOf()).toEqual(before)
  })

  it('with ids that are none is rejected', async () => {
    for (const ids of ['x', ['x'], { id: world.anna.prayerId }])
      expect(await mark({ prayer_ids: ids, prayed_on: '2026-01-03' })).toBe(400)
  })

  it('counts once, however often an id is in one call', async () => {
    const before = await daysOf()
    const ids = Array.from({ length: 25_000 }, () => world.anna.prayerId)
    expect(await mark({ prayer_ids: ids, prayed_on: '2026-01-04' })).toBe(204)
    expect(await daysOf()).toEqual([...before, '2026-01-04'].toSorted())
  })

  it('with 100,000 ids never reaches the database', async () => {
    const before = await daysOf()
    const ids = Array.from({ length: 100_000 }, () => world.anna.prayerId)
    expect(await mark({ prayer_ids: ids, prayed_on: '2026-01-05' })).toBe(413)
    expect(await daysOf()).toEqual(before)
  })
})

describe('an id', () => {
  it('of another user’s row gets the same response as one that does not exist', async () => {
    const { access_token: token, user } = await newUser(world.server)
    const unused = '7f7f7f7f-7f7f-4f7f-bf7f-7f7f7f7f7f7f'
    const calls = (category: string, prayer: string, update: string) =>
      [
        ['GET', `/rest/v1/prayers?id=eq.${prayer}`, undefined],
        ['PATCH', `/rest/v1/prayers?id=eq.${prayer}`, { note: 'x' }],
        ['DELETE', `/rest/v1/prayers?id=eq.${prayer}`, undefined],
        ['PATCH', `/rest/v1/categories?id=eq.${category}`, { name: 'x' }],
        ['DELETE', `/rest/v1/categories?id=eq.${category}`, undefined],
        ['POST', '/rest/v1/prayers', { person_name: 'x', category_id: category }],
        ['POST', '/rest/v1/rpc/reorder_categories', { category_ids: [category] }],
        ['GET', `/rest/v1/prayer_updates?id=eq.${update}`, undefined],
        ['PATCH', `/rest/v1/prayer_updates?id=eq.${update}`, { body: 'x' }],
        ['DELETE', `/rest/v1/prayer_updates?id=eq.${update}`, undefined],
        ['POST', '/rest/v1/prayer_updates', { body: 'x', prayer_id: prayer }],
        ['POST', '/rest/v1/rpc/mark_prayed', { prayer_ids: [prayer], prayed_on: '2026-01-03' }],
        ['POST', '/rest/v1/rpc/unmark_prayed', { prayer_ids: [prayer], prayed_on: '2026-01-02' }],
        ['POST', '/rest/v1/rpc/prayed_months', { prayer_id: prayer }],
        ['POST', '/rest/v1/rpc/undo_reopen_prayer', { prayer_id: prayer, update_id: update }],
      ] as const
    const responsesFor = async (category: string, prayer: string, update: string) => {
      const responses: string[] = []
      for (const [method, path, body] of calls(category, prayer, update)) {
        const headers = { ...bearer(token), prefer: 'return=representation' }
        const { status, text } = await attack(world.server, { method, path, body, headers })
        const shown = [category, prayer, update].reduce((rest, id) => rest.replaceAll(id, 'ID'), text)
        responses.push(`${String(status)} ${shown.replaceAll(user.id, 'ME')}`)
      }
      return responses
    }
    const { categoryId, prayerId, updateId } = world.ben
    expect(await responsesFor(categoryId, prayerId, updateId)).toEqual(
      await responsesFor(unused, unused, unused),
    )
  })

  it('is random', async () => {
    const { rows } = await world.server.database.pool.query<{ id: string }>(
      `insert into public.categories (user_id, name, "order") select $1, 'x', 1 from generate_series(1, 200) returning id`,
      [world.anna.id],
    )
    for (const { id } of rows)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(rows.map(({ id }) => id.slice(0, 8))).size).toBeGreaterThan(195)
  })
})
