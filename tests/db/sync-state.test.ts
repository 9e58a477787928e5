import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '#server/db/request-scope.ts'
import { waitForLocks } from '#tests/support/database.ts'
import { ANNA, asAnna, asBen, BEN } from '#tests/support/users.ts'
import { createAccounts, FAMILY, UNKNOWN } from './accounts.ts'

const accounts = createAccounts()
const { asOwner, inTransaction, run } = accounts

interface SyncState {
  rev: number
  floor: number
  epoch: string
}

async function stateOf(caller: Caller): Promise<SyncState | undefined> {
  const [state] = await run<{ state: SyncState }>(
    caller,
    `select json_build_object('rev', rev, 'floor', floor, 'epoch', epoch) as state from public.sync_state`,
  )
  return state?.state
}

const revOf = async (caller: Caller) => (await stateOf(caller))?.rev ?? 0

/** The numbers of the caller's categories and prayers, by their names. */
async function stamps(caller: Caller): Promise<Record<string, number>> {
  const rows = await run<{ name: string; rev: number }>(
    caller,
    `select name, rev::integer from public.categories union all select person_name, rev::integer from public.prayers`,
  )
  return Object.fromEntries(rows.map(({ name, rev }) => [name, rev]))
}

async function addFamily(): Promise<void> {
  await run(asAnna, `insert into public.categories (id, name, "order") values ($1, 'Family', 1)`, [FAMILY])
}

const addPrayer = (name: string) =>
  run(asAnna, 'insert into public.prayers (category_id, person_name) values ($1, $2)', [FAMILY, name])

