import type { Finding } from './findings.ts'
import type { PartName } from './options.ts'
import type { PartContext } from './part.ts'
import { measureDashboard } from './parts/dashboard.ts'
import { measurePage } from './parts/page.ts'
import { measurePlaces } from './parts/places.ts'
import { measurePlan } from './parts/plan.ts'
import { measureScale } from './parts/scale.ts'
import { measureServer } from './parts/server.ts'
import { measureSignIns } from './parts/signins.ts'
import { measureStart } from './parts/start.ts'

const PARTS: Readonly<Record<string, (context: PartContext) => Promise<void>>> = {
  server: measureServer,
  plan: measurePlan,
  start: measureStart,
  signins: measureSignIns,
  scale: measureScale,
  page: measurePage,
  dashboard: measureDashboard,
  places: measurePlaces,
} satisfies Record<PartName, unknown>

/** The part of the time limit that rounds may use; the rest is for starting and stopping processes. */
const USABLE = 0.85

/** What `main.ts` passes to the process of a part, as JSON. */
export interface PartOptions {
  part: PartName
  project: string
  folder: string
  dataDir: string
  quick: boolean
  /** Seconds. */
  timeLimit: number
}

/** A line that this process prints. */
export type ReportLine = { finding: Finding } | { note: string }

/** Runs one part in this process and prints its results as lines of JSON. */
async function main({ part, timeLimit, ...options }: PartOptions): Promise<void> {
  const print = (line: ReportLine) => console.log(JSON.stringify(line))
  const measure = PARTS[part]
  if (measure === undefined) throw new Error(`There is no part ${part}.`)
  await measure({
    ...options,
    report: (...findings) => {
      for (const finding of findings) print({ finding })
    },
    note: (note) => print({ note }),
    hasTime: (share = 1) => performance.now() < timeLimit * 1000 * USABLE * share,
  })
}

const options: PartOptions = JSON.parse(process.argv[2] ?? '')
await main(options)
