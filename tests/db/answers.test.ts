import { beforeEach, describe, expect, it } from 'vitest'
import type { Statement } from '#server/db/request-scope.ts'
import { ANNA, asAnna, asBen } from '#tests/support/users.ts'
import { BOAZ, createAccounts, FAMILY, RUTH } from './accounts.ts'

const accounts = createAccounts({ prayers: true })

const run = <Row extends Record<string, unknown>>(text: string, values: Statement['values'] = []) =>
  accounts.run<Row>(asAnna, text, values)

/** Changes Ruth's prayer and returns it as a device gets it. */
async function change(assignments: string, values: Statement['values'] = []): Promise<unknown> {
  const [row] = await run(
    `update public.prayers set ${assignments} where id = '${RUTH}'
     returning resolved, answered_on::text, answer, last_prayed_on::text, times_prayed`,
    values,
  )
  return row
}

const answeredOn = async () =>
  (await run<{ day: string }>(`select answered_on::text as day from public.prayers where id = '${RUTH}'`))[0]
    ?.day

const updates = async () =>
  (await run<{ body: string }>('select body from public.prayer_updates order by created_at, id')).map(
    ({ body }) => body,
  )

const FORMER = '00000000-0000-4000-8000-0000000000c1'

/** Reopens Ruth's prayer as a device does that has chosen the id of the update. */
const reopen = (reopenedAt: string | null = '2026-02-10T08:00:00Z', id = FORMER, caller = asAnna) =>
  accounts.run(caller, `select public.reopen_prayer('${RUTH}', $1, $2)`, [id, reopenedAt])

const undo = (id = FORMER, caller = asAnna) =>
  accounts.run(caller, `select public.undo_reopen_prayer('${RUTH}', $1)`, [id])

/** Ruth's prayer, its updates and the deletions, without the numbers that a call takes when it changes nothing. */
const everything = () =>
  run(
    `select to_jsonb(p) as row from public.prayers p where id = '${RUTH}'
     union all select to_jsonb(u) from public.prayer_updates u
     union all select to_jsonb(d) from public.deletions d`,
  )

const today = () => new Date().toISOString().slice(0, 10)
const OPEN = { resolved: false, answered_on: null, answer: null, last_prayed_on: null, times_prayed: 0 }

describe('a prayer that is resolved', () => {
  it('gets the current date (UTC), unless the client sends one', async () => {
    const dates = [today()]
    const resolved = await change('resolved = true')
    dates.push(today())
    expect(resolved).toMatchObject({ resolved: true, answered_on: expect.any(String), answer: null })
    expect(dates).toContain(await answeredOn())
    await change('resolved = false')
    expect(await change(`resolved = true, answered_on = '2026-02-03'`)).toMatchObject({
      answered_on: '2026-02-03',
    })
  })

  it('keeps its date and answer when something else is changed, or when it is resolved again', async () => {
    await change(`resolved = true, answered_on = '2026-02-03', answer = 'Yes.'`)
    await change(`note = 'changed', category_id = category_id`)
    expect(await change('resolved = true')).toMatchObject({ answered_on: '2026-02-03', answer: 'Yes.' })
    expect(await updates()).toEqual([])
  })

  it('keeps an unknown date: what was resolved earlier has none, and nor has what is added as resolved', async () => {
    const [added] = await run(
      `insert into public.prayers (category_id, person_name, resolved) values ('${FAMILY}', 'x', true)
       returning answered_on`,
    )
    expect(added).toEqual({ answered_on: null })
    expect(await change(`answer = 'Yes.'`)).toMatchObject(OPEN)
    const rows = await run(`update public.prayers set note = 'x' where resolved returning answered_on`)
    expect(rows).toEqual([{ answered_on: null }])
  })

  it('can be answered at length', async () => {
    const answer = '🕊'.repeat(10_000)
    expect(await change('resolved = true, answer = $1', [answer])).toMatchObject({ answer })
    await expect(change('answer = $1', [`${answer}x`])).rejects.toMatchObject({
      code: '23514',
      constraint: 'prayers_answer_length',
    })
  })
})

it('a prayer without an answer is changed without a search for it in all updates', async () => {
  await accounts.inTransaction(asAnna, async (client) => {
    const searches = async () =>
      (
        await client.query<{ searches: string }>(
          `select seq_scan + idx_scan as searches from pg_stat_xact_user_tables where relname = 'prayer_updates'`,
        )
      ).rows
    // As in an import, and in a connection that has changed a few prayers.
    await client.query('set local plan_cache_mode = force_generic_plan')
    const before = await searches()
    await client.query(`update public.prayers set note = 'changed'`)
    expect(await searches()).toEqual(before)
  })
})

