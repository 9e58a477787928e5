import { beforeEach, describe, expect, it } from 'vitest'
import type { Statement } from '#server/db/request-scope.ts'
import { asAnna } from '#tests/support/users.ts'
import { createAccounts, FAMILY, RUTH } from './accounts.ts'

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

describe('reopening a prayer', () => {
  beforeEach(() => change(`resolved = true, answered_on = '2026-02-03', answer = ' Yes.\n'`))

  it('turns the answer into an update, word for word, of now', async () => {
    expect(await change('resolved = false')).toMatchObject(OPEN)
    const [update] = await run(
      `select body, prayer_id, u.created_at > now() - interval '1 minute' as recent, u.created_at = updated_at as new,
              u.rev = p.rev and p.rev = s.rev as numbered
       from public.prayer_updates u join public.prayers p on p.id = u.prayer_id, public.sync_state s`,
    )
    expect(update).toEqual({ body: ' Yes.\n', prayer_id: RUTH, recent: true, new: true, numbered: true })
  })

  it('does so once, however often it is repeated', async () => {
    for (let turn = 0; turn < 3; turn += 1) await change('resolved = false')
    expect(await updates()).toEqual([' Yes.\n'])
  })

  it('does so for each answer', async () => {
    await change('resolved = false')
    await change(`resolved = true, answer = 'Again.'`)
    await change('resolved = false')
    await change(`resolved = true, answer = 'Again.'`)
    await change('resolved = false')
    expect(await updates()).toEqual([' Yes.\n', 'Again.', 'Again.'])
  })

  it('keeps the answer if the client removes it in the same request', async () => {
    expect(await change(`resolved = false, answer = null, answered_on = null`)).toMatchObject(OPEN)
    expect(await updates()).toEqual([' Yes.\n'])
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

describe('an answer to an open prayer', () => {
  it('that arrives after another device has reopened it becomes an update, once', async () => {
    for (let turn = 0; turn < 2; turn += 1)
      expect(await change(`answer = 'Yes.', answered_on = '2026-02-03'`)).toMatchObject(OPEN)
    expect(await updates()).toEqual(['Yes.'])
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

  it('may be years away, every day of the week, and none', async () => {
    for (const values of [
      `due_on = '1900-01-01', resting_until = '2199-12-31', pray_days = 127`,
      'due_on = null, resting_until = null, pray_days = null',
    ])
      expect(await change(values)).toMatchObject(OPEN)
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
