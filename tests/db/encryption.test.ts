import { randomBytes } from 'node:crypto'
import { DatabaseError } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '#server/db/request-scope.ts'
import { waitForLocks } from '#tests/support/database.ts'
import { ANNA, asAnna, asBen, BEN } from '#tests/support/users.ts'
import { BOAZ, createAccounts, FAMILY, RUTH, UNKNOWN } from './accounts.ts'

const accounts = createAccounts({ prayers: true })
const { asOwner, inTransaction, run, valueOf } = accounts

const KEY = '0123456789ABCDEF'
const NEW_KEY = 'GHJKMNPQRSTVWXYZ'
const PROOF = 'p'.repeat(43)
const UPDATE = '00000000-0000-4000-8000-0000000000c1'

const signedIn = (id: string, secondsAgo = 0): Caller => {
  const amr = [{ method: 'password', timestamp: Math.floor(Date.now() / 1000) - secondsAgo }]
  return { role: 'authenticated', claims: JSON.stringify({ sub: id, role: 'authenticated', amr }) }
}

/** As a device does it, as far as the database can see: a padded text between 12 and 16 bytes. */
function seal(text: string, key = KEY): string {
  const length = Buffer.byteLength(text)
  const padded = Buffer.alloc((Math.floor(length / 32) + 1) * 32, 1)
  return `enc1.${key}.${Buffer.concat([randomBytes(12), padded, randomBytes(16)]).toString('base64url')}`
}

const step = (state: string, counter: number, key = KEY, caller = signedIn(ANNA), proof = PROOF) =>
  run(caller, 'select public.set_encryption_key($1, $2, $3, $4)', [key, state, counter, proof])

const states = async () =>
  Object.fromEntries(
    (
      await asOwner<{ id: string; state: string }>('select key_id as id, state from public.encryption_keys')
    ).map(({ id, state }) => [id, state]),
  )

const syncKey = () => valueOf<string>(asAnna, 'select key as value from public.sync_state')

interface Texts {
  table: string
  id: string
  rev: number
  [column: string]: unknown
}

/** All rows of Anna with their texts, as a device sends them to replace the texts. */
const texts = async (): Promise<readonly Texts[]> =>
  (
    await run<{ row: Texts }>(
      asAnna,
      `select json_build_object('table', 'categories', 'id', id, 'rev', rev, 'name', name) as row from public.categories
       union all
       select json_build_object('table', 'prayers', 'id', id, 'rev', rev, 'person_name', person_name, 'note', note, 'answer', answer)
       from public.prayers
       union all
       select json_build_object('table', 'prayer_updates', 'id', id, 'rev', rev, 'body', body) from public.prayer_updates`,
    )
  )
    .map(({ row }) => row)
    .toSorted((a, b) => a.id.localeCompare(b.id))

const TEXT_COLUMNS = new Set(['name', 'person_name', 'note', 'answer', 'body'])

/** Gives all texts another form. */
const changed = (rows: readonly Texts[], change: (text: string) => string) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        TEXT_COLUMNS.has(name) && typeof value === 'string' ? change(value) : value,
      ]),
    ),
  )

interface Replaced {
  rev: number
  replaced: readonly string[]
  skipped: readonly string[]
}

const replace = (rows: readonly object[], caller = asAnna) =>
  valueOf<Replaced>(caller, 'select public.replace_texts($1) as value', [JSON.stringify(rows)])

const sealAll = async (key = KEY) => replace(changed(await texts(), () => seal('a text', key)))

async function turnOn(): Promise<void> {
  await step('encrypting', 1)
  await sealAll()
  await step('on', 2)
}

const changeNote = (note: string, caller = asAnna) =>
  run(caller, `update public.prayers set note = $1 where id = '${RUTH}'`, [note])

/** The code and the detail of the error of a statement. */
const errorOf = async (statement: Promise<unknown>) => {
  const error: unknown = await statement.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof DatabaseError ? { code: error.code, detail: error.detail } : error
}

const CHANGED_ELSEWHERE = { code: 'IC002' }

