import type { Finding } from './findings.ts'
import type { PartName } from './options.ts'
import type { PartContext } from './part.ts'
import { measureCapacity } from './parts/capacity.ts'
import { measureDashboard } from './parts/dashboard.ts'
import { measureEncrypted } from './parts/encrypted.ts'
import { measurePage } from './parts/page.ts'
import { measurePlan } from './parts/plan.ts'
import { measureServer } from './parts/server.ts'
import { measureWaiting } from './parts/waiting.ts'

const PARTS: Readonly<Record<string, (context: PartContext) => Promise<void>>> = {
  server: measureServer,
  plan: measurePlan,
  capacity: measureCapacity,
  page: measurePage,
  dashboard: measureDashboard,
  waiting: measureWaiting,
  encrypted: measureEncrypted,
} satisfies Record<PartName, unknown>

/** What `main.ts` passes to the process of a part, as JSON. */
export interface PartOptions {
  part: PartName
  folder: string
  dataDir: string
  quick: boolean
}

/** A line that this process prints. */
export type ReportLine = { finding: Finding } | { note: string } | { error: string }

/** Runs one part in this process and prints its results as lines of JSON. */
async function main({ part, ...options }: PartOptions): Promise<void> {
  const measure = PARTS[part]
  if (measure === undefined) throw new Error(`There is no part ${part}.`)
  await measure({
    ...options,
    report: (...findings) => {
      for (const finding of findings) print({ finding })
    },
    note: (note) => print({ note }),
  })
}

function print(line: ReportLine): void {
  console.log(JSON.stringify(line))
}

const options: PartOptions = JSON.parse(process.argv[2] ?? '')
try {
  await main(options)
} catch (error) {
  const [line = ''] = String(error).split('\n')
  print({ error: line })
  // Processes that the part has started may keep this one alive.
  process.exit(1)
}
