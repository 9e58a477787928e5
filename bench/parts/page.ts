import { timeFirstVisit } from '../browser/first-visit.ts'
import {
  CATEGORIES,
  HAS_LIGHTHOUSE,
  HOW_TO_INSTALL_LIGHTHOUSE,
  runLighthouse,
} from '../browser/lighthouse.ts'
import { timeSecondVisit, withFilledDevice } from '../browser/second-visit.ts'
import { signedInContext, withBrowser } from '../browser/slow-device.ts'
import { atLeast, atMost, type Finding, measured } from '../findings.ts'
import { FIXED_AMOUNTS } from '../fixed-data.ts'
import { type PartContext, runRounds } from '../part.ts'
import { startIntercede } from '../processes.ts'

const FULL = { firstVisits: 3, secondVisits: 5, lighthouse: 3 }
const QUICK = { firstVisits: 1, secondVisits: 1, lighthouse: 1 }
const USER = FIXED_AMOUNTS.users

/** How long a first and a second visit take on a slow device, with 30 categories and 100 prayers. */
export async function measurePage(context: PartContext): Promise<void> {
  const { dataDir, quick, report } = context
  const { firstVisits, secondVisits, lighthouse } = quick ? QUICK : FULL
  const server = await startIntercede({ DATA_DIR: dataDir })
  await withBrowser(async (browser) => {
    const first = await runRounds(firstVisits, () => timeFirstVisit(browser, server.url, USER))
    const forms = first.map((visit) => visit.form)
    const prayers = first.map((visit) => visit.prayers)
    report(
      finding('sign-in screen at 4x slow-down: first visit on slow 3G', forms, 7000),
      finding('dashboard at 4x slow-down: after signing in on slow 3G', prayers, 7000),
    )
    const signedIn = await signedInContext(server.url, USER)
    await withFilledDevice(browser, server.url, signedIn, async (device) => {
      const second = await runRounds(secondVisits, () => timeSecondVisit(browser, device, server.url))
      const interactive = second.map((visit) => visit.interactive)
      report(finding('dashboard at 4x slow-down: second visit on slow 3G', interactive, 1500))
    })
  })
  await scoreWithLighthouse(context, `${server.url}/`, lighthouse)
  await server.stop()
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
    const scores = all.map((each) => each[category])
    report(measured({ what: `sign-in screen: Lighthouse, ${category}`, unit: 'score', target }, scores))
  }
}

function finding(what: string, values: readonly number[], limit: number): Finding {
  return measured({ what, unit: 'ms', target: atMost('value', limit) }, values)
}