describe('a key', () => {
  it('is turned on and off again once all texts are replaced', async () => {
    await step('encrypting', 1)
    expect(await syncKey()).toBe(`${KEY}.1`)
    expect(await errorOf(step('on', 2))).toEqual({ code: 'IC003', detail: '3' })
    await sealAll()
    await step('on', 2)
    await step('decrypting', 3)
    expect(await syncKey()).toBe(`${KEY}.3`)
    expect(await errorOf(step('off', 4))).toEqual({ code: 'IC003', detail: '3' })
    await replace(changed(await texts(), () => 'a text'))
    await step('off', 4)
    expect(await states()).toEqual({ [KEY]: 'off' })
    expect(await syncKey()).toBe('none.4')
  })

  it('is changed while the old one stays on, until nothing is sealed with the old one', async () => {
    await turnOn()
    await step('encrypting', 3, NEW_KEY)
    expect(await syncKey()).toBe(`${NEW_KEY}.3`)
    expect(await errorOf(step('replaced', 4))).toEqual({ code: 'IC003', detail: '3' })
    await sealAll(NEW_KEY)
    await expect(step('on', 4, NEW_KEY)).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await step('replaced', 4)
    await step('on', 5, NEW_KEY)
    expect(await states()).toEqual({ [KEY]: 'replaced', [NEW_KEY]: 'on' })
    expect(await syncKey()).toBe(`${NEW_KEY}.5`)
  })

  it('is encrypting again if its owner changes their mind', async () => {
    await turnOn()
    await step('decrypting', 3)
    await step('encrypting', 4, KEY, asAnna)
    await step('on', 5, KEY, asAnna)
    expect(await states()).toEqual({ [KEY]: 'on' })
  })

  const inState: Readonly<Record<string, () => Promise<unknown>>> = {
    new: async () => {},
    encrypting: () => step('encrypting', 1),
    on: turnOn,
    decrypting: async () => {
      await turnOn()
      await step('decrypting', 3)
    },
    off: async () => {
      await step('encrypting', 1)
      await step('decrypting', 2)
      await step('off', 3)
    },
    replaced: async () => {
      await turnOn()
      await step('encrypting', 3, NEW_KEY)
      await sealAll(NEW_KEY)
      await step('replaced', 4)
    },
    abandoned: async () => {
      await step('encrypting', 1)
      await abandon(2)
    },
  }
  it.each([
    ['new', ['on', 'decrypting', 'off', 'replaced', 'abandoned', 'unknown']],
    ['encrypting', ['encrypting', 'off', 'replaced', 'abandoned']],
    ['on', ['encrypting', 'on', 'off', 'replaced', 'abandoned']],
    ['decrypting', ['on', 'decrypting', 'replaced', 'abandoned']],
    ['off', ['encrypting', 'on', 'decrypting', 'off', 'replaced']],
    ['replaced', ['encrypting', 'on', 'decrypting', 'off', 'replaced']],
    ['abandoned', ['encrypting', 'on', 'decrypting', 'off', 'replaced', 'abandoned']],
  ])('that is %s does not become %j', async (state, others) => {
    await inState[state]?.()
    const before = await states()
    for (const other of others) await expect(step(other, 10), other).rejects.toMatchObject(CHANGED_ELSEWHERE)
    expect(await states()).toEqual(before)
  })

  it('is not joined by another before it is on, nor turned off while it is changed', async () => {
    await step('encrypting', 1)
    await expect(step('encrypting', 2, NEW_KEY)).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await sealAll()
    await step('on', 2)
    await step('encrypting', 3, NEW_KEY)
    for (const key of [KEY, NEW_KEY])
      await expect(step('decrypting', 4, key)).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await expect(step('encrypting', 4, 'AAAAAAAAAAAAAAAA')).rejects.toMatchObject(CHANGED_ELSEWHERE)
  })

  it('begins with a counter above those of all earlier keys, and every step has a higher one', async () => {
    await step('encrypting', 7)
    for (const counter of [6, 7])
      await expect(step('decrypting', counter)).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await step('decrypting', 9)
    await step('off', 10)
    await expect(step('encrypting', 10, NEW_KEY)).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await step('encrypting', 11, NEW_KEY)
    expect(await syncKey()).toBe(`${NEW_KEY}.11`)
  })

  it('leaves room for later steps: no counter is far above the others', async () => {
    for (const counter of [0, 1001, 2 ** 53 - 1])
      await expect(step('encrypting', counter)).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await step('encrypting', 1000)
    await expect(step('decrypting', 2001)).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await expect(abandon(2001)).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await step('decrypting', 2000)
  })

  it('is not on while a text that only begins as a sealed one is left', async () => {
    await step('encrypting', 1)
    await step('decrypting', 2)
    await changeNote(`enc1.${KEY}.plain`)
    await step('encrypting', 3)
    await replace(changed(await texts(), (text) => (text.startsWith('enc1.') ? text : seal('a text'))))
    expect(await errorOf(step('on', 4))).toEqual({ code: 'IC003', detail: '1' })
    await changeNote(seal('a text'))
    await step('on', 4)
  })

  it('takes the same step again as done', async () => {
    await step('encrypting', 1)
    await step('encrypting', 1, KEY, asAnna)
    await expect(step('encrypting', 1, KEY, signedIn(ANNA), 'q'.repeat(43))).rejects.toMatchObject(
      CHANGED_ELSEWHERE,
    )
  })

  it('begins after a sign-in of the last five minutes only', async () => {
    for (const caller of [asAnna, signedIn(ANNA, 310)])
      await expect(step('encrypting', 1, KEY, caller)).rejects.toMatchObject({ code: 'PT403' })
    expect(await states()).toEqual({})
  })

  it.each([
    ['a key id with a letter that is not in the alphabet', 'ILOU456789ABCDEF', PROOF],
    ['a short key id', '0123', PROOF],
    ['a short proof', KEY, 'p'],
  ])('is refused with %s', async (_what, key, proof) => {
    await expect(step('encrypting', 1, key, signedIn(ANNA), proof)).rejects.toMatchObject({
      code: '23514',
    })
  })

  it('of two devices is that of the first, and the second is told', async () => {
    let second: Promise<unknown> = Promise.resolve()
    await inTransaction(signedIn(ANNA), async (client) => {
      await client.query('select public.set_encryption_key($1, $2, $3, $4)', [KEY, 'encrypting', 1, PROOF])
      second = errorOf(step('encrypting', 1, NEW_KEY))
      await waitForLocks(accounts.database.pool, 1)
    })
    expect(await second).toMatchObject(CHANGED_ELSEWHERE)
    expect(await states()).toEqual({ [KEY]: 'encrypting' })
  })

  it('refuses a plain text that was on its way when it began', async () => {
    let late: Promise<unknown> = Promise.resolve()
    await inTransaction(signedIn(ANNA), async (client) => {
      await client.query('select public.set_encryption_key($1, $2, $3, $4)', [KEY, 'encrypting', 1, PROOF])
      late = errorOf(changeNote('plain'))
      await waitForLocks(accounts.database.pool, 1)
    })
    expect(await late).toEqual({ code: 'IC001', detail: 'prayers.note' })
  })

  it('is limited to a hundred per account', async () => {
    await asOwner(
      `insert into public.encryption_keys
       select $1, lpad(n::text, 16, '0'), 'off', n, $2 from generate_series(1, 100) as n`,
      [ANNA, PROOF],
    )
    await expect(step('encrypting', 101)).rejects.toMatchObject({ code: 'PT413' })
  })
})

