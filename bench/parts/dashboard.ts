import { timeFirstVisit } from '../browser/first-visit.ts'
import { timeActions, timeCommits, timePlainClicks } from '../browser/interaction-timing.ts'
import { measureMemoryGrowth } from '../browser/memory-growth.ts'
import { measureScrolling, type ScrollRates } from '../browser/scroll-rate.ts'
import { timeSecondVisits } from '../browser/second-visit.ts'
import { type OpeningTiming, openStoredDashboard, timeOpening } from '../browser/visit-timing.ts'
import { atLeast, atMost, compare, mean, measured, percentile } from '../findings.ts'
import { type FullAccount, withFullAccount } from '../full-account.ts'
import { type PartContext, runRounds } from '../part.ts'

const FULL = { openings: 3, firstVisits: 3, secondVisits: 5, actions: 12, scrolls: 5, memory: 300 }
const QUICK = { openings: 1, firstVisits: 1, secondVisits: 1, actions: 2, scrolls: 1, memory: 20 }
/** Many, because the browser reports the times of events in steps of 8 ms. */
const PLAIN_CLICKS = 60

/** The dashboard of a user with 60 categories, 5,000 prayers and 10,000 updates, mostly on a slow device. */
export async function measureDashboard(context: PartContext): Promise<void> {
  await withFullAccount(context, async (account) => {
    await measureOpening(context, account)
    await measureFirstVisits(context, account)
    await measureSecondVisits(context, account)
    await measureActions(context, account)
    await measureFrames(context, account)
    await measureMemory(context, account)
  })
}

async function measureOpening(
  { quick, report }: PartContext,
  { browser, origin, signedIn }: FullAccount,
): Promise<void> {
  const openings = await runRounds((quick ? QUICK : FULL).openings, () =>
    timeOpening(browser, origin, signedIn),
  )
  const read = (metric: keyof OpeningTiming) => openings.map((opening) => opening[metric])
  const target = atMost('value', 1500)
  report(
    measured({ what: at4x('usable after the last data'), unit: 'ms', target }, read('usable')),
    measured({ what: at4x('longest task after the first data'), unit: 'ms' }, read('longestTask')),
  )
}

async function measureFirstVisits(
  { quick, report }: PartContext,
  { browser, origin, user }: FullAccount,
): Promise<void> {
  const { firstVisits } = quick ? QUICK : FULL
  const visits = await runRounds(firstVisits, () => timeFirstVisit(browser, origin, user))
  const what = at4x('first prayers after signing in on slow 3G')
  const target = atMost('value', 9000)
  report(
    measured(
      { what, unit: 'ms', target },
      visits.map((visit) => visit.prayers),
    ),
  )
}

async function measureSecondVisits(
  { quick, report }: PartContext,
  { browser, origin, signedIn }: FullAccount,
): Promise<void> {
  const { secondVisits } = quick ? QUICK : FULL
  const visits = await timeSecondVisits(browser, origin, signedIn, secondVisits)
  const interactive = {
    what: at4x('second visit on slow 3G'),
    unit: 'ms',
    target: atMost('value', 2500),
  } as const
  const scripting = {
    what: at4x('scripting from stored data'),
    unit: 'ms',
    target: atMost('value', 300),
  } as const
  report(
    measured(
      interactive,
      visits.map((visit) => visit.interactive),
    ),
    measured(
      scripting,
      visits.map((visit) => visit.scripting),
    ),
  )
}

async function measureActions(
  { quick, report }: PartContext,
  { browser, origin, signedIn }: FullAccount,
): Promise<void> {
  const { actions } = quick ? QUICK : FULL
  const plain = mean(await timePlainClicks(browser, PLAIN_CLICKS))
  const times = await timeActions(browser, origin, signedIn, actions)
  const comparedWith = 'a click in an empty page'
  const target = atMost('value', 100)
  for (const [action, paints] of Object.entries(times)) {
    const what = at4x(`${action}, next paint`)
    report(
      compare({ what: `${what}, mean`, unit: 'ms', comparedWith }, [mean(paints)], [plain]),
      measured({ what: `${what}, 95th percentile`, unit: 'ms', target }, [percentile(paints, 0.95)]),
    )
  }
  const commits = await timeCommits(browser, origin, signedIn, actions)
  report(
    measured({ what: at4x('from saving a new prayer until it is stored and shown'), unit: 'ms' }, commits),
  )
}

async function measureFrames(
  { quick, report }: PartContext,
  { browser, origin, signedIn }: FullAccount,
): Promise<void> {
  const rates = await runRounds((quick ? QUICK : FULL).scrolls, () =>
    measureScrolling(browser, signedIn, (page) => openStoredDashboard(page, origin)),
  )
  const read = (metric: keyof ScrollRates) => rates.map((rate) => rate[metric])
  const what = at4x('frames while scrolling')
  const comparedWith = 'a page of plain text'
  report(
    compare(
      { what, unit: '/s', comparedWith, target: atLeast('ratio', 0.95) },
      read('screen'),
      read('plain'),
    ),
  )
}

async function measureMemory(
  { quick, report }: PartContext,
  { browser, origin, signedIn }: FullAccount,
): Promise<void> {
  const rounds = (quick ? QUICK : FULL).memory
  const { heap, nodes, listeners } = await measureMemoryGrowth(browser, origin, signedIn, rounds)
  const what = (name: string) => `full dashboard: additional ${name} after ${String(rounds)} rounds of use`
  report(
    measured({ what: what('memory'), unit: 'KB', target: atMost('value', 1000) }, [heap]),
    measured({ what: what('nodes'), unit: 'nodes', target: atMost('value', 50) }, [nodes]),
    measured({ what: what('listeners'), unit: 'listeners', target: atMost('value', 50) }, [listeners]),
  )
}

function at4x(metric: string): string {
  return `full dashboard at 4x slow-down: ${metric}`
}