describe('reopening a prayer', () => {
  beforeEach(() => change(`resolved = true, answered_on = '2026-02-03', answer = ' Yes.\n'`))

  it('turns the answer into an update, word for word, of now, which keeps its date', async () => {
    expect(await change('resolved = false')).toMatchObject(OPEN)
    const [update] = await run(
      `select body, prayer_id, u.answered_on::text, u.created_at > now() - interval '1 hour' as recent, u.created_at = updated_at as new,
              u.rev = p.rev and p.rev = s.rev as numbered
       from public.prayer_updates u join public.prayers p on p.id = u.prayer_id, public.sync_state s`,
    )
    expect(update).toEqual({
      body: ' Yes.\n',
      prayer_id: RUTH,
      answered_on: '2026-02-03',
      recent: true,
      new: true,
      numbered: true,
    })
  })

  it('does so once, however often it is repeated', async () => {
    for (let turn = 0; turn < 3; turn += 1) await change('resolved = false')
    expect(await updates()).toEqual([' Yes.\n'])
  })

  it('does so for each answer, but once for the same one of the same date', async () => {
    await change('resolved = false')
    for (const day of ['2026-02-04', '2026-02-04', '2026-02-03']) {
      await change(`resolved = true, answered_on = '${day}', answer = ' Yes.\n'`)
      await change('resolved = false')
    }
    expect(
      await run('select body, answered_on::text as day from public.prayer_updates order by answered_on'),
    ).toEqual([
      { body: ' Yes.\n', day: '2026-02-03' },
      { body: ' Yes.\n', day: '2026-02-04' },
    ])
  })

  it('brings back an answer that the user has changed or deleted since', async () => {
    await change('resolved = false')
    for (const edit of [
      `update public.prayer_updates set body = 'No.'`,
      'delete from public.prayer_updates',
    ]) {
      await run(edit)
      await change(`resolved = true, answered_on = '2026-02-03', answer = ' Yes.\n'`)
      await change('resolved = false')
      expect(await updates()).toContain(' Yes.\n')
    }
  })

  it('keeps the answer if the client removes it in the same request', async () => {
    expect(await change(`resolved = false, answer = null, answered_on = null`)).toMatchObject(OPEN)
    expect(await run('select body, answered_on::text from public.prayer_updates')).toEqual([
      { body: ' Yes.\n', answered_on: '2026-02-03' },
    ])
  })

  it('keeps the new answer if the client changes it in the same request', async () => {
    await change(`resolved = false, answer = 'Not yet.'`)
    expect(await updates()).toEqual(['Not yet.'])
  })

  it.each(['', ' \n'])('adds no update for the answer %j', async (answer) => {
    await change('answer = $1', [answer])
    expect(await change('resolved = false')).toMatchObject(OPEN)
    expect(await updates()).toEqual([])
  })

  it('works for many prayers at once, and for an administrator', async () => {
    await run(
      `insert into public.prayers (category_id, person_name, resolved, answer)
       select '${FAMILY}', 'x', true, 'Answer ' || n from generate_series(1, 30) n`,
    )
    await accounts.asOwner('update public.prayers set resolved = not resolved')
    expect((await updates()).toSorted()).toHaveLength(31)
  })
})