describe('texts of an account that is encrypted', () => {
  beforeEach(async () => {
    await run(asAnna, `update public.prayers set note = 'A note' where id = '${BOAZ}'`)
    await run(
      asAnna,
      `insert into public.prayer_updates (id, prayer_id, body) values ('${UPDATE}', '${RUTH}', 'Better')`,
    )
    await step('encrypting', 1)
  })

  const writes: readonly (readonly [column: string, statement: string])[] = [
    ['categories.name', `insert into public.categories (name, "order") values ($1, 2)`],
    ['categories.name', `update public.categories set name = $1`],
    ['prayers.person_name', `insert into public.prayers (category_id, person_name) values ('${FAMILY}', $1)`],
    ['prayers.person_name', `update public.prayers set person_name = $1`],
    ['prayers.note', `update public.prayers set note = $1`],
    ['prayers.answer', `update public.prayers set resolved = true, answer = $1`],
    ['prayer_updates.body', `insert into public.prayer_updates (prayer_id, body) values ('${RUTH}', $1)`],
    ['prayer_updates.body', `update public.prayer_updates set body = $1`],
    ['prayer_updates.body', `update public.prayers set resolved = false, answer = $1`],
  ]
  it.each(writes)('are accepted sealed with the current key only: %s by %s', async (detail, statement) => {
    const sealed = seal('x')
    for (const text of ['plain', 'enc1.', 'enc2.x', seal('x', NEW_KEY), sealed.slice(0, -1), `${sealed}A`])
      expect([text, await errorOf(run(asAnna, statement, [text]))]).toEqual([text, { code: 'IC001', detail }])
    await run(asAnna, statement, [sealed])
  })

  it.each([
    'update public.categories set is_visible = false, name = name',
    'update public.prayers set note = note, person_name = person_name, resolved = true',
    'update public.prayer_updates set body = body',
    'update public.prayers set note = null',
    `update public.prayers set note = ''`,
    `select public.mark_prayed('{${RUTH}}', '2026-01-01')`,
  ])('are left alone where other things are changed, and can be removed: %s', async (statement) => {
    expect(await errorOf(run(asAnna, statement))).toBeNull()
  })

  it('are refused for an administrator, too', async () => {
    expect(await errorOf(asOwner(`update public.prayers set note = 'plain'`))).toMatchObject({
      code: 'IC001',
    })
  })

  it('are those of the owner only: another account stays as it is, and learns nothing', async () => {
    await run(asBen, `insert into public.categories (name, "order") values ('Plain', 1)`)
    const add = `insert into public.categories (user_id, name, "order") values ($1, $2, 1)`
    for (const text of ['Plain', seal('x')])
      await expect(run(asBen, add, [ANNA, text])).rejects.toMatchObject({ code: '42501' })
  })

  it('move from an answer into an update and back in the form that they have', async () => {
    const answers = [seal('Yes'), 'Plain answer']
    for (const [index, answer] of answers.entries()) {
      // As before encryption was turned on.
      await asOwner('alter table public.prayers disable trigger require_sealed')
      await run(asAnna, `update public.prayers set resolved = true, answer = $1 where id = '${RUTH}'`, [
        answer,
      ])
      await asOwner('alter table public.prayers enable trigger require_sealed')
      const id = `00000000-0000-4000-8000-0000000000d${String(index)}`
      await run(asAnna, `select public.reopen_prayer('${RUTH}', $1, now())`, [id])
      await run(asAnna, `select public.undo_reopen_prayer('${RUTH}', $1)`, [id])
      await run(asAnna, `update public.prayers set resolved = false where id = '${RUTH}'`)
    }
    const moved = await run<{ body: string }>(
      asAnna,
      `select body from public.prayer_updates where id <> '${UPDATE}'`,
    )
    expect(moved.map(({ body }) => body).toSorted()).toEqual(answers.toSorted())
    // What has moved before allows nothing later.
    await inTransaction(
      asAnna,
      async (client) => {
        await client.query(`update public.prayers set resolved = true, answer = $1 where id = '${BOAZ}'`, [
          seal('x'),
        ])
        await client.query(`update public.prayers set resolved = false where id = '${BOAZ}'`)
        await expect(client.query(`update public.prayers set note = 'plain'`)).rejects.toMatchObject({
          code: 'IC001',
        })
      },
      'rollback',
    )
  })

  it.each([
    ['decrypting', () => step('decrypting', 2)],
    [
      'off',
      async () => {
        await step('decrypting', 2)
        await step('off', 3)
      },
    ],
    ['abandoned', () => abandon(2)],
  ])('are accepted in plain only when the key is %s', async (_state, turnOff) => {
    await turnOff()
    for (const [detail, statement] of writes)
      for (const key of [KEY, NEW_KEY])
        expect(await errorOf(run(asAnna, statement, [seal('x', key)]))).toEqual({ code: 'IC001', detail })
    for (const text of ['plain', 'enc1.', 'enc9.x']) await changeNote(text)
  })

  it('are texts like any others in an account that has never had a key', async () => {
    const add = `insert into public.categories (name, "order") values ($1, 1), ('plain', 2)`
    expect(await errorOf(run(asBen, add, [seal('x')]))).toBeNull()
  })
})

