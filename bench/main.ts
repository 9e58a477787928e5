import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { runNode } from '#scripts/run-node.mjs'
import { type Finding, renderTable } from './findings.ts'
import { createDataFolder, FIXED_AMOUNTS } from './fixed-data.ts'
import { type PartName, readOptions, rejectOtherMachines, timeLimitOf } from './options.ts'
import type { PartOptions, ReportLine } from './run-part.ts'

const ROOT = resolve(import.meta.dirname, '..')
const RESULTS = join(ROOT, 'bench/results.json')
const RUN_PART = join(import.meta.dirname, 'run-part.ts')

interface PartResult {
  part: PartName
  finished: boolean
  seconds: number
  findings: Finding[]
  notes: string[]
}

/** Runs the parts one after the other, and prints the results of each as it finishes. */
async function main(): Promise<void> {
  const { parts, quick, project } = readOptions(process.argv.slice(2), ROOT)
  rejectOtherMachines(process.env)
  const folder = mkdtempSync(join(tmpdir(), 'intercede-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const dataDir = join(folder, 'data')
  const loadBefore = currentLoad()
  progress('creating 100,000 prayers of 1,000 users')
  await createDataFolder(project, dataDir, FIXED_AMOUNTS)
  const results: PartResult[] = []
  for (const part of parts) {
    progress(part)
    const timeLimit = timeLimitOf(part)
    const result = await runPart({ part, project, folder, dataDir, quick, timeLimit })
    print(result)
    results.push(result)
  }
  const machine = { ...describeMachine(), loadBefore, loadAfter: currentLoad() }
  await writeFile(RESULTS, `${JSON.stringify({ machine, quick, results }, null, 2)}\n`)
  console.log(`\nLoad of the machine: ${String(loadBefore)} before, ${String(machine.loadAfter)} after.`)
  console.log('The results are in bench/results.json.')
  if (results.some(({ finished }) => !finished)) process.exitCode = 1
}

/** Runs a part in a process of its own: when the time is up, everything it started is stopped with it. */
async function runPart(options: PartOptions): Promise<PartResult> {
  const { ok, output, seconds } = await runNode(['--import', 'tsx', RUN_PART, JSON.stringify(options)], {
    limit: options.timeLimit,
  })
  const lines = output.split('\n')
  const reported = lines.filter(isReportLine).map(parseReportLine)
  const errors = lines.filter((line) => line !== '' && !isReportLine(line))
  return {
    part: options.part,
    finished: ok,
    seconds: Math.round(seconds),
    findings: reported.flatMap((line) => ('finding' in line ? [line.finding] : [])),
    notes: [...reported.flatMap((line) => ('note' in line ? [line.note] : [])), ...(ok ? [] : errors)],
  }
}

function isReportLine(line: string): boolean {
  return line.startsWith('{"finding":') || line.startsWith('{"note":')
}

function parseReportLine(line: string): ReportLine {
  const parsed: ReportLine = JSON.parse(line)
  return parsed
}

function print({ part, finished, seconds, findings, notes }: PartResult): void {
  console.log(`\n${part} (${String(seconds)} s)${finished ? '' : ': DID NOT FINISH'}\n`)
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
