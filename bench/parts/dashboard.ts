import { join } from 'node:path'
import { timeCommit, timeSearchKeys } from '../browser/interaction-timing.ts'
import { openDashboard, timeSecondVisit, withFilledDevice } from '../browser/second-visit.ts'
import { openSlowPage, signedInContext, SLOW_DOWN, withBrowser } from '../browser/slow-device.ts'
import { atMost, type Finding, measured, percentile } from '../findings.ts'
import { createDataFolder } from '../fixed-data.ts'
import { type PartContext, runRounds } from '../part.ts'
import { startIntercede } from '../processes.ts'

const FULL = { visits: 5, commits: 12, searches: 3 }
const QUICK = { visits: 1, commits: 2, searches: 1 }

const USER = 1
/** As much as ten years of use leave behind; half of the prayers are answered. */
const AMOUNTS = { users: 1, categoriesEach: 60, prayersEach: 5000, updatesEach: 10_000 }

/** The slow device of a user with 60 categories, 5,000 prayers and 10,000 updates, all of which it has stored. */
export async function measureDashboard({ folder, quick, report }: PartContext): Promise<void> {
  const { visits, commits, searches } = quick ? QUICK : FULL
  const dataDir = join(folder, 'dashboard')
  await createDataFolder(dataDir, AMOUNTS)
  const server = await startIntercede({ DATA_DIR: dataDir })
  const signedIn = await signedInContext(server.url, USER)
  await withBrowser(async (browser) => {
    await withFilledDevice(browser, server.url, signedIn, async (device) => {
      const opened = await runRounds(visits, () => timeSecondVisit(browser, device, server.url))
      const keys = await runRounds(searches, () => timeSearchKeys(device, server.url))
      const { page } = await openSlowPage(device, { slowDown: SLOW_DOWN })
      await openDashboard(page, server.url)
      const names = Array.from({ length: commits }, (_, index) => `Commit ${String(index)}.`)
      const saved: number[] = []
      for (const name of names) saved.push(await timeCommit(page, name))
      const interactive = opened.map((visit) => visit.interactive)
      const scripting = opened.map((visit) => visit.scripting)
      report(
        finding('second visit on slow 3G', interactive, 2500),
        finding('scripting from stored data', scripting, 300),
        finding('keys of a search, next paint, 95th percentile', [percentile(keys.flat(), 0.95)], 100),
        finding('from saving a new prayer until it is stored and shown', saved),
      )
    })
  })
  await server.stop()
}

function finding(metric: string, values: readonly number[], limit?: number): Finding {
  const target = limit === undefined ? undefined : atMost('value', limit)
  return measured({ what: `full dashboard at 4x slow-down: ${metric}`, unit: 'ms', target }, values)
}