describe('replacing texts', () => {
  const TIMES = `select id, created_at, updated_at, null as written from public.categories
    union all select id, created_at, note_changed_at, written_rev from public.prayers
    union all select id, created_at, updated_at, null from public.prayer_updates order by id`

  it('changes texts and numbers only, in one transaction', async () => {
    await run(
      asAnna,
      `update public.prayers set resolved = true, note = 'A note', answer = 'Yes', answered_on = '2026-02-03' where id = '${BOAZ}'`,
    )
    await run(
      asAnna,
      `insert into public.prayer_updates (id, prayer_id, body) values ('${UPDATE}', '${RUTH}', 'Better')`,
    )
    await run(asAnna, `select public.mark_prayed('{${RUTH}}', '2026-01-01')`)
    await step('encrypting', 1)
    const [before, times] = [await texts(), await run(asAnna, TIMES)]
    const result = await sealAll()
    const after = await texts()
    expect(result).toEqual({
      rev: expect.any(Number),
      replaced: expect.arrayContaining([FAMILY, RUTH, BOAZ, UPDATE]),
      skipped: [],
    })
    expect(after.map(({ rev }) => rev)).toEqual(after.map(() => result.rev))
    expect(changed(after, (text) => text.slice(0, 22))).toEqual(
      changed(before, () => `enc1.${KEY}.`).map((row) => Object.assign(row, { rev: result.rev })),
    )
    expect(await run(asAnna, TIMES)).toEqual(times)
    expect(
      await run(asAnna, `select answered_on::text, times_prayed from public.prayers order by id`),
    ).toEqual([
      { answered_on: null, times_prayed: 1 },
      { answered_on: '2026-02-03', times_prayed: 0 },
    ])
  })

  it('keeps the date of a plain note that a device seals as it is, which gives no other date', async () => {
    const dates = () =>
      run(
        asAnna,
        `select note_changed_at::date::text as date, note_changed_at > now() - interval '1 hour' as is_now from public.prayers order by id`,
      )
    const unknown = { date: null, is_now: null }
    await run(
      asAnna,
      `update public.prayers set note = 'A note', note_changed_at = '2026-02-03Z' where id = '${RUTH}'`,
    )
    await step('encrypting', 1)
    await changeNote(seal('A note'))
    expect(await dates()).toEqual([{ date: '2026-02-03', is_now: false }, unknown])
    await changeNote(seal('Another note'))
    await run(asAnna, `update public.prayers set note = $1 where id = '${BOAZ}'`, [seal('The first note')])
    expect(await dates()).toMatchObject([{ is_now: true }, { is_now: true }])
  })

  it('does not change when a note was changed, in whatever form it is or is sent again', async () => {
    const changedAt = () =>
      valueOf<string | null>(
        asAnna,
        `select note_changed_at::text as value from public.prayers where id = '${RUTH}'`,
      )
    await run(asAnna, `update public.prayers set note = 'A note', note_changed_at = '2026-02-03Z'`)
    const before = await changedAt()
    await turnOn()
    await step('encrypting', 3, NEW_KEY)
    await sealAll(NEW_KEY)
    const prayer = (await texts()).find(({ id }) => id === RUTH)
    await changeNote(String(prayer?.['note']))
    expect(await changedAt()).toBe(before)
    await step('replaced', 4)
    await step('decrypting', 5, NEW_KEY)
    await replace(changed(await texts(), () => 'a text'))
    expect(await changedAt()).toBe(before)
    await changeNote('Another note')
    expect(await changedAt()).not.toBe(before)
  })

  it('skips rows that have changed, are gone, or are of another user, and leaves out texts that are not given', async () => {
    await run(asAnna, `update public.prayers set note = 'A note'`)
    await run(asBen, `insert into public.categories (id, name, "order") values ('${UNKNOWN}', 'Family', 1)`)
    await step('encrypting', 1)
    const rows = await texts()
    await changeNote(seal('Newer'))
    const missing = { table: 'prayers', id: UPDATE, rev: 1, note: seal('x') }
    const other = { table: 'categories', id: UNKNOWN, rev: 1, name: seal('x') }
    const notes = rows.map(({ table, id, rev }) => ({ table, id, rev, note: seal('A note') }))
    const { replaced, skipped } = await replace([...notes, missing, other])
    expect(replaced.toSorted()).toEqual([FAMILY, BOAZ].toSorted())
    expect(skipped.toSorted()).toEqual([RUTH, UPDATE, UNKNOWN].toSorted())
    expect(
      await run(
        asAnna,
        `select person_name, starts_with(note, 'enc1.') as sealed from public.prayers where id = '${BOAZ}'`,
      ),
    ).toEqual([{ person_name: 'Boaz', sealed: true }])
    expect(await run(asBen, 'select name from public.categories')).toEqual([{ name: 'Family' }])
  })

  it('is refused in another form than that of the key', async () => {
    await step('encrypting', 1)
    const rows = await texts()
    await expect(replace(changed(rows, () => 'x'))).rejects.toMatchObject({ code: 'IC001' })
    await expect(replace(changed(rows, () => seal('x', NEW_KEY)))).rejects.toMatchObject({ code: 'IC001' })
    expect(await texts()).toEqual(rows)
  })

  it('takes a text of the same length only', async () => {
    await step('encrypting', 1)
    const [row] = await texts()
    const sealed = (text: string) => [{ ...row, name: seal(text) }]
    await expect(replace(sealed('x'.repeat(32)))).rejects.toMatchObject({ code: '22023' })
    // The prayer has neither, and an answer would become an update of it.
    for (const missing of [{ note: seal('x') }, { answer: seal('x') }])
      await expect(
        replace([{ table: 'prayers', id: RUTH, rev: (await texts())[1]?.rev, ...missing }]),
      ).rejects.toMatchObject({ code: '22023' })
    await replace(sealed('x'.repeat(31)))
    await step('decrypting', 2)
    const [{ rev } = { rev: 0 }] = await texts()
    await expect(replace([{ ...row, rev, name: 'x'.repeat(32) }])).rejects.toMatchObject({ code: '22023' })
    await replace([{ ...row, rev, name: 'x'.repeat(31) }])
  })

  it('is refused without a key in use', async () => {
    await expect(replace([])).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await step('encrypting', 1)
    expect(await replace([])).toMatchObject({ replaced: [], skipped: [] })
    await expect(replace([], asBen)).rejects.toMatchObject(CHANGED_ELSEWHERE)
  })

  it('is limited to 500 rows and 500 kB, which is more than other changes of texts', async () => {
    const row = { table: 'prayers', id: UNKNOWN, rev: 1 }
    await step('encrypting', 1)
    expect((await replace(Array.from({ length: 500 }, () => row))).skipped).toHaveLength(500)
    await expect(replace(Array.from({ length: 501 }, () => row))).rejects.toMatchObject({ code: 'PT413' })
    await expect(replace([{ ...row, note: 'x'.repeat(500_000) }])).rejects.toMatchObject({ code: 'PT413' })

    const notes = Array.from({ length: 36 }, () => '🕊'.repeat(2500))
    await step('decrypting', 2)
    await step('off', 3)
    await run(
      asAnna,
      `insert into public.prayers (category_id, person_name, note) select '${FAMILY}', 'x', unnest($1::text[])`,
      [notes],
    )
    await step('encrypting', 4, NEW_KEY)
    const rows = (await texts()).filter(({ note }) => note !== undefined && note !== null)
    await replace(changed(rows, (text) => seal(text, NEW_KEY)))
    await expect(
      run(asAnna, `update public.prayers set note = $1 where note is not null`, [
        seal(notes[0] ?? '', NEW_KEY),
      ]),
    ).rejects.toMatchObject({ code: 'PT413' })
  })

  it('of the longest texts is possible', async () => {
    const longest = { name: '🕊'.repeat(100), person_name: '🕊'.repeat(200), text: '🕊'.repeat(10_000) }
    await run(asAnna, 'update public.categories set name = $1', [longest.name])
    await run(
      asAnna,
      `update public.prayers set person_name = $1, note = $2, resolved = true, answer = $2 where id = '${RUTH}'`,
      [longest.person_name, longest.text],
    )
    await run(asAnna, `insert into public.prayer_updates (prayer_id, body) values ('${RUTH}', $1)`, [
      longest.text,
    ])
    await step('encrypting', 1)
    await replace(changed(await texts(), (text) => seal(text)))
    await step('on', 2)
    for (const [statement, length, constraint] of [
      ['update public.categories set name = $1', 416, 'categories_name_length'],
      ['update public.prayers set person_name = $1', 832, 'prayers_person_name_length'],
      [`update public.prayers set note = $1 where id = '${RUTH}'`, 40_032, 'prayers_note_length'],
      [`update public.prayers set answer = $1 where id = '${RUTH}'`, 40_032, 'prayers_answer_length'],
      ['update public.prayer_updates set body = $1', 40_032, 'prayer_updates_body_length'],
    ] as const) {
      await run(asAnna, statement, [seal('x'.repeat(length - 1))])
      await expect(run(asAnna, statement, [seal('x'.repeat(length))])).rejects.toMatchObject({
        code: '23514',
        constraint,
      })
    }
  })
})

