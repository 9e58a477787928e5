import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, claimsOf, refresh, sessionOf, signUp, textMember } from '#tests/contract/auth/auth-client.ts'
import { attack, bearer } from './attack.ts'
import { startWithTwoUsers, type TwoUsers } from './two-users.ts'

let world: TwoUsers

beforeAll(async () => {
  world = await startWithTwoUsers()
})

afterAll(() => world.close())

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
const ACCOUNT_OF = `
  select id, aud, role, instance_id, is_super_admin, is_anonymous, is_sso_user, banned_until, deleted_at,
         created_at, raw_app_meta_data, confirmation_token, recovery_token
  from auth.users where id = $1`

async function accountOf(id: string): Promise<unknown> {
  return (await world.server.database.pool.query(ACCOUNT_OF, [id])).rows[0]
}

const ORDINARY = {
  aud: 'authenticated',
  role: 'authenticated',
  banned_until: null,
  deleted_at: null,
  raw_app_meta_data: { provider: 'email', providers: ['email'] },
}

describe('signing up', () => {
  it.each(Object.keys(FORBIDDEN))('with %s creates an ordinary account', async (name) => {
    const email = `with-${name.replaceAll('_', '-')}@example.org`
    const body = `{"email":"${email}","password":"a quiet hour",${JSON.stringify(name)}:${JSON.stringify(FORBIDDEN[name] ?? null)}}`
    const session = sessionOf(await call(world.server, 'POST', '/signup', { text: body }))
    expect(await accountOf(session.user.id)).toMatchObject(ORDINARY)
    expect(session.user.id).not.toBe(FORBIDDEN['id'])
    expect(claimsOf(session.access_token)).toMatchObject({
      sub: session.user.id,
      role: 'authenticated',
      aud: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password' }],
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
    })
  })

  it('with all of them as user metadata stores them where they grant nothing', async () => {
    const session = sessionOf(
      await call(world.server, 'POST', '/signup', {
        body: { email: 'all@example.org', password: 'a quiet hour', data: FORBIDDEN },
      }),
    )
    expect(await accountOf(session.user.id)).toMatchObject(ORDINARY)
    expect(claimsOf(session.access_token)).toMatchObject({
      role: 'authenticated',
      sub: session.user.id,
      aal: 'aal1',
    })
    const rows = await attack(world.server, {
      method: 'GET',
      path: '/rest/v1/prayers?select=*',
      headers: bearer(session.access_token),
    })
    expect([rows.status, rows.text]).toEqual([200, '[]'])
  })
})

describe("updating one's own account", () => {
  it.each(Object.keys(FORBIDDEN))('with %s changes no protected property', async (name) => {
    const { access_token: token } = world.anna.session
    const before = await accountOf(world.anna.id)
    const body = { [name]: FORBIDDEN[name] ?? null, data: { note: name } }
    const response = await call(world.server, 'PUT', '/user', { body, token })
    expect(response.status).toBe(200)
    expect(await accountOf(world.anna.id)).toEqual(before)
  })

  it.each(['app_metadata', 'email', 'phone'])('with %s is rejected', async (name) => {
    const { access_token: token } = world.anna.session
    const before = await accountOf(world.anna.id)
    const value = name === 'app_metadata' ? { role: 'admin' } : 'other@example.org'
    const response = await call(world.server, 'PUT', '/user', { body: { [name]: value }, token })
    expect([400, 403]).toContain(response.status)
    expect(await accountOf(world.anna.id)).toEqual(before)
  })

  it('with __proto__ in the user metadata reaches no prototype', async () => {
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
    const { access_token: token, refresh_token: refreshToken } = await signUp(
      world.server,
      'large@example.org',
    )
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
    const { access_token: token } = await signUp(world.server, 'guesser@example.org')
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
      ] as const
    const responsesFor = async (category: string, prayer: string, update: string) => {
      const responses: string[] = []
      for (const [method, path, body] of calls(category, prayer, update)) {
        const headers = { ...bearer(token), prefer: 'return=representation' }
        const { status, text } = await attack(world.server, { method, path, body, headers })
        const own = await world.server.database.pool.query('select id from auth.users where email = $1', [
          'guesser@example.org',
        ])
        responses.push(
          `${String(status)} ${text.replaceAll(category, 'ID').replaceAll(prayer, 'ID').replaceAll(String(own.rows[0].id), 'ME')}`,
        )
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
