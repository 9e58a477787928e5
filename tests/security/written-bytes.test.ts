import { beforeEach, describe, expect, it } from 'vitest'
import { useSurroundings } from '#tests/support/shared-server.ts'
import { attack, bearer } from './attack.ts'
import { useTwoUsers } from './two-users.ts'

const LIMIT = 200_000_000

const around = useSurroundings()
const world = useTwoUsers(() => ({ config: around.config }))

const pool = () => world.server.database.pool

/** Sets how much Anna may still write in this hour. */
async function leave(bytes: number): Promise<void> {
  await pool().query(
    'update private.account_usage set written_bytes = $1, written_since = now() where user_id = $2',
    [LIMIT - bytes, world.anna.id],
  )
}

async function writtenBytes(): Promise<number> {
  const { rows } = await pool().query<{ bytes: string }>(
    'select written_bytes as bytes from private.account_usage where user_id = $1',
    [world.anna.id],
  )
  return Number(rows[0]?.bytes)
}

const write = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  attack(world.server, {
    method,
    path: `/rest/v1/${path}`,
    body,
    headers: { ...bearer(world.anna.session.access_token), ...headers },
  })

/** Fails after its rows were written: there is not exactly one. */
const SINGLE = { accept: 'application/vnd.pgrst.object+json', prefer: 'return=representation' }

const TIME = '2026-03-01T00:00:00Z'
/** The category is added, and the second one fails. */
const IMPORT = {
  categories: ['Friends', ''].map((name, index) => ({
    id: `00000000-0000-4000-8000-00000000000${String(index)}`,
    name,
    order: 1,
    is_visible: true,
    created_at: TIME,
    updated_at: TIME,
    rev: 1,
  })),
  prayers: [],
}

/** Requests that an attacker can repeat for ever, and their status when they are not limited. */
const LOOPS: readonly [name: string, status: number, send: () => ReturnType<typeof write>][] = [
  ['rewriting rows', 204, () => write('PATCH', 'categories?rev=gt.0', { name: 'Church' })],
  ['rewriting rows in vain', 406, () => write('PATCH', 'categories?rev=gt.0', { name: 'Church' }, SINGLE)],
  [
    'adding rows in vain',
    400,
    () =>
      write('POST', 'categories?columns=name,order', [
        { name: 'A', order: 1 },
        { name: '', order: 1 },
      ]),
  ],
  ['deleting rows in vain', 409, () => write('DELETE', 'categories?rev=gt.0')],
  ['importing in vain', 400, () => write('POST', 'rpc/import_prayers', { data: IMPORT, preview: false })],
]

beforeEach(async () => {
  await pool().query(
    `insert into public.categories (user_id, name, "order") select $1, 'C', 2
     where (select count(*) from public.categories where user_id = $1) < 2`,
    [world.anna.id],
  )
})

describe.each(LOOPS)('%s', (_name, status, send) => {
  it('ends with 429 and the time to wait, and does not concern another user', async () => {
    await leave(1)
    expect((await send()).status).toBe(status)
    const written = await writtenBytes()
    expect(written).toBeGreaterThan(LIMIT)

    const { status: limited, headers, text } = await send()
    expect(limited).toBe(429)
    expect(JSON.parse(text)).toEqual({
      code: 'PT429',
      details: null,
      hint: null,
      message: expect.stringMatching(
        /^Your account has changed too much within an hour\. Try again in \d+ minutes\.$/,
      ),
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(await writtenBytes()).toBe(written)

    const ofBen = await attack(world.server, {
      method: 'PATCH',
      path: '/rest/v1/prayers?rev=gt.0',
      body: { resolved: true },
      headers: bearer(world.ben.session.access_token),
    })
    expect(ofBen.status).toBe(204)
  })
})

it('an insert that fails, and would have merged its rows into others, is counted as all rows of the account', async () => {
  const { id, categoryId } = world.anna
  const { rows } = await pool().query<object>(
    `insert into public.prayers (user_id, category_id, person_name, resolved, answer)
     select $1, $2, 'Ruth', true, repeat('x', 10000) from generate_series(1, 9)
     returning id, category_id, person_name, false as resolved`,
    [id, categoryId],
  )
  await leave(LIMIT)
  const prefer = `resolution=merge-duplicates,${SINGLE.prefer}`
  expect((await write('POST', 'prayers', rows, { ...SINGLE, prefer })).status).toBe(406)
  // Each answer has become an update.
  expect(await writtenBytes()).toBeGreaterThan(9 * 10_000)
})

describe('a change of one row that fails', () => {
  it('is not counted as all rows of the account', async () => {
    await leave(LIMIT)
    const { rows } = await pool().query<{ id: string }>(
      'select id from public.categories where user_id = $1 limit 1',
      [world.anna.id],
    )
    const path = `categories?id=eq.${rows[0]?.id ?? ''}&rev=gt.0`
    expect((await write('PATCH', path, { name: '' })).status).toBe(400)
    const written = await writtenBytes()
    // At least what the largest row takes.
    expect(written).toBeGreaterThan(60_000)
    expect(written).toBeLessThan(70_000)
  })

  it('is not counted at all if it has only waited for the changes of another device', async () => {
    await leave(LIMIT)
    await pool().query(`
      create function public.fail() returns trigger language plpgsql
        as 'begin raise exception ''canceling statement due to lock timeout'' using errcode = ''55P03''; end';
      create trigger a_lock before update on public.categories execute function public.fail()`)
    try {
      expect((await write('PATCH', 'categories?rev=gt.0', { name: 'Church' })).status).toBe(503)
    } finally {
      await pool().query('drop function public.fail() cascade')
    }
    expect(await writtenBytes()).toBe(0)
  })
})