it('a sealed text counts as the shortest text that it can contain', async () => {
  const used = () =>
    asOwner('select text_bytes::integer as bytes from private.account_usage where user_id = $1', [ANNA])
  await changeNote('x'.repeat(32))
  await step('encrypting', 1)
  // "Family", "Ruth" and "Boaz" with quotes, and the note.
  expect(await used()).toEqual([{ bytes: 8 + 6 + 6 + 34 }])
  await replace(changed(await texts(), (text) => seal(text)))
  expect(await used()).toEqual([{ bytes: 2 + 2 + 2 + 34 }])
})

it('texts of a full account can be replaced by the plain ones, which count more', async () => {
  await turnOn()
  const limit = (megabytes: number) =>
    asOwner(`update private.account_usage set text_bytes = $1 where user_id = $2`, [
      megabytes * 1024 * 1024,
      ANNA,
    ])
  await step('decrypting', 3)
  await limit(10)
  await expect(changeNote('More')).rejects.toMatchObject({ code: 'PT413' })
  const [category, ...others] = changed(await texts(), () => 'a text')
  await replace([category ?? {}])
  await limit(14)
  await expect(replace(others)).rejects.toMatchObject({ code: 'PT413' })
})

const abandon = (counter: number, names: object = {}, key = KEY, caller = signedIn(ANNA)) =>
  run(caller, 'select public.abandon_encryption_key($1, $2, $3)', [key, counter, JSON.stringify(names)])