describe('the sync state', () => {
  it('begins with the first write of a user, and is separate for each user', async () => {
    expect(await stateOf(asAnna)).toBeUndefined()
    await addFamily()
    expect(await stateOf(asAnna)).toEqual({
      rev: 1,
      floor: 0,
      epoch: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(await stateOf(asBen)).toBeUndefined()
  })

  it('counts transactions, however many rows and statements they have', async () => {
    await inTransaction(asAnna, async (client) => {
      await client.query(`insert into public.categories (id, name, "order") values ($1, 'Family', 1)`, [
        FAMILY,
      ])
      await client.query(
        `insert into public.prayers (category_id, person_name) select $1, name from unnest(array['Ruth', 'Boaz']) name`,
        [FAMILY],
      )
      await client.query(`update public.prayers set resolved = true where person_name = 'Boaz'`)
    })
    expect(await stamps(asAnna)).toEqual({ Family: 1, Ruth: 1, Boaz: 1 })
    await addPrayer('Naomi')
    expect(await stamps(asAnna)).toEqual({ Family: 1, Ruth: 1, Boaz: 1, Naomi: 2 })
    expect(await revOf(asAnna)).toBe(2)
  })

  it('keeps its epoch', async () => {
    await addFamily()
    const before = await stateOf(asAnna)
    await addPrayer('Ruth')
    expect(await stateOf(asAnna)).toEqual({ ...before, rev: 2 })
  })
})

describe('after a restore', () => {
  const restored = () => asOwner('select private.start_new_epoch()')
  const restoresOf = (caller: Caller) =>
    accounts.valueOf<unknown>(caller, 'select restores as value from public.sync_state')

  it('each user’s state has a new epoch, and the last number that was in the backup', async () => {
    await addFamily()
    await run(asBen, `insert into public.categories (name, "order") values ('B', 1)`)
    await addPrayer('Ruth')
    const before = await stateOf(asAnna)
    await restored()
    const after = await stateOf(asAnna)
    expect(after?.epoch).not.toBe(before?.epoch)
    expect(await restoresOf(asAnna)).toEqual([{ epoch: before?.epoch, rev: 2 }])
    expect(await restoresOf(asBen)).toMatchObject([{ rev: 1 }])
    await addPrayer('Boaz')
    expect(await revOf(asAnna)).toBe((after?.rev ?? 0) + 1)
  })

  it('devices that were away for several restores find the one that ended their epoch', async () => {
    await addFamily()
    const first = await stateOf(asAnna)
    await restored()
    await addPrayer('Ruth')
    const second = await stateOf(asAnna)
    await restored()
    expect(await restoresOf(asAnna)).toEqual([
      { epoch: first?.epoch, rev: 1 },
      { epoch: second?.epoch, rev: second?.rev },
    ])
    expect(await revOf(asAnna)).toBeGreaterThan(second?.rev ?? Infinity)
  })

  it('numbers are higher than after an earlier restore of the same backup', async () => {
    await addFamily()
    const revs: number[] = []
    for (let turn = 0; turn < 2; turn += 1) {
      await asOwner('update public.sync_state set rev = 1')
      // Numbers go up with every millisecond. A restore takes longer than that, but this doesn't.
      await asOwner('select pg_sleep(0.001)')
      await restored()
      revs.push(await revOf(asAnna))
    }
    const [first = Infinity, second = 0] = revs
    expect(second).toBeGreaterThan(first)
    expect(second).toBeLessThan(Number.MAX_SAFE_INTEGER / 1000)
  })
})

describe('a request that names an epoch', () => {
  const naming = (epoch: string): Caller => ({
    ...asAnna,
    request: {
      method: 'PATCH',
      path: '/prayers',
      headers: JSON.stringify({ prefer: `return=minimal, epoch=${epoch}` }),
    },
  })
  const current = async () => (await stateOf(asAnna))?.epoch ?? ''
  const OTHER = { code: 'PT412' }

  it.each([
    ['a statement', `update public.categories set name = 'Other'`],
    ['a function', `select public.mark_prayed(array[gen_random_uuid()], '2026-01-01')`],
    [
      'a function that reads first',
      `select public.reopen_prayer(gen_random_uuid(), gen_random_uuid(), now())`,
    ],
  ])('changes nothing by %s if it is another one than the server’s', async (_what, statement) => {
    await addFamily()
    const before = await current()
    await run(naming(before), statement)
    await asOwner('select private.start_new_epoch()')
    const { rev } = (await stateOf(asAnna)) ?? {}
    await expect(run(naming(before), statement)).rejects.toMatchObject(OTHER)
    expect(await revOf(asAnna)).toBe(rev)
    await run(naming(await current()), statement)
  })

  it('does not begin the first one', async () => {
    const first = `insert into public.categories (name, "order") values ('Family', 1)`
    await expect(run(naming(UNKNOWN), first)).rejects.toMatchObject(OTHER)
    await expect(run(naming('nonsense'), first)).rejects.toMatchObject(OTHER)
    expect(await stateOf(asAnna)).toBeUndefined()
  })

  it('reads nevertheless', async () => {
    await addFamily()
    expect(await stateOf(naming(UNKNOWN))).toMatchObject({ rev: 1 })
  })
})

describe('what was last written of a prayer', () => {
  const written = () =>
    accounts.valueOf<number>(asAnna, 'select written_rev::integer as value from public.prayers')

  beforeEach(async () => {
    await addFamily()
    await addPrayer('Ruth')
  })

  it('is numbered, whatever a client sends', async () => {
    expect(await written()).toBe(2)
    await run(asAnna, `update public.prayers set note = 'Exam', written_rev = 999`)
    expect(await written()).toBe(3)
    await run(asAnna, `update public.prayers set written_rev = 999`)
    expect(await written()).toBe(3)
  })

  it.each([
    ['a prayed day', `select public.mark_prayed(array[id], '2026-01-01') from public.prayers`],
    [
      'an update',
      `insert into public.prayer_updates (prayer_id, body) select id, 'Thanks' from public.prayers`,
    ],
    ['the same values', `update public.prayers set note = note`],
  ])('stays what it was after %s, also if it was not known', async (_what, statement) => {
    await run(asAnna, statement)
    expect(await written()).toBe(2)
    await asOwner('alter table public.prayers disable trigger user')
    await asOwner('update public.prayers set written_rev = null, rev = 2')
    await asOwner('alter table public.prayers enable trigger user')
    await run(asAnna, statement.replace('2026-01-01', '2026-01-02'))
    expect(await written()).toBe(2)
  })
})

describe('a row is stamped', () => {
  it('when it changes, even to the same values, and only then', async () => {
    await addFamily()
    await addPrayer('Ruth')
    await addPrayer('Boaz')
    await run(asAnna, `update public.prayers set note = note where person_name = 'Ruth'`)
    expect(await stamps(asAnna)).toEqual({ Family: 1, Ruth: 4, Boaz: 3 })
  })

  it.each([
    ['an insert', `insert into public.prayers (category_id, person_name, rev) values ($1, 'Boaz', 999)`],
    ['an update', `update public.prayers set rev = 999, person_name = 'Boaz' where category_id = $1`],
    [
      'an upsert',
      `insert into public.prayers (id, category_id, person_name, rev)
       select id, $1, 'Boaz', -1 from public.prayers
       on conflict (id) do update set rev = excluded.rev, person_name = excluded.person_name`,
    ],
  ])('by the database alone, whatever %s sends', async (_kind, text) => {
    await addFamily()
    await addPrayer('Ruth')
    await run(asAnna, text, [FAMILY])
    expect(await stamps(asAnna)).toMatchObject({ Boaz: 3 })
  })

  it('in an administrator’s write for the user who owns it', async () => {
    await asOwner(
      `insert into public.categories (user_id, name, "order") values ($1, 'A', 1), ($2, 'B', 1), ($1, 'C', 2)`,
      [ANNA, BEN],
    )
    await asOwner('update public.categories set is_visible = false')
    expect(await stamps(asAnna)).toEqual({ A: 2, C: 2 })
    expect(await stamps(asBen)).toEqual({ B: 2 })
  })
})

describe('an attempt to write for another user', () => {
  it('does not touch that user’s state, and does not reveal whether the account exists', async () => {
    await addFamily()
    for (const owner of [ANNA, UNKNOWN]) {
      const insert = run(
        asBen,
        `insert into public.categories (user_id, name, "order") values ($1, 'x', 1)`,
        [owner],
      )
      await expect(insert).rejects.toMatchObject({ code: '42501' })
    }
    expect(await revOf(asAnna)).toBe(1)
  })
})

describe('times of creation', () => {
  it.each(['categories', 'prayers'])('in the future are capped when a row is added to %s', async (table) => {
    await addFamily()
    const text =
      table === 'categories'
        ? `insert into public.categories (name, "order", created_at) values ('x', 2, $1)`
        : `insert into public.prayers (category_id, person_name, created_at) values ('${FAMILY}', 'x', $1)`
    for (const [given, capped] of [
      ['2999-01-01', true],
      ['infinity', true],
      ['2001-02-03T04:05:06.789012Z', false],
    ]) {
      const [row] = await run(
        asAnna,
        `${text} returning created_at = now() as capped, created_at = $1 as kept`,
        [String(given)],
      )
      expect(row).toEqual({ capped, kept: !capped })
    }
  })
})

it('ids cannot be changed, because devices refer to rows by them', async () => {
  await addFamily()
  const change = run(asAnna, 'update public.categories set id = $1', [UNKNOWN])
  await expect(change).rejects.toMatchObject({ code: '42501', message: 'id of a row cannot be changed' })
})

describe('concurrent transactions of one user', () => {
  it('get their numbers in the order in which they commit', async () => {
    await addFamily()
    let second: Promise<unknown> = Promise.resolve()
    await inTransaction(asAnna, async (client) => {
      await client.query(`insert into public.prayers (category_id, person_name) values ($1, 'first')`, [
        FAMILY,
      ])
      second = addPrayer('second')
      await waitForLocks(accounts.database.pool, 1)
      expect([await revOf(asAnna), await stamps(asAnna)]).toEqual([1, { Family: 1 }])
    })
    await second
    expect(await stamps(asAnna)).toEqual({ Family: 1, first: 2, second: 3 })
  })

  it('leave no gap when one is rolled back', async () => {
    await addFamily()
    let second: Promise<unknown> = Promise.resolve()
    await inTransaction(
      asAnna,
      async (client) => {
        await client.query(`insert into public.prayers (category_id, person_name) values ($1, 'x')`, [FAMILY])
        second = addPrayer('second')
        await waitForLocks(accounts.database.pool, 1)
      },
      'rollback',
    )
    await second
    expect(await stamps(asAnna)).toEqual({ Family: 1, second: 2 })
  })

  it('do not wait for those of another user', async () => {
    await inTransaction(asAnna, async (client) => {
      await client.query(`insert into public.categories (name, "order") values ('x', 1)`)
      await run(asBen, `insert into public.categories (name, "order") values ('y', 1)`)
      expect(await stamps(asBen)).toEqual({ y: 1 })
    })
  })

  it('create the first state together', async () => {
    const insert = `insert into public.categories (name, "order") values ('x', 1)`
    await Promise.all(Array.from({ length: 6 }, () => run(asAnna, insert)))
    expect(await revOf(asAnna)).toBe(6)
  })

  it('never deadlock, whatever they change', async () => {
    const ids = Array.from({ length: 12 }, () => randomUUID())
    await run(
      asAnna,
      `insert into public.categories (id, name, "order") select id, 'x', 1 from unnest($1::uuid[]) id`,
      [ids],
    )
    const attempts = ids.flatMap((id, index) => [
      run(asAnna, `insert into public.prayers (category_id, person_name) values ($1, 'x')`, [id]),
      run(asAnna, 'delete from public.categories where id = $1', [id]),
      run(asAnna, 'select public.reorder_categories($1)', [[...ids.slice(index), ...ids.slice(0, index)]]),
      run(asAnna, `update public.categories set name = 'y' where id = $1`, [id]),
      run(asAnna, 'update public.prayers set resolved = not resolved'),
      run(asAnna, 'delete from public.prayers where category_id = $1', [id]),
    ])
    const errors = (await Promise.allSettled(attempts)).flatMap((outcome): unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    )
    for (const error of errors) expect(error).toMatchObject({ code: expect.stringMatching(/^23(503|001)$/) })
  })
})

/** A device's copy of the categories: their names by id, as of a number. */
class Copy {
  cursor = 0
  readonly names = new Map<string, string>()

  /** Fetches what has changed, in pages of three rows. */
  async pull(): Promise<void> {
    const head = await revOf(asAnna)
    let [rev, id] = [this.cursor, 'ffffffff-ffff-ffff-ffff-ffffffffffff']
    for (;;) {
      const page = await run<{ id: string; name: string; rev: number }>(
        asAnna,
        `select id, name, rev::integer from public.categories
         where (rev, id) > ($1, $2) and rev <= $3 order by rev, id limit 3`,
        [rev, id, head],
      )
      for (const row of page) this.names.set(row.id, row.name)
      const last = page.at(-1)
      if (last === undefined) break
      ;({ rev, id } = last)
    }
    const deleted = await run<{ id: string }>(
      asAnna,
      'select row_id as id from public.deletions where rev > $1 and rev <= $2',
      [this.cursor, head],
    )
    for (const row of deleted) this.names.delete(row.id)
    this.cursor = head
  }
}

it('a device that fetches changes by number never misses one, while others write', async () => {
  const copy = new Copy()
  const devices = [0, 1, 2].map(async (device) => {
    for (let turn = 0; turn < 25; turn += 1) {
      const id = randomUUID()
      await run(asAnna, `insert into public.categories (id, name, "order") values ($1, 'new', 1)`, [id])
      await run(asAnna, `update public.categories set name = $2 where id = $1`, [
        id,
        `${String(device)} ${String(turn)}`,
      ])
      if (turn % 3 === 0) await run(asAnna, 'delete from public.categories where id = $1', [id])
    }
  })
  let done = false
  const writing = Promise.all(devices).then(() => {
    done = true
  })
  for (let turn = 0; turn < 10_000 && !done; turn += 1) await copy.pull()
  await writing
  await copy.pull()
  const rows = await run<{ id: string; name: string }>(asAnna, 'select id, name from public.categories')
  expect(copy.names).toEqual(new Map(rows.map(({ id, name }) => [id, name])))
  expect(copy.cursor).toBe(3 * (25 + 25 + 9))
})
