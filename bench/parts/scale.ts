import { availableParallelism } from 'node:os'
import { atLeast, compare, spreadOf } from '../findings.ts'
import { OPERATIONS, signInAll } from '../operations.ts'
import { type PartContext, runRounds } from '../part.ts'
import { CAN_READ_USAGE, findEmbeddedDatabase, type RunningProcess, startIntercede } from '../processes.ts'
import { readAnonKey } from '../sessions.ts'
import { type CpuTimes, loadWithUsage, MICROSECONDS, type UsageOfLoad } from '../usage.ts'

const FULL = { rounds: 5, seconds: 3, warmUp: 5 }
const QUICK = { rounds: 1, seconds: 1, warmUp: 1 }

/** The list on one and on two server processes that share a database, and the CPU time that each part takes. */
export async function measureScale(context: PartContext): Promise<void> {
  const { project, folder, dataDir, quick, note } = context
  if (!CAN_READ_USAGE) return note('This part requires Linux.')
  const first = await startIntercede(project, { DATA_DIR: dataDir })
  const { url, pid: postgres } = await findEmbeddedDatabase(dataDir)
  const second = await startIntercede(project, { DATA_DIR: folder, DATABASE_URL: url })
  const sessions = await signInAll(first.url, await readAnonKey(first.url), 1)
  const traffic = OPERATIONS.list.traffic(sessions)
  const measure = (servers: readonly RunningProcess[], seconds: number) =>
    loadWithUsage({ servers, postgres, traffic, seconds })
  const { rounds, seconds, warmUp } = quick ? QUICK : FULL
  await measure([first, second], warmUp)
  const one: UsageOfLoad[] = []
  const two: UsageOfLoad[] = []
  await runRounds(rounds, async () => {
    one.push(await measure([first], seconds))
    two.push(await measure([first, second], seconds))
  })
  report(context, one, two)
  await second.stop()
  await first.stop()
}

function report(
  { report: send, note }: PartContext,
  one: readonly UsageOfLoad[],
  two: readonly UsageOfLoad[],
): void {
  const comparedWith = 'one server process'
  const both = (read: (round: UsageOfLoad) => number) => [two.map(read), one.map(read)] as const
  const cpu = (name: string) => ({ what: `CPU time per list: ${name}`, unit: 'µs', comparedWith }) as const
  send(
    compare(
      { what: 'list on two server processes', unit: '/s', comparedWith },
      ...both((round) => round.perSecond),
    ),
    compare(
      { what: 'CPUs in use', unit: '%', comparedWith, target: atLeast('value', 90) },
      ...both((round) => round.inUse),
    ),
    compare(cpu('Node.js'), ...both((round) => round.cpu.node)),
    compare(cpu('PostgreSQL'), ...both((round) => round.cpu.postgres)),
    compare(cpu('load generator'), ...both((round) => round.cpu.loadGenerator)),
  )
  const median = (key: keyof CpuTimes) => spreadOf(one.map((round) => round.cpu[key])).median
  const perCpu = Math.round(MICROSECONDS / (median('node') + median('postgres')))
  note(
    `One CPU serves ${perCpu.toLocaleString('en')} lists per second, not counting the load generator. ` +
      `This machine has ${String(availableParallelism())} CPUs for all three.`,
  )
}
