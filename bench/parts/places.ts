import {
  openPlace,
  PLACE_NAMES,
  type PlaceTimes,
  timePlaces,
  timeSearchKeys,
  withFilledDevice,
} from '../browser/place-timing.ts'
import { measureScrolling } from '../browser/scroll-rate.ts'
import { openStoredDashboard } from '../browser/visit-timing.ts'
import { atLeast, atMost, compare, measured, percentile } from '../findings.ts'
import { type FullAccount, withFullAccount } from '../full-account.ts'
import { type PartContext, runRounds } from '../part.ts'

const FULL = { openings: 5, searches: 3, scrolls: 5 }
const QUICK = { openings: 1, searches: 1, scrolls: 1 }

/** The places of a user with ten years of data, on a slow device that has stored them. */
export async function measurePlaces(context: PartContext): Promise<void> {
  await withFullAccount(context, async (account) => {
    await measureOpeningAndSearch(context, account)
    await measureFrames(context, account)
  })
}

async function measureOpeningAndSearch(
  { quick, report }: PartContext,
  { browser, origin, signedIn }: FullAccount,
): Promise<void> {
  const { openings, searches } = quick ? QUICK : FULL
  const times: PlaceTimes[] = []
  const keys: number[] = []
  await withFilledDevice(browser, origin, signedIn, async (device) => {
    times.push(...(await runRounds(openings, () => timePlaces(browser, device, origin))))
    const searched = await runRounds(searches, () => timeSearchKeys(device, origin))
    keys.push(...searched.flat())
  })
  for (const name of PLACE_NAMES) {
    const what = at4x(`scripting to open ${name}`)
    report(
      measured(
        { what, unit: 'ms', target: atMost('value', 200) },
        times.map((time) => time[name]),
      ),
    )
  }
  const target = atMost('value', 100)
  report(
    measured({ what: at4x('keys of a search, next paint'), unit: 'ms' }, keys),
    measured({ what: at4x('keys of a search, next paint, 95th percentile'), unit: 'ms', target }, [
      percentile(keys, 0.95),
    ]),
  )
}

async function measureFrames(
  { quick, report }: PartContext,
  { browser, origin, signedIn }: FullAccount,
): Promise<void> {
  const rates = await runRounds((quick ? QUICK : FULL).scrolls, () =>
    measureScrolling(browser, signedIn, async (page) => {
      await openStoredDashboard(page, origin)
      await openPlace(page, 'Answered')
    }),
  )
  const what = at4x('frames while scrolling Answered')
  const comparedWith = 'a page of plain text'
  report(
    compare(
      { what, unit: '/s', comparedWith, target: atLeast('ratio', 0.95) },
      rates.map(({ screen }) => screen),
      rates.map(({ plain }) => plain),
    ),
  )
}

function at4x(metric: string): string {
  return `ten years of data at 4x slow-down: ${metric}`
}
