import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import type { Bench } from '../bench.ts'
import { atLeast, atMost, compare, type Finding, state, type Unit } from '../finding.ts'
import { withBrowser } from '../page/browser.ts'
import { type Site, withSite } from '../page/site.ts'
import { percentile } from '../statistics.ts'
import { timeActions, timePlainPresses } from '../use/actions.ts'
import { withFullLists } from '../use/full-lists.ts'
import { measureGrowth } from '../use/memory.ts'
import { timeOpening } from '../use/opening.ts'
import { type Scrolling, timeScrolling } from '../use/scrolling.ts'

const PERSON = 1
const FULL = { openings: 3, actions: 12, scrolls: 2, memory: 500 }
const QUICK = { openings: 1, actions: 2, scrolls: 1, memory: 20 }

/** How it goes for a person with 60 categories and 5,000 prayers, half of them resolved. */
export async function measureUse(bench: Bench): Promise<Finding[]> {
  const rounds = bench.quick ? QUICK : FULL
  const findings = await withFullLists(join(bench.folder, 'full-lists'), (url) =>
    withSite(url, bench.folder, PERSON, (site) =>
      withBrowser(async (browser) => [
        ...(await opening(browser, site, rounds.openings)),
        ...(await actions(browser, site, rounds.actions)),
        await scrolling(browser, site, rounds.scrolls),
        ...(await memory(browser, site, rounds.memory)),
      ]),
    ),
  )
  bench.say('use')
  return findings
}

async function opening(browser: Browser, site: Site, rounds: number): Promise<Finding[]> {
  const openings = await times(rounds, () => timeOpening(browser, site))
  const read = (part: 'usable' | 'longestTask') => openings.map((each) => each[part])
  return [
    line('dashboard usable after its last data', 'ms', read('usable'), 1500),
    line('longest task from its first data on', 'ms', read('longestTask')),
  ]
}

async function actions(browser: Browser, site: Site, rounds: number): Promise<Finding[]> {
  const plain = percentile(await timePlainPresses(browser, site, rounds), 0.95)
  const measured = await timeActions(browser, site, rounds)
  return Object.entries(measured).map(([action, paints]) => {
    const what = `${NAME}: ${action}, next paint, 95th percentile`
    const comparedWith = 'a press in an empty page'
    const target = atMost('value', 100)
    const slowest = percentile(paints, 0.95)
    return compare({ section: 'use', what, unit: 'ms', comparedWith, target }, [slowest], [plain])
  })
}

async function scrolling(browser: Browser, site: Site, rounds: number): Promise<Finding> {
  const scrolls = await times(rounds, () => timeScrolling(browser, site))
  const read = (part: keyof Scrolling) => scrolls.map((each) => each[part])
  const what = `${NAME}: frames while scrolling`
  const comparedWith = 'a page of plain text'
  const target = atLeast('ratio', 0.95)
  return compare({ section: 'use', what, unit: '/s', comparedWith, target }, read('dashboard'), read('plain'))
}

async function memory(browser: Browser, site: Site, rounds: number): Promise<Finding[]> {
  const { heap, nodes, listeners } = await measureGrowth(browser, site, rounds)
  const what = (of: string) => `${of} kept more after ${String(rounds)} rounds of use`
  return [
    line(what('memory'), 'KB', [heap], 1000),
    line(what('nodes'), 'nodes', [nodes], 50),
    line(what('listeners'), 'listeners', [listeners], 50),
  ]
}

async function times<Value>(count: number, work: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = []
  for (let time = 0; time < count; time += 1) values.push(await work())
  return values
}

const NAME = 'full lists at 4x slow-down'

function line(part: string, unit: Unit, values: readonly number[], limit?: number): Finding {
  const target = limit === undefined ? null : atMost('value', limit)
  return state({ section: 'use', what: `${NAME}: ${part}`, unit, target }, values)
}