describe('reopen_prayer', () => {
  beforeEach(() => change(`resolved = true, answered_on = '2026-02-03', answer = ' Yes.\n'`))

  it('turns the answer into the update that the device has shown already, which keeps the date of the answer', async () => {
    await reopen()
    expect(await change('note = note')).toMatchObject(OPEN)
    const rows = await run(
      `select id, body, prayer_id, answered_on::text, created_at, updated_at, rev::integer from public.prayer_updates`,
    )
    const time = new Date('2026-02-10T08:00:00Z')
    expect(rows).toEqual([
      {
        id: FORMER,
        body: ' Yes.\n',
        prayer_id: RUTH,
        answered_on: '2026-02-03',
        created_at: time,
        updated_at: time,
        rev: 4,
      },
    ])
  })

  it('changes nothing when it is repeated, also after the prayer was resolved again, or the update deleted', async () => {
    for (const meanwhile of ['true', 'true', `resolved = true, answer = 'Again.'`]) {
      await reopen()
      if (meanwhile !== 'true') await change(meanwhile)
      const before = await everything()
      await reopen()
      expect(await everything()).toEqual(before)
    }
    await run('delete from public.prayer_updates')
    const before = await everything()
    await reopen()
    expect(await everything()).toEqual(before)
  })

  it('keeps the answer as it is now, if another device has changed it', async () => {
    await change(`answer = 'Yes, and more.'`)
    await reopen()
    expect(await updates()).toEqual(['Yes, and more.'])
  })

  it('leaves a prayer that another device has reopened as it is, with one update', async () => {
    await change('resolved = false')
    const before = await everything()
    await reopen()
    await undo()
    expect(await everything()).toEqual(before)
    expect(await updates()).toEqual([' Yes.\n'])
  })

  it('replaces an update that keeps the same answer of the same date, and can be undone as ever', async () => {
    const resolveAgain = (day: string) =>
      change(`resolved = true, answered_on = '${day}', answer = ' Yes.\n'`)
    await change('resolved = false')
    await resolveAgain('2026-02-04')
    await change('resolved = false')
    await resolveAgain('2026-02-03')
    await reopen()
    const kept = () =>
      run(`select answered_on::text as day, id = '${FORMER}' as new from public.prayer_updates order by day`)
    const earlier = { day: '2026-02-04', new: false }
    expect(await kept()).toEqual([{ day: '2026-02-03', new: true }, earlier])
    await undo()
    expect(await change('note = note')).toMatchObject({ answered_on: '2026-02-03', answer: ' Yes.\n' })
    expect(await kept()).toEqual([earlier])
  })

  it.each([null, '', ' \n'])('adds no update for the answer %j', async (answer) => {
    await change('answer = $1', [answer])
    await reopen()
    expect(await change('note = note')).toMatchObject(OPEN)
    expect(await updates()).toEqual([])
  })

  it.each([null, '2999-01-01T00:00:00Z'])('takes the current time for %j', async (time) => {
    await reopen(time)
    const [update] = await run(
      `select created_at > now() - interval '1 hour' as recent, created_at = updated_at as new,
              created_at <= now() as past from public.prayer_updates`,
    )
    expect(update).toEqual({ recent: true, new: true, past: true })
  })

  it('reopens nothing of another user, and nothing that was deleted', async () => {
    const before = await everything()
    await reopen('2026-02-10T08:00:00Z', FORMER, asBen)
    expect(await everything()).toEqual(before)
    await run(`delete from public.prayers where id = '${RUTH}'`)
    await reopen()
    expect(await updates()).toEqual([])
  })

  it('works in a full account', async () => {
    await accounts.asOwner(
      `update private.account_usage set text_bytes = 10 * 1024 * 1024 where user_id = '${ANNA}'`,
    )
    await reopen()
    await undo()
    expect(await change('note = note')).toMatchObject({ resolved: true, answer: ' Yes.\n' })
  })

  it('happens once when it is sent by two tabs at once', async () => {
    await Promise.all([reopen(), reopen(), reopen()])
    expect(await updates()).toEqual([' Yes.\n'])
  })
})

describe('undo_reopen_prayer', () => {
  const ANSWERED = { resolved: true, answered_on: '2026-02-03', answer: ' Yes.\n' }

  beforeEach(async () => {
    await change(`resolved = true, answered_on = '2026-02-03', answer = ' Yes.\n'`)
    await reopen()
  })

  it('puts the answer back as it was, and removes the update from all devices', async () => {
    await undo()
    expect(await change('note = note')).toMatchObject(ANSWERED)
    expect(await updates()).toEqual([])
    expect(await run('select table_name, row_id from public.deletions')).toEqual([
      { table_name: 'prayer_updates', row_id: FORMER },
    ])
  })

  it('does so for an answer without a date, and for one that a client has reopened without this function', async () => {
    await undo()
    await change('answered_on = null')
    await change('resolved = false')
    const [{ id } = { id: '' }] = await run<{ id: string }>('select id from public.prayer_updates')
    await undo(id)
    expect(await change('note = note')).toMatchObject({ ...ANSWERED, answered_on: null })
  })

  it('changes nothing when it is repeated, also after the prayer was reopened again', async () => {
    const again = '00000000-0000-4000-8000-0000000000c2'
    for (const reopenAgain of [false, true]) {
      await undo()
      if (reopenAgain) await reopen('2026-02-11T08:00:00Z', again)
      const before = await everything()
      await undo()
      expect(await everything()).toEqual(before)
    }
  })

  it('puts the text back that another device has made of it', async () => {
    await run(`update public.prayer_updates set body = 'Yes, and more.'`)
    await undo()
    expect(await change('note = note')).toMatchObject({ ...ANSWERED, answer: 'Yes, and more.' })
  })

  it('puts it back if another device has resolved the prayer without an answer', async () => {
    await change('resolved = true')
    await undo()
    expect(await change('note = note')).toMatchObject(ANSWERED)
  })

  it('changes nothing if another device has resolved the prayer with another answer', async () => {
    await change(`resolved = true, answer = 'In another way.', answered_on = '2026-02-09'`)
    const before = await everything()
    await undo()
    expect(await everything()).toEqual(before)
    expect(await updates()).toEqual([' Yes.\n'])
  })

  it('changes nothing if the update was deleted, is of another prayer, or is another user’s', async () => {
    const before = await everything()
    await undo(FORMER, asBen)
    await run(`select public.undo_reopen_prayer('${BOAZ}', '${FORMER}')`)
    expect(await everything()).toEqual(before)
    await run('delete from public.prayer_updates')
    await undo()
    expect(await change('note = note')).toMatchObject(OPEN)
  })
})

