import type { Bench } from '../bench.ts'
import type { Finding } from '../finding.ts'
import type { Section } from '../options.ts'
import type { Found } from './found.ts'
import { measurePage } from './page.ts'
import { measurePlan } from './plan.ts'
import { measureScale } from './scale.ts'
import { measureServer } from './server.ts'
import { measureSignIns } from './signins.ts'
import { measureStart } from './start.ts'
import { measureUse } from './use.ts'

const MEASURES: Readonly<Record<Section, (bench: Bench) => Promise<Found>>> = {
  server: withoutNotes(measureServer),
  plan: measurePlan,
  start: withoutNotes(measureStart),
  signins: withoutNotes(measureSignIns),
  scale: measureScale,
  page: measurePage,
  use: withoutNotes(measureUse),
}

/** Milliseconds of this process after which no part is begun any more: on a slow machine some numbers are better than none. */
const LAST_START = 7 * 60_000

/** One after the other: two at once would measure each other. */
export async function runSections(bench: Bench, sections: readonly Section[]): Promise<Found> {
  const all: Found = { findings: [], notes: [] }
  for (const section of sections) {
    if (performance.now() > LAST_START) {
      all.notes.push(`The part "${section}" was left out: there was no time for it.`)
      continue
    }
    const { findings, notes } = await MEASURES[section](bench)
    all.findings.push(...findings)
    all.notes.push(...notes)
  }
  return all
}

function withoutNotes(measure: (bench: Bench) => Promise<Finding[]>) {
  return async (bench: Bench): Promise<Found> => ({ findings: await measure(bench), notes: [] })
}
