import { execFileSync, spawnSync } from 'node:child_process'
import { Installation, SPEED } from './installation.ts'
import { readOptions, type SoakOptions, USAGE } from './options.ts'
import { findGrowth, type UsageSample } from './resource-usage.ts'
import { checkRowCounts } from './row-counts.ts'
import { ACTIVITY } from './soak-user.ts'
import { simulate, type SimulationResult } from './simulation.ts'

/** Statuses of changes while servers restart: no response, or database unavailable. */
const EXPECTED_FAILURES: ReadonlySet<number | null> = new Set([null, 503])
/** Minutes of the real clock until caches, heaps and tables are full, and growth can be judged. */
const MINUTES_FOR_GROWTH = 15

/** Fails if data is lost, a user is signed out, or a resource keeps growing. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === null) return void process.stdout.write(USAGE)
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  await simulateWeeks(options, ending.signal)
  if (!ending.signal.aborted) runTests(options)
}

/** Simulates weeks of use in minutes. */
async function simulateWeeks(options: SoakOptions, signal: AbortSignal): Promise<void> {
  print(
    `${String(options.users)} users for ${String(options.minutes)} minutes, which are ` +
      `${daysOf(options.minutes * 60_000)} days for the servers. Actions in percent: ${JSON.stringify(ACTIVITY)}.`,
  )
  const start = Date.now()
  const installation = await Installation.start(start)
  try {
    const result = await simulate(installation, {
      ...options,
      signal,
      onSample: (sample, { changes }) => {
        print(`day ${daysOf(Date.now() - start)}: ${describe(sample)}; ${String(changes)} changes`)
      },
    })
    const errors = [
      ...findErrors(result),
      ...(await findRowErrors(result, installation, start)),
      ...findGrowthErrors(result),
    ]
    const { counts, newUsers } = result
    print(`Finished: ${JSON.stringify({ ...counts, newUsers, restarts: installation.restarts })}`)
    for (const error of errors) print(`ERROR: ${error}`)
    if (errors.length > 0) process.exitCode = 1
    else print('No data was lost, no user was signed out, and all rows are accounted for.')
  } finally {
    await installation.stop()
  }
}

/** Runs the faults and the random histories of `npm test`, and many more. */
function runTests({ rounds, histories }: SoakOptions): void {
  const browserHistories = Math.ceil(histories / 20)
  print(
    `${String(rounds)} rounds of faults, ${String(histories)} random histories, and ${String(browserHistories)} in a browser:`,
  )
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'tests/faults', 'tests/db/stale-locks', 'tests/sync'],
    {
      env: {
        ...process.env,
        FAULT_ROUNDS: String(rounds),
        HISTORIES: String(histories),
        REMINDER_DAYS: '365',
        BROWSER_HISTORIES: String(browserHistories),
      },
      stdio: 'inherit',
    },
  )
  if (status !== 0) process.exitCode = 1
}

function findErrors({ counts: { wrong, signedOut }, users }: SimulationResult): string[] {
  const failures = users
    .flatMap(({ user }) => user.failures)
    .filter((status) => !EXPECTED_FAILURES.has(status))
  return [
    ...(wrong > 0 ? [`${String(wrong)} reads differed from the acknowledged changes`] : []),
    ...(signedOut > 0 ? [`users were signed out ${String(signedOut)} times`] : []),
    ...(failures.length > 0 ? [`changes failed with ${failures.join(', ')}`] : []),
  ]
}

async function findRowErrors(
  { users, newUsers, counts: { unknown } }: SimulationResult,
  installation: Installation,
  start: number,
): Promise<string[]> {
  const rows = users.map(({ user }) => user.countRows())
  const userCount = users.length + newUsers
  const { counts, errors } = await checkRowCounts(installation.databaseUrl, start, {
    users: userCount,
    categories: rows.reduce((sum, { categories }) => sum + categories, 0),
    prayers: rows.reduce((sum, { prayers }) => sum + prayers, 0),
    sessions: userCount,
    unknownSessions: unknown,
  })
  print(`rows: ${JSON.stringify(counts)}`)
  return errors
}

function findGrowthErrors({ minutes, samples }: SimulationResult): string[] {
  const isConclusive = minutes >= MINUTES_FOR_GROWTH
  if (!isConclusive) print(`Growth is only judged after ${String(MINUTES_FOR_GROWTH)} minutes. So far:`)
  return findGrowth(samples).flatMap(({ name, unit, early, late, isAcceptable }) => {
    const text = `${name}: ${early.toFixed(1)} ${unit} early, ${late.toFixed(1)} ${unit} at the end`
    print(text)
    return isAcceptable || !isConclusive ? [] : [text]
  })
}

function describe(sample: UsageSample): string {
  return [
    `server ${sample.serverMemory.toFixed(1)} MB, ${String(sample.serverDescriptors)} descriptors`,
    `PostgreSQL ${sample.postgresMemory.toFixed(1)} MB, ${String(sample.connections)} connections`,
    `tables ${sample.tables.toFixed(2)} MB`,
  ].join('; ')
}

function daysOf(milliseconds: number): string {
  return ((milliseconds * SPEED) / 86_400_000).toFixed(1)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
