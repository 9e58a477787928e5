import { afterEach, expect, it } from 'vitest'
import { attack, bearer } from './attack.ts'
import { useTwoUsers } from './two-users.ts'

/** Of the rows that a request returns, as JSON, with 1 KiB for each that is not counted. */
const RESULT_MAX_BYTES = 17 * 1024 * 1024

const world = useTwoUsers()

afterEach(() => world.server.database.pool.query('delete from public.prayers'))

async function addPrayers(count: number, note: string): Promise<void> {
  await world.server.database.pool.query(
    `insert into public.prayers (user_id, category_id, person_name, note)
     select $1, $2, 'x', $3 from generate_series(1, $4)`,
    [world.anna.id, world.anna.categoryId, note, count],
  )
}

function rest(method: string, path: string, body?: object, prefer = 'return=representation') {
  return attack(world.server, {
    method,
    path: `/rest/v1/${path}`,
    body,
    headers: { ...bearer(world.anna.session.access_token), ...(method === 'GET' ? {} : { prefer }) },
  })
}

const tooLarge = {
  status: 400,
  text: JSON.stringify({
    code: '54000',
    details: null,
    hint: 'Request fewer rows or columns.',
    message: 'The result is larger than 16 MiB',
  }),
}

it('a full list of one account is returned', async () => {
  // Each control character takes six bytes of the account's 10 MiB, and of a list.
  await addPrayers(1000, '\u0001'.repeat(1745))
  const { status, text } = await rest('GET', 'prayers?limit=1000')
  expect(status).toBe(200)
  expect(JSON.parse(text)).toHaveLength(1000)
  expect(text.length).toBeGreaterThan(10 * 1024 * 1024)
})

it('a full list of one account is returned, also of sealed texts, which take a third more', async () => {
  // Notes and answers of at least 5,216 bytes each: almost 10 MiB.
  await world.server.database.pool.query(`
    update public.encryption_keys set state = 'on';
    insert into public.prayers (user_id, category_id, person_name, resolved, note, answer)
    select c.user_id, c.id, sealed.short, true, sealed.long, sealed.long
    from public.categories c, generate_series(1, 1000), (
      select start || repeat('A', 80) as short, start || repeat('A', 7035) as long
      from (values ('enc1.0123456789ABCDEF.')) as given (start)
    ) as sealed
    where c.user_id = '${world.anna.id}';
    update public.encryption_keys set state = 'off'`)
  const { status, text } = await rest('GET', 'prayers?limit=1000')
  expect(status).toBe(200)
  expect(JSON.parse(text)).toHaveLength(1000)
  expect(text.length).toBeGreaterThan(13.5 * 1024 * 1024)
})

it('a column that is requested many times is returned once', async () => {
  await addPrayers(35, 'x'.repeat(1000))
  const once = (await rest('GET', 'prayers?select=note,id')).text
  const repeated = `select=note${',id,note'.repeat(800)}`
  expect((await rest('GET', `prayers?${repeated}`)).text).toHaveLength(once.length)
  const written = await rest('PATCH', `prayers?id=not.is.null&${repeated}`, { resolved: true })
  expect(written.text).toHaveLength(once.length)
  const all = await rest('GET', `prayers?select=*${',*'.repeat(1600)}`)
  expect(all.text).toHaveLength((await rest('GET', 'prayers')).text.length)
})

it('a result that is too large is rejected, and a change that would return it is undone', async () => {
  // No account can hold as much as the limit, so the texts are in a table of their own.
  await world.server.database.pool.query(`
    create table public.texts (id int, body text);
    grant select, update, delete on public.texts to authenticated;
    insert into public.texts select id, repeat('x', 500000) from generate_series(1, 35) as id`)
  world.server.clock.advance(1)
  expect(await rest('GET', 'texts?order=id')).toMatchObject(tooLarge)
  expect((await rest('GET', 'texts?limit=30')).text.length).toBeLessThan(RESULT_MAX_BYTES)
  expect(await rest('PATCH', 'texts?id=not.is.null', { id: 0 })).toMatchObject(tooLarge)
  expect(await rest('DELETE', 'texts?id=not.is.null')).toMatchObject(tooLarge)
  expect(JSON.parse((await rest('GET', 'texts?id=gt.0&select=id')).text)).toHaveLength(35)
})