describe('an answer to an open prayer', () => {
  it('that arrives after another device has reopened it becomes an update, once', async () => {
    for (let turn = 0; turn < 2; turn += 1)
      expect(await change(`answer = 'Yes.', answered_on = '2026-02-03'`)).toMatchObject(OPEN)
    expect(await run('select body, answered_on::text from public.prayer_updates')).toEqual([
      { body: 'Yes.', answered_on: '2026-02-03' },
    ])
  })

  it('cannot be added with the prayer', async () => {
    const insert = run(
      `insert into public.prayers (category_id, person_name, answer) values ('${FAMILY}', 'x', 'Yes.')`,
    )
    await expect(insert).rejects.toMatchObject({ code: '23514', constraint: 'prayers_answer_resolved' })
  })
})

describe('days', () => {
  it.each([0, 128])('of the week cannot be %i', async (days) => {
    await expect(change(`pray_days = ${String(days)}`)).rejects.toMatchObject({
      code: '23514',
      constraint: 'prayers_pray_days_range',
    })
  })

  it('may be years away, every day of the week, repeat, and none', async () => {
    for (const values of [
      `due_on = '1900-01-01', due_repeats = 'yearly', resting_until = '2199-12-31', pray_days = 127`,
      `due_on = '2028-02-29', due_repeats = 'monthly'`,
      'due_on = null, resting_until = null, pray_days = null',
    ])
      expect(await change(values)).toMatchObject(OPEN)
  })
})

describe('a date that repeats', () => {
  const repeats = () => run(`select due_on::text, due_repeats from public.prayers where id = '${RUTH}'`)
  const insert = `insert into public.prayers (category_id, person_name, due_repeats) values ('${FAMILY}', 'x', 'monthly')
    returning due_repeats`

  it('cannot repeat in another way', async () => {
    await expect(change(`due_on = '2026-03-05', due_repeats = 'weekly'`)).rejects.toMatchObject({
      code: '23514',
      constraint: 'prayers_due_repeats_known',
    })
  })

  it('no longer repeats once a device has removed the date, in whatever order the two arrive', async () => {
    await change(`due_on = '2026-03-05', due_repeats = 'monthly'`)
    await change('note = note')
    expect(await repeats()).toEqual([{ due_on: '2026-03-05', due_repeats: 'monthly' }])
    await change('due_on = null')
    expect(await repeats()).toEqual([{ due_on: null, due_repeats: null }])
    await change(`due_repeats = 'yearly'`)
    expect(await repeats()).toEqual([{ due_on: null, due_repeats: null }])
    expect(await run(insert)).toEqual([{ due_repeats: null }])
  })
})

describe('what is counted', () => {
  it('is ignored when a client sends it', async () => {
    const counted = { last_prayed_on: null, times_prayed: 0 }
    const [added] = await run(
      `insert into public.prayers (category_id, person_name, last_prayed_on, times_prayed)
       values ('${FAMILY}', 'x', '2026-01-01', 9) returning last_prayed_on, times_prayed`,
    )
    expect(added).toEqual(counted)
    expect(await change(`last_prayed_on = '2026-01-01', times_prayed = 9`)).toMatchObject(counted)
    const upsert = `insert into public.prayers (id, category_id, person_name, times_prayed) values ('${RUTH}', '${FAMILY}', 'x', 9)
      on conflict (id) do update set times_prayed = excluded.times_prayed returning last_prayed_on, times_prayed`
    expect(await run(upsert)).toEqual([counted])
  })
})
