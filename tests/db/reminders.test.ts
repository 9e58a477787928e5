import { describe, expect, it } from 'vitest'
import { ANNA, asAnna, asBen } from '#tests/support/users.ts'
import { createAccounts, UNKNOWN } from './accounts.ts'

const { asOwner, run } = createAccounts()

const COLUMNS = ['remind_at', 'weekdays', 'time_zone', 'by_push'] as const
type Given = Partial<Record<(typeof COLUMNS)[number], string>>

const add = ({
  remind_at = '07:00',
  weekdays = '127',
  time_zone = 'Europe/Lisbon',
  by_push = 'true',
}: Given = {}) =>
  run(
    asAnna,
    `insert into public.reminders (${COLUMNS.join(', ')}) values ($1::time, $2::smallint, $3, $4::boolean) returning *`,
    [remind_at, weekdays, time_zone, by_push],
  )
const change = (changes: string) => run(asAnna, `update public.reminders set ${changes} returning *`)

describe('a reminder', () => {
  it('is on, and due at its time on the next of its days', async () => {
    const [reminder] = await add()
    expect(reminder).toMatchObject({ user_id: ANNA, enabled: true, by_push: true, by_email: false })
    const [due] = await asOwner(
      `select next_at > now() and next_at <= now() + interval '25 hours' as soon,
              to_char(next_at at time zone 'Europe/Lisbon', 'HH24:MI') as time from public.reminders`,
    )
    expect(due).toEqual({ soon: true, time: '07:00' })
  })

  it.each([
    'Europe/Lisbon',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Etc/GMT+5',
    'GMT0',
    'EST5EDT',
    'UTC',
    'Asia/Calcutta',
  ])('can be in the time zone %s', async (time_zone) => {
    expect(await add({ time_zone })).toHaveLength(1)
  })

  it.each(['Europe/Atlantis', '', 'X5', 'GMT+5', 'EST5EDT,M3.2.0,M11.1.0', '+05:00', '<a>7'])(
    'cannot be in the time zone %j, which browsers do not have',
    async (time_zone) => {
      const message = `The time zone “${time_zone}” is not known.`
      await expect(add({ time_zone })).rejects.toMatchObject({ code: '22023', message })
      await add()
      await expect(change(`time_zone = '${time_zone}'`)).rejects.toMatchObject({ code: '22023' })
    },
  )

  it.each([
    [{ remind_at: '24:00' }, 'reminders_remind_at_minute'],
    [{ remind_at: '07:00:30' }, 'reminders_remind_at_minute'],
    [{ weekdays: '0' }, 'reminders_weekdays_range'],
    [{ weekdays: '128' }, 'reminders_weekdays_range'],
  ])('cannot have %j', async (given, constraint) => {
    await expect(add(given)).rejects.toMatchObject({ code: '23514', constraint })
  })

  it('is one of three at most, also if they are added at the same time', async () => {
    const results = await Promise.allSettled(
      ['05:00', '06:00', '07:00', '08:00', '09:00'].map((remind_at) => add({ remind_at })),
    )
    const failures = results.flatMap((result): unknown[] =>
      result.status === 'rejected' ? [result.reason] : [],
    )
    expect(failures).toEqual([FULL, FULL])
    const text = `insert into public.reminders (remind_at, weekdays, time_zone) select '10:00', 127, 'UTC' from generate_series(1, 4)`
    await expect(run(asBen, text)).rejects.toMatchObject(FULL)
    expect(await run(asBen, 'select from public.reminders')).toEqual([])
  })

  it('is due at another time when its time, weekdays or time zone change, and never while it is off', async () => {
    await add()
    const nextAt = async () =>
      (await asOwner<{ next_at: Date | null }>('select next_at from public.reminders'))[0]?.next_at
    const first = await nextAt()
    for (const changes of [`remind_at = '09:00'`, `time_zone = 'Asia/Tokyo'`]) {
      const before = await nextAt()
      await change(changes)
      expect(await nextAt()).not.toEqual(before)
    }
    await change('enabled = false')
    expect(await nextAt()).toBeNull()
    await change(`enabled = true, remind_at = '07:00', time_zone = 'Europe/Lisbon'`)
    expect(await nextAt()).toEqual(first)
    await asOwner(`update public.reminders set next_at = '2026-01-01T00:00:00Z'`)
    await change('by_email = true')
    expect(await nextAt()).toEqual(new Date('2026-01-01T00:00:00Z'))
  })

  it('keeps what only the server knows, whatever a client sends, and its owner', async () => {
    const [added] = await run(
      asAnna,
      `insert into public.reminders (remind_at, weekdays, time_zone, created_at, next_at, skipped_on, email_refused_at)
       values ('07:00', 127, 'UTC', '2001-01-01', '2001-01-01', '2001-01-01', '2001-01-01') returning *`,
    )
    expect(added).toMatchObject({ skipped_on: null, email_refused_at: null })
    await change(
      `created_at = '2001-01-01', next_at = '2001-01-01', skipped_on = '2001-01-01', email_refused_at = '2001-01-01'`,
    )
    expect(await run(asAnna, 'select * from public.reminders')).toEqual([added])
    await expect(asOwner('update public.reminders set user_id = $1', [UNKNOWN])).rejects.toMatchObject({
      code: '42501',
    })
  })

  it('forgets that the address was refused when the user wants emails again', async () => {
    await add()
    await asOwner(`update public.reminders set email_refused_at = '2026-01-01T00:00:00Z'`)
    expect(await change('enabled = false')).toMatchObject([{ email_refused_at: expect.any(Date) }])
    expect(await change('by_email = true')).toMatchObject([{ email_refused_at: null }])
  })

  it('counts as written by its user, but not when the server moves it on', async () => {
    const written = async () =>
      (
        await asOwner<{ bytes: number }>('select written_bytes::integer as bytes from private.account_usage')
      )[0]?.bytes ?? 0
    const before = await written()
    await add()
    await change('by_email = true')
    expect(await written()).toBe(before + 1000)
    await asOwner('update public.reminders set next_at = now()')
    expect(await written()).toBe(before + 1000)
    await run(
      asBen,
      `insert into public.reminders (remind_at, weekdays, time_zone) values ('10:00', 127, 'UTC')`,
    )
    expect(await asOwner('select from private.account_usage where written_bytes = 500')).toHaveLength(1)
  })
})

const FULL = expect.objectContaining({ code: 'PT413', message: 'You can have at most three reminders.' })
