import type { Browser, BrowserContextOptions } from '@playwright/test'
import { timeFirstVisit } from '../browser/first-visit.ts'
import {
  CATEGORIES,
  HAS_LIGHTHOUSE,
  HOW_TO_INSTALL_LIGHTHOUSE,
  runLighthouse,
} from '../browser/lighthouse.ts'
import { DASHBOARD_BUDGET, type PageWeight, SIGN_IN_BUDGET, weighVisit } from '../browser/page-weight.ts'
import { timeSecondVisits } from '../browser/second-visit.ts'
import { signedInContext, withBrowser, withContext } from '../browser/slow-device.ts'
import { timeVisit, type VisitTiming } from '../browser/visit-timing.ts'
import { atLeast, atMost, type Finding, measured, type Unit } from '../findings.ts'
import { FIXED_AMOUNTS } from '../fixed-data.ts'
import { type PartContext, runRounds } from '../part.ts'
import { startIntercede } from '../processes.ts'

const FULL = { visits: 7, firstVisits: 3, secondVisits: 5, lighthouse: 3 }
const QUICK = { visits: 2, firstVisits: 1, secondVisits: 1, lighthouse: 1 }

/** A screen that users see first. */
interface FirstScreen {
  name: string
  url: string
  /** Selector of an element that shows that the screen is usable. */
  usable: string
  context: BrowserContextOptions
}

/** What a first visit loads, and how long it and a second visit take on a slow device, with 30 categories and 100 prayers. */
export async function measurePage(context: PartContext): Promise<void> {
  const { project, dataDir, quick, report } = context
  const { visits, firstVisits, secondVisits, lighthouse } = quick ? QUICK : FULL
  const server = await startIntercede(project, { DATA_DIR: dataDir })
  const signIn: FirstScreen = {
    name: 'sign-in screen',
    url: `${server.url}/`,
    usable: 'button[type=submit]',
    context: {},
  }
  const dashboard: FirstScreen = {
    name: 'dashboard',
    url: `${server.url}/dashboard`,
    usable: 'main li',
    context: await signedInContext(server.url, FIXED_AMOUNTS.users),
  }
  await withBrowser(async (browser) => {
    report(...signInWeight(await weigh(browser, signIn)), ...dashboardWeight(await weigh(browser, dashboard)))
    await timeVisits(context, browser, signIn, visits)
    await timeVisits(context, browser, dashboard, visits)
    await timeFirstVisits(context, browser, server.url, firstVisits)
    const times = await timeSecondVisits(browser, server.url, dashboard.context, secondVisits)
    const interactive = times.map((visit) => visit.interactive)
    report(finding('dashboard at 4x slow-down: second visit on slow 3G', 'ms', interactive, 1500))
  })
  await scoreWithLighthouse(context, signIn.url, lighthouse)
  await server.stop()
}

async function weigh(browser: Browser, { url, usable, context: options }: FirstScreen): Promise<PageWeight> {
  return await withContext(browser, options, async (context) => {
    const page = await context.newPage()
    return await weighVisit(page, async () => {
      await page.goto(url)
      await page.locator(usable).first().waitFor()
    })
  })
}

function signInWeight(weight: PageWeight): Finding[] {
  return [
    finding('sign-in screen: JavaScript, gzip', 'KB', [weight.script / 1000], SIGN_IN_BUDGET.script / 1000),
    finding('sign-in screen: CSS, gzip', 'KB', [weight.style / 1000], SIGN_IN_BUDGET.style / 1000),
    finding('sign-in screen: fonts', 'KB', [weight.font / 1000], SIGN_IN_BUDGET.font / 1000),
    finding('sign-in screen: requests', 'requests', [weight.requests], SIGN_IN_BUDGET.requests),
    finding('sign-in screen: requests to other hosts', 'requests', [weight.foreign.length], 0),
  ]
}

function dashboardWeight(weight: PageWeight): Finding[] {
  return [
    finding('dashboard: JavaScript, gzip', 'KB', [weight.script / 1000], DASHBOARD_BUDGET.script / 1000),
    finding('dashboard: requests to other hosts', 'requests', [weight.foreign.length], 0),
  ]
}

async function timeVisits(
  { report }: PartContext,
  browser: Browser,
  screen: FirstScreen,
  visits: number,
): Promise<void> {
  const timings = await runRounds(visits, () => timeVisit(browser, screen))
  const what = (metric: string) => `${screen.name} at 4x slow-down: ${metric}`
  const read = (metric: keyof VisitTiming) => timings.map((timing) => timing[metric])
  report(
    finding(what('first paint'), 'ms', read('firstPaint')),
    finding(what('largest paint'), 'ms', read('largestPaint')),
    finding(what('longest task after load'), 'ms', read('longestTask'), 50),
    finding(what('layout shift'), 'score', read('shift'), 0),
  )
}

async function timeFirstVisits(
  { report }: PartContext,
  browser: Browser,
  origin: string,
  rounds: number,
): Promise<void> {
  const times = await runRounds(rounds, () => timeFirstVisit(browser, origin, FIXED_AMOUNTS.users))
  const forms = times.map((visit) => visit.form)
  const prayers = times.map((visit) => visit.prayers)
  report(
    finding('sign-in screen at 4x slow-down: first visit on slow 3G', 'ms', forms, 7000),
    finding('dashboard at 4x slow-down: after signing in on slow 3G', 'ms', prayers, 7000),
  )
}

async function scoreWithLighthouse(
  { folder, report, note }: PartContext,
  url: string,
  rounds: number,
): Promise<void> {
  if (!HAS_LIGHTHOUSE) return note(HOW_TO_INSTALL_LIGHTHOUSE)
  const all = await runRounds(rounds, () => runLighthouse(url, folder))
  for (const category of CATEGORIES) {
    const target = atLeast('value', category === 'performance' ? 0.98 : 1)
    const what = `sign-in screen: Lighthouse, ${category}`
    report(
      measured(
        { what, unit: 'score', target },
        all.map((scores) => scores[category]),
      ),
    )
  }
}

function finding(what: string, unit: Unit, values: readonly number[], limit?: number): Finding {
  return measured({ what, unit, target: limit === undefined ? undefined : atMost('value', limit) }, values)
}
