import { accountForRows } from './account-for-rows.ts'
import type { Sample } from './measure.ts'
import { liveThrough, type Month } from './month.ts'
import { readOptions } from './options.ts'
import { MIX } from './resident.ts'
import { judge } from './verdict.ts'
import { SPEED, World } from './world.ts'

/** Statuses of changes that may come while servers are restarted: none at all, and that it is away. */
const AWAY: ReadonlySet<number | null> = new Set([null, 503])

/** Caches, heaps and tables take some minutes to fill, however much time passes for the servers. */
const TELLING_MINUTES = 15

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  say(
    `${String(options.people)} people for ${String(options.minutes)} minutes, which to the servers are ` +
      `${daysIn(options.minutes * 60_000)} days. Of a hundred things that each does: ${JSON.stringify(MIX)}.`,
  )
  const start = Date.now()
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  const world = await World.open(start)
  try {
    const month = await liveThrough(world, { ...options, signal: ending.signal }, (sample, { changes }) => {
      say(`day ${daysIn(Date.now() - start)}: ${describe(sample)}; ${String(changes)} changes`)
    })
    const complaints = [...complaintsOf(month), ...(await accountFor(month, world, start)), ...growth(month)]
    say(`done: ${JSON.stringify({ ...month.counts, newcomers: month.newcomers, restarts: world.restarts })}`)
    for (const complaint of complaints) say(`WRONG: ${complaint}`)
    if (complaints.length > 0) process.exitCode = 1
    else say('Nothing lost, nobody signed out, every row accounted for.')
  } finally {
    await world.close()
  }
}

function complaintsOf({ counts: { wrong, signedOut }, residents }: Month): string[] {
  const refusals = residents.flatMap(({ person }) => person.failures).filter((status) => !AWAY.has(status))
  return [
    ...(wrong > 0 ? [`${String(wrong)} lists were not what they had to be`] : []),
    ...(signedOut > 0 ? [`${String(signedOut)} times somebody was signed out`] : []),
    ...(refusals.length > 0 ? [`changes were refused with ${refusals.join(', ')}`] : []),
  ]
}

async function accountFor(
  { residents, newcomers, counts }: Month,
  world: World,
  start: number,
): Promise<string[]> {
  const rows = residents.map(({ person }) => person.countRows())
  const people = residents.length + newcomers
  const { counted, complaints } = await accountForRows(world.databaseUrl, start, {
    people,
    categories: rows.reduce((sum, { categories }) => sum + categories, 0),
    prayers: rows.reduce((sum, { prayers }) => sum + prayers, 0),
    sessions: people,
    inDoubt: counts.inDoubt,
  })
  say(`rows: ${JSON.stringify(counted)}`)
  return complaints
}

function growth({ minutes, samples }: Month): string[] {
  const isLong = minutes >= TELLING_MINUTES
  if (!isLong) say(`Whether anything grows can be told after ${String(TELLING_MINUTES)} minutes. Until now:`)
  return judge(samples).flatMap(({ name, unit, early, late, isFlat }) => {
    const sentence = `${name}: ${early.toFixed(1)} ${unit} early, ${late.toFixed(1)} ${unit} at the end`
    say(sentence)
    return isFlat || !isLong ? [] : [sentence]
  })
}

function describe(sample: Sample): string {
  return [
    `server ${sample.serverMemory.toFixed(1)} MB, ${String(sample.serverDescriptors)} descriptors`,
    `PostgreSQL ${sample.postgresMemory.toFixed(1)} MB, ${String(sample.connections)} connections`,
    `tables ${sample.tables.toFixed(2)} MB`,
  ].join('; ')
}

function daysIn(milliseconds: number): string {
  return ((milliseconds * SPEED) / 86_400_000).toFixed(1)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
