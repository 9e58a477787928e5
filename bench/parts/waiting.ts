import { signedInContext, SLOW_DOWN, withBrowser } from '../browser/slow-device.ts'
import { timeWaiting, type WaitingTimes } from '../browser/waiting-changes.ts'
import { atMost, compare, mean, measured, type Unit } from '../findings.ts'
import type { PartContext } from '../part.ts'
import { startIntercede } from '../processes.ts'

const FULL = { many: 5000, few: 50, accepts: 12 }
const QUICK = { many: 400, few: 50, accepts: 2 }

/** A device with 5,000 changes that wait to be sent, compared with one that has as many prayers, and 50 changes that wait. */
export async function measureWaiting({ dataDir, quick, report }: PartContext): Promise<void> {
  const server = await startIntercede({ DATA_DIR: dataDir })
  const amounts = quick ? QUICK : FULL
  const comparedWith = `${String(amounts.few)} waiting`
  await withBrowser(async (browser) => {
    // Each with a user of its own.
    for (const [index, slowDown] of [1, SLOW_DOWN].entries()) {
      const context = await signedInContext(server.url, index + 1)
      const { many, few } = await timeWaiting(browser, server.url, { context, slowDown }, amounts)
      const at = slowDown === 1 ? 'full speed' : `${String(slowDown)}x slow-down`
      const waiting = `${String(amounts.many)} waiting changes at ${at}`
      const compareTimes = (metric: string, read: (times: WaitingTimes) => number, limit?: number) => {
        const what = `${waiting}: ${metric}`
        const target = limit === undefined ? undefined : atMost('ratio', limit)
        report(compare({ what, unit: 'ms', comparedWith, target }, [read(many)], [read(few)]))
      }
      compareTimes('first prayers usable', ({ open }) => open)
      compareTimes(
        'from saving a new prayer until it is stored and shown',
        ({ accepts }) => mean(accepts),
        1.5,
      )
      const within = (metric: string, value: number, unit: Unit, limit: number) =>
        report(measured({ what: `${waiting}: ${metric}`, unit, target: atMost('value', limit) }, [value]))
      within('all sent after', many.drain / 1000, 's', slowDown === 1 ? 30 : 60)
      within('longest time without a response to input meanwhile', many.longestPause, 'ms', 200)
      const what = `${waiting}: memory`
      report(compare({ what, unit: 'KB', comparedWith }, [many.memory], [few.memory]))
    }
  })
  await server.stop()
}
