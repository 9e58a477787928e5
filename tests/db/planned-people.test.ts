// Whom a reminder counts as planned for its day: the same people as the app.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueToday, type Plan } from '#web/data/plan.ts'
import { addDays, type Day } from '#web/lib/days/days.ts'
import { createAccounts, FAMILY } from './accounts.ts'
import { ANNA } from '#tests/support/users.ts'

const { asOwner } = createAccounts({ prayers: true })

describe('the number of people planned for a day', () => {
  const count = async (day: Day, most = 500) =>
    (
      await asOwner<{ people: number }>('select private.count_planned_people($1, $2, $3) as people', [
        ANNA,
        day,
        most,
      ])
    )[0]?.people

  /** Close to a day at the end of February, so that months of different lengths matter. */
  const TODAY = '2028-02-29'
  const dayNear = fc.oneof(
    fc.integer({ min: -3, max: 3 }).map((days) => addDays(TODAY, days)),
    fc.integer({ min: -800, max: 60 }).map((days) => addDays(TODAY, days)),
  )
  const plans: fc.Arbitrary<Plan & { person_name: string }> = fc.record({
    person_name: fc.constantFrom('Ruth', 'Boaz', 'Naomi', 'Orpah', 'Obed'),
    resolved: fc.boolean(),
    due_on: fc.option(dayNear),
    due_repeats: fc.option(fc.constantFrom('monthly', 'yearly')),
    pray_days: fc.option(fc.integer({ min: 1, max: 127 })),
    resting_until: fc.option(dayNear),
    last_prayed_on: fc.option(dayNear),
  })

  it('is that of the app: each name once, whose date has come or whose weekday it is, open and not paused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plans, { maxLength: 6 }), dayNear, async (given, today) => {
        const prayers = given.map((plan) => ({
          ...plan,
          due_repeats: plan.due_on === null ? null : plan.due_repeats,
        }))
        await asOwner('delete from public.prayers')
        // As the table may contain it, whatever the clock of the database.
        await asOwner('alter table public.prayers disable trigger limit_dates')
        await asOwner(
          `insert into public.prayers (user_id, category_id, person_name, resolved, due_on, due_repeats, pray_days, resting_until, last_prayed_on)
           select $1, $2, p.person_name, p.resolved, p.due_on, p.due_repeats, p.pray_days, p.resting_until, p.last_prayed_on
           from json_populate_recordset(null::public.prayers, $3) as p`,
          [ANNA, FAMILY, JSON.stringify(prayers)],
        )
        const names = prayers.filter((plan) => dueToday(plan, today) !== null).map((plan) => plan.person_name)
        expect(await count(today)).toBe(new Set(names).size)
      }),
      { seed: 20261128, numRuns: 150 },
    )
    await asOwner('alter table public.prayers enable trigger limit_dates')
  })

  it('is one more than the limit if more prayers are planned, whoever they are for', async () => {
    await asOwner('delete from public.prayers')
    await asOwner(
      `insert into public.prayers (user_id, category_id, person_name, pray_days)
       select $1, $2, name, 127 from unnest(array['Ruth', 'Ruth', 'Boaz', 'Ruth']) name`,
      [ANNA, FAMILY],
    )
    expect([await count(TODAY, 4), await count(TODAY, 3), await count(TODAY, 1)]).toEqual([2, 4, 2])
  })

  it('leaves out hidden categories', async () => {
    await asOwner(`update public.prayers set pray_days = 127`)
    expect(await count(TODAY)).toBe(2)
    await asOwner(`update public.categories set is_visible = false`)
    expect(await count(TODAY)).toBe(0)
  })
})
