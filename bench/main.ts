import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import type { Bench } from './bench.ts'
import { buildFloor, buildProduct } from './build.ts'
import { makeDataFolder } from './database.ts'
import type { Finding } from './finding.ts'
import { refuseOtherMachines } from './loopback.ts'
import { currentLoad, describeMachine } from './machine.ts'
import { readOptions } from './options.ts'
import { runSections } from './sections/sections.ts'
import { renderTable } from './table.ts'

const RESULTS = join(PACKAGE_ROOT, 'bench', 'results.json')
const LIMIT_MINUTES = 9.5
const INTERRUPTED = 130

/** Measures, prints one table and writes one file; whatever it has started ends with it. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  refuseOtherMachines(process.env)
  const started = performance.now()
  const load = { before: currentLoad(), after: 0 }
  const folder = makeFolder()
  endInTime()
  await buildProduct()
  await buildFloor()
  const dataDir = await makeDataFolder(folder)
  const bench: Bench = { folder, dataDir, quick: options.quick, say: sayAfter(started) }
  bench.say('100,000 prayers of 1,000 people')
  const { findings, notes } = await runSections(bench, options.sections)
  load.after = currentLoad()
  const result = { machine: describeMachine(), load, quick: options.quick, findings, notes }
  await writeFile(RESULTS, `${JSON.stringify(result, null, 2)}\n`)
  print(findings, notes, load)
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'intercede-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(INTERRUPTED))
  return folder
}

function endInTime(): void {
  const end = () => {
    process.stderr.write(`The bench was ended after ${String(LIMIT_MINUTES)} minutes.\n`)
    process.exit(1)
  }
  setTimeout(end, LIMIT_MINUTES * 60_000).unref()
}

/** Progress goes to standard error, so that standard output is the table. */
function sayAfter(started: number): Bench['say'] {
  return (line) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    process.stderr.write(`${seconds.padStart(4)} s  ${line}\n`)
  }
}

function print(
  findings: readonly Finding[],
  notes: readonly string[],
  load: { before: number; after: number },
) {
  console.log(`\n${renderTable(findings)}\n`)
  for (const note of notes) console.log(note)
  console.log(
    `Medians; the range is that of the rounds. Load of the machine: ${String(load.before)} before, ${String(load.after)} after.`,
  )
  console.log('Written to bench/results.json.')
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exit(1)
})