describe('abandoning a key', () => {
  const OTHER = '00000000-0000-4000-8000-0000000000a2'
  const NAOMI = '00000000-0000-4000-8000-0000000000a5'

  /** Boaz, his note and answer, and the update are sealed; Ruth, and her note, are not. Naomi is in a category of her own. */
  async function sealHalf(key = KEY): Promise<void> {
    await run(asAnna, `insert into public.categories (id, name, "order") values ('${OTHER}', 'Other', 2)`)
    await run(
      asAnna,
      `insert into public.prayers (id, category_id, person_name) values ('${NAOMI}', '${OTHER}', 'Naomi')`,
    )
    await run(
      asAnna,
      `insert into public.prayer_updates (id, prayer_id, body) values ('${UPDATE}', '${RUTH}', 'Better')`,
    )
    await run(
      asAnna,
      `update public.prayers set resolved = true, note = 'x', answer = 'y' where id = '${RUTH}'`,
    )
    await step('encrypting', 1, key)
    const rows = changed(await texts(), () => seal('x', key))
    for (const row of rows) if (row['id'] === RUTH) Object.assign(row, { person_name: null, note: null })
    await replace(rows)
  }

  it('deletes what it has sealed, and leaves the rest, in an account that is as if it had never had one', async () => {
    await sealHalf()
    await abandon(2)
    expect(await texts()).toEqual([
      { table: 'categories', id: FAMILY, rev: expect.any(Number), name: 'Category' },
      { table: 'prayers', id: RUTH, rev: expect.any(Number), person_name: 'Ruth', note: 'x', answer: null },
    ])
    const deleted = await run<{ id: string }>(asAnna, 'select row_id as id from public.deletions')
    expect(deleted.map(({ id }) => id)).toEqual(expect.arrayContaining([BOAZ, NAOMI, OTHER, UPDATE]))
    expect(await asOwner('select state, counter::integer, proof from public.encryption_keys')).toEqual([
      { state: 'abandoned', counter: 2, proof: null },
    ])
    expect(await syncKey()).toBe('none.2')
    await step('encrypting', 3, NEW_KEY)
  })

  it('names categories as the caller wishes, with texts that the next key has sealed', async () => {
    await sealHalf()
    await replace(
      changed(
        (await texts()).filter(({ id }) => id === RUTH),
        () => seal('x'),
      ),
    )
    await step('on', 2)
    await step('encrypting', 3, NEW_KEY)
    await replace(
      changed(
        (await texts()).filter(({ id }) => id === RUTH),
        () => seal('x', NEW_KEY),
      ),
    )
    const name = seal('Unreadable', NEW_KEY)
    expect(await errorOf(abandon(4, { [FAMILY]: 'Plain' }))).toEqual({
      code: 'IC001',
      detail: 'categories.name',
    })
    await abandon(4, { [FAMILY]: name })
    expect(await run(asAnna, 'select name from public.categories')).toEqual([{ name }])
    await step('on', 5, NEW_KEY)
  })

  it.each([
    ['the earlier one first', KEY, NEW_KEY],
    ['the later one first', NEW_KEY, KEY],
  ])('ends also where both keys in use are lost: %s', async (_order, first, last) => {
    await run(asAnna, `insert into public.categories (id, name, "order") values ('${OTHER}', 'Other', 2)`)
    await run(
      asAnna,
      `insert into public.prayers (id, category_id, person_name) values ('${NAOMI}', '${OTHER}', 'Naomi')`,
    )
    await turnOn()
    await step('encrypting', 3, NEW_KEY)
    const replaced = new Set<string>([OTHER, RUTH])
    await replace(
      changed(
        (await texts()).filter(({ id }) => replaced.has(id)),
        () => seal('a text', NEW_KEY),
      ),
    )
    // Plain texts, as in an old backup.
    await asOwner(
      `alter table public.categories disable trigger require_sealed;
       alter table public.prayers disable trigger require_sealed;
       insert into public.categories (user_id, name, "order") values ('${ANNA}', 'Friends', 3);
       update public.prayers set person_name = 'Boaz' where id = '${BOAZ}';
       alter table public.categories enable trigger require_sealed;
       alter table public.prayers enable trigger require_sealed`,
    )
    await abandon(4, {}, first)
    await abandon(5, {}, last)
    const rows = await run(
      asAnna,
      `select c.name, p.person_name from public.categories c left join public.prayers p on p.category_id = c.id order by 1`,
    )
    expect(rows).toEqual([
      { name: 'Category', person_name: 'Boaz' },
      { name: 'Friends', person_name: null },
    ])
    await step('encrypting', 6, '0'.repeat(16))
  })

  it('keeps the sealed names of categories that get no other one as long as another key is in use', async () => {
    await turnOn()
    await step('encrypting', 3, NEW_KEY)
    await replace(
      changed(
        (await texts()).filter(({ id }) => id === RUTH),
        () => seal('a text', NEW_KEY),
      ),
    )
    await abandon(4)
    expect(await texts()).toMatchObject([{ id: FAMILY, name: expect.stringContaining(KEY) }, { id: RUTH }])
    await replace([{ ...(await texts())[0], name: seal('Family', NEW_KEY) }])
    await step('on', 5, NEW_KEY)
  })

  it('needs a recent sign-in, a higher counter and a key in use, of the caller', async () => {
    await expect(abandon(1)).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await turnOn()
    await expect(abandon(3, {}, KEY, asAnna)).rejects.toMatchObject({ code: 'PT403' })
    await expect(abandon(2)).rejects.toMatchObject(CHANGED_ELSEWHERE)
    await expect(abandon(3, {}, KEY, signedIn(BEN))).rejects.toMatchObject(CHANGED_ELSEWHERE)
    expect(await texts()).toHaveLength(3)
    await abandon(3)
    expect(await texts()).toEqual([])
  })

  it('deletes more than one request may change', async () => {
    await run(
      asAnna,
      `insert into public.prayers (category_id, person_name, note) select '${FAMILY}', 'x', 'y' from generate_series(1, 600)`,
    )
    await step('encrypting', 1)
    const rows = (await texts()).filter(({ note }) => note === 'y')
    for (const part of [rows.slice(0, 300), rows.slice(300)])
      await replace(part.map(({ table, id, rev }) => ({ table, id, rev, note: seal('y') })))
    await abandon(2)
    expect(
      await run(
        asAnna,
        'select count(*)::integer as prayers, count(note)::integer as notes from public.prayers',
      ),
    ).toEqual([{ prayers: 602, notes: 0 }])
  })
})

