import type { Browser, BrowserContextOptions } from '@playwright/test'
import type { Bench } from '../bench.ts'
import { withDatabase } from '../database.ts'
import { FIXED_AMOUNTS } from '../fixed-data.ts'
import { atLeast, atMost, type Finding, state, type Unit } from '../finding.ts'
import { withBrowser } from '../page/browser.ts'
import { DASHBOARD_BUDGET, SIGN_IN_BUDGET } from '../page/budgets.ts'
import {
  askLighthouse,
  CATEGORIES,
  HAS_LIGHTHOUSE,
  HOW_TO_GET_LIGHTHOUSE,
  type Scores,
} from '../page/lighthouse.ts'
import { withSite } from '../page/site.ts'
import { timeVisit, type Timing } from '../page/time-visit.ts'
import { weighVisit, type Weight } from '../page/weigh-visit.ts'
import type { Found } from './found.ts'

const FULL_ROUNDS = 7
const QUICK_ROUNDS = 2
const LIGHTHOUSE_ROUNDS = 3

/** A screen that people see first, and what on it shows that it can be used. */
interface FirstScreen {
  name: string
  url: string
  usable: string
  options: BrowserContextOptions
}

/** What a first visit loads, and how it goes on a slow device; with 30 categories and 100 prayers where signed in. */
export async function measurePage(bench: Bench): Promise<Found> {
  return await withDatabase(bench.dataDir, (postgres) =>
    withSite(postgres.url, bench.folder, FIXED_AMOUNTS.people, async ({ url, signedIn }) => {
      const signIn = {
        name: 'sign-in screen',
        url: `${url}/`,
        usable: 'button[type=submit]',
        options: {},
      }
      const dashboard = {
        name: 'dashboard',
        url: `${url}/dashboard`,
        usable: 'main li',
        options: signedIn,
      }
      const findings = await withBrowser(async (browser) => [
        ...weightOfSignIn(await weigh(browser, signIn)),
        ...weightOfDashboard(await weigh(browser, dashboard)),
        ...(await timingOf(bench, browser, signIn)),
        ...(await timingOf(bench, browser, dashboard)),
      ])
      const scores = await scoresOf(bench, signIn.url)
      bench.say('page')
      return { findings: [...findings, ...scores.findings], notes: scores.notes }
    }),
  )
}

async function weigh(browser: Browser, { url, usable, options }: FirstScreen): Promise<Weight> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    return await weighVisit(page, async () => {
      await page.goto(url)
      await page.locator(usable).first().waitFor()
    })
  } finally {
    await context.close()
  }
}

function weightOfSignIn(weight: Weight): Finding[] {
  return [
    line('sign-in screen: JavaScript, gzip', 'KB', [weight.script / 1000], SIGN_IN_BUDGET.script / 1000),
    line('sign-in screen: CSS, gzip', 'KB', [weight.style / 1000], SIGN_IN_BUDGET.style / 1000),
    line('sign-in screen: fonts', 'KB', [weight.font / 1000], SIGN_IN_BUDGET.font / 1000),
    line('sign-in screen: requests', 'requests', [weight.requests], SIGN_IN_BUDGET.requests),
    line('sign-in screen: requests to other hosts', 'requests', [weight.foreign.length], 0),
  ]
}

function weightOfDashboard(weight: Weight): Finding[] {
  return [
    line('dashboard: JavaScript, gzip', 'KB', [weight.script / 1000], DASHBOARD_BUDGET.script / 1000),
    line('dashboard: requests to other hosts', 'requests', [weight.foreign.length], 0),
  ]
}

async function timingOf(bench: Bench, browser: Browser, screen: FirstScreen): Promise<Finding[]> {
  const rounds = bench.quick ? QUICK_ROUNDS : FULL_ROUNDS
  const timings: Timing[] = []
  for (let round = 0; round < rounds; round += 1) {
    timings.push(await timeVisit(browser, screen.url, screen.usable, screen.options))
  }
  const what = (part: string) => `${screen.name} at 4x slow-down: ${part}`
  const read = (part: keyof Timing) => timings.map((timing) => timing[part])
  return [
    line(what('first paint'), 'ms', read('firstPaint')),
    line(what('largest paint'), 'ms', read('largestPaint')),
    line(what('longest task after load'), 'ms', read('longestTask'), 50),
    line(what('layout shift'), 'score', read('shift'), 0),
  ]
}

/** A Lighthouse that can't load the page takes nothing away from the rest. */
async function scoresOf(bench: Bench, url: string): Promise<Found> {
  if (!HAS_LIGHTHOUSE) return { findings: [], notes: [HOW_TO_GET_LIGHTHOUSE] }
  const all: Scores[] = []
  for (let round = 0; round < (bench.quick ? 1 : LIGHTHOUSE_ROUNDS); round += 1) {
    try {
      all.push(await askLighthouse(url, bench.folder))
    } catch (failure) {
      return { findings: [], notes: [`There are no scores of Lighthouse: ${String(failure)}`] }
    }
  }
  const findings = CATEGORIES.map((category) => {
    const what = `sign-in screen: Lighthouse, ${category}`
    const target = atLeast('value', 0.99)
    const scores = all.map((each) => each[category])
    return state({ section: 'page', what, unit: 'score', target }, scores)
  })
  return { findings, notes: [] }
}

function line(what: string, unit: Unit, values: readonly number[], limit?: number): Finding {
  const target = limit === undefined ? null : atMost('value', limit)
  return state({ section: 'page', what, unit, target }, values)
}
