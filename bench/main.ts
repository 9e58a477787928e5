import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { runNode } from '#scripts/run-node.mjs'
import { type Finding, renderTable } from './findings.ts'
import { createDataFolder, FIXED_AMOUNTS } from './fixed-data.ts'
import { type PartName, readOptions, rejectOtherMachines } from './options.ts'
import type { PartOptions, ReportLine } from './run-part.ts'

const RESULTS = join(import.meta.dirname, 'results.json')
const RUN_PART = join(import.meta.dirname, 'run-part.ts')
/** Seconds after which a part has hung. The slowest takes half of it on two idle CPUs. */
const TIME_LIMIT = 1200

interface PartResult {
  part: PartName
  /** Why the part ended before its end, in one line; null if it finished. */
  failure: string | null
  seconds: number
  findings: Finding[]
  notes: string[]
}

/** Runs the parts one after the other, and prints the results of each as it finishes. */
async function main(): Promise<void> {
  const { parts, quick } = readOptions(process.argv.slice(2))
  rejectOtherMachines(process.env)
  const folder = mkdtempSync(join(tmpdir(), 'intercede-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const dataDir = join(folder, 'data')
  const loadBefore = currentLoad()
  progress('creating 100,000 prayers of 1,000 users')
  await createDataFolder(dataDir, FIXED_AMOUNTS)
  const results: PartResult[] = []
  for (const part of parts) {
    progress(part)
    const result = await runPart({ part, folder, dataDir, quick })
    print(result)
    results.push(result)
  }
  const machine = { ...describeMachine(), loadBefore, loadAfter: currentLoad() }
  await writeFile(RESULTS, `${JSON.stringify({ machine, quick, results }, null, 2)}\n`)
  console.log(`\nLoad of the machine: ${String(loadBefore)} before, ${String(machine.loadAfter)} after.`)
  console.log('The results are in bench/results.json.')
  if (results.some(({ failure }) => failure !== null)) process.exitCode = 1
}

/** Runs a part in a process of its own: when the time is up, everything it started is stopped with it. */
async function runPart(options: PartOptions): Promise<PartResult> {
  const { ok, output, seconds } = await runNode(['--import', 'tsx', RUN_PART, JSON.stringify(options)], {
    limit: TIME_LIMIT,
  })
  const lines = output.split('\n')
  const reported = lines.filter(isReportLine).map(parseReportLine)
  const stopped = lines.find((line) => line.startsWith('Stopped after '))
  const [error = 'it exited without an error message'] = reported.flatMap((line) =>
    'error' in line ? [line.error] : [],
  )
  return {
    part: options.part,
    failure: ok ? null : (stopped ?? error),
    seconds: Math.round(seconds),
    findings: reported.flatMap((line) => ('finding' in line ? [line.finding] : [])),
    notes: reported.flatMap((line) => ('note' in line ? [line.note] : [])),
  }
}

function isReportLine(line: string): boolean {
  return /^\{"(?:finding|note|error)":/.test(line)
}

function parseReportLine(line: string): ReportLine {
  const parsed: ReportLine = JSON.parse(line)
  return parsed
}

function print({ part, failure, seconds, findings, notes }: PartResult): void {
  const ending = failure === null ? '' : `: DID NOT FINISH: ${failure}`
  console.log(`\n${part} (${String(seconds)} s)${ending}\n`)
  if (findings.length > 0) console.log(renderTable(findings))
  for (const note of notes) console.log(note)
}

/** Progress goes to standard error, the results to standard output. */
function progress(text: string): void {
  console.error(`${String(Math.round(performance.now() / 1000)).padStart(4)} s  ${text}`)
}

function describeMachine() {
  const all = cpus()
  return {
    processors: `${String(all.length)} x ${all[0]?.model.trim() ?? 'unknown'}`,
    memory: `${String(Math.round(totalmem() / 2 ** 30))} GiB`,
    node: process.version,
    system: `${process.platform} ${process.arch}`,
  }
}

/** Processes that wanted a CPU during the last minute. More than our own means that the results are unreliable. */
function currentLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