describe('importing sealed rows', () => {
  const NAOMI = '00000000-0000-4000-8000-0000000000a5'
  const TIME = '2026-03-01T00:00:00+00:00'
  const named = (id: string, name: string) => ({
    id,
    name: seal(name),
    order: 1,
    is_visible: true,
    created_at: TIME,
    updated_at: TIME,
    rev: 1,
  })
  const prayerFor = (id: string, name: string) => ({
    id,
    category_id: UNKNOWN,
    person_name: seal(name),
    resolved: false,
    created_at: TIME,
    rev: 1,
    times_prayed: 9,
    user_id: BEN,
  })
  const file = () => ({
    categories: [named(UNKNOWN, 'Imported'), named(FAMILY, 'Not Family')],
    prayers: [
      {
        ...prayerFor(NAOMI, 'Naomi'),
        updates: [{ id: UPDATE, body: seal('Better'), created_at: TIME, updated_at: TIME, rev: 1 }],
        prayed_days: ['2026-03-01', '2026-03-02'],
      },
      { ...prayerFor(RUTH, 'Not Ruth'), prayed_days: ['2026-03-01'] },
    ],
  })
  const bring = (data: object, caller = asAnna) =>
    valueOf(caller, 'select public.import_sealed($1) as value', [JSON.stringify(data)])

  beforeEach(turnOn)

  it('adds the rows that do not exist under their ids, with what belongs to them, once', async () => {
    const ruth = (await texts()).find(({ id }) => id === RUTH)
    expect(await bring(file())).toEqual({
      categories_added: 1,
      prayers_added: 1,
      updates_added: 1,
      prayed_days_added: 3,
    })
    const none = { categories_added: 0, prayers_added: 0, updates_added: 0, prayed_days_added: 0 }
    expect(await bring(file())).toEqual(none)
    expect(
      await run(
        asAnna,
        'select id, "order", created_at = updated_at as dated from public.categories order by "order"',
      ),
    ).toEqual([
      { id: FAMILY, order: 1, dated: expect.any(Boolean) },
      { id: UNKNOWN, order: 2, dated: true },
    ])
    expect(
      await run(
        asAnna,
        `select p.category_id, p.times_prayed, p.last_prayed_on::text, u.id as update
         from public.prayers p join public.prayer_updates u on u.prayer_id = p.id`,
      ),
    ).toEqual([{ category_id: UNKNOWN, times_prayed: 2, last_prayed_on: '2026-03-02', update: UPDATE }])
    expect((await texts()).find(({ id }) => id === RUTH)).toEqual({ ...ruth, rev: expect.any(Number) })
  })

  it('brings a file in parts, and what was deleted since', async () => {
    const { categories, prayers } = file()
    await bring({ categories, prayers: [] })
    await bring({ categories: [], prayers })
    await run(asAnna, `delete from public.prayers where id = '${NAOMI}'`)
    expect(await bring({ categories: [], prayers })).toMatchObject({ prayers_added: 1, updates_added: 1 })
  })

  it('refuses plain texts, and ids and categories of other users', async () => {
    const { categories, prayers } = file()
    const plain = prayers.map((prayer) => ({ ...prayer, person_name: 'Naomi' }))
    await expect(bring({ categories, prayers: plain })).rejects.toMatchObject({ code: 'IC001' })
    await expect(bring({ categories, prayers: [] }, asBen)).rejects.toMatchObject({ code: '23505' })
    await expect(bring({ categories: [], prayers }, asBen)).rejects.toMatchObject({ code: /^23/ })
    await expect(bring({})).rejects.toMatchObject({ code: '22023' })
  })
})

it('prayers are listed by the years in which they were prayed', async () => {
  await run(asAnna, `select public.mark_prayed('{${RUTH},${BOAZ}}', '2025-12-31')`)
  for (const day of ['2026-01-01', '2026-01-02'])
    await run(asAnna, `select public.mark_prayed('{${BOAZ}}', '${day}')`)
  expect(await valueOf(asAnna, 'select public.prayed_prayers() as value')).toEqual({
    2025: [RUTH, BOAZ],
    2026: [BOAZ],
  })
  expect(await valueOf(asBen, 'select public.prayed_prayers() as value')).toEqual({})
})
