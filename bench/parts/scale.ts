import { availableParallelism, cpus } from 'node:os'
import { atLeast, compare, spreadOf } from '../findings.ts'
import { runLoad, type Traffic } from '../load.ts'
import { OPERATIONS, signInAll } from '../operations.ts'
import { type PartContext, runRounds } from '../part.ts'
import {
  CAN_READ_USAGE,
  cpuTime,
  cpuTimeWithChildren,
  findEmbeddedDatabase,
  type RunningProcess,
  startIntercede,
} from '../processes.ts'
import { readAnonKey } from '../sessions.ts'

const FULL = { rounds: 5, seconds: 3, warmUp: 5 }
const QUICK = { rounds: 1, seconds: 1, warmUp: 1 }
const MICROSECONDS = 1e6

/** CPU time per request in microseconds. */
interface CpuTimes {
  node: number
  postgres: number
  loadGenerator: number
}

interface Round {
  perSecond: number
  cpu: CpuTimes
  /** Percentage of all CPUs that was in use. */
  inUse: number
}

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
    measureRound({ servers, postgres, traffic, seconds })
  const { rounds, seconds, warmUp } = quick ? QUICK : FULL
  await measure([first, second], warmUp)
  const one: Round[] = []
  const two: Round[] = []
  await runRounds(rounds, async () => {
    one.push(await measure([first], seconds))
    two.push(await measure([first, second], seconds))
  })
  report(context, one, two)
  await second.stop()
  await first.stop()
}

interface Setup {
  servers: readonly RunningProcess[]
  postgres: number
  traffic: Traffic
  seconds: number
}

async function measureRound({ servers, postgres, traffic, seconds }: Setup): Promise<Round> {
  const readCpuTimes = async (): Promise<CpuTimes> => {
    const nodes = await Promise.all(servers.map(({ pid }) => cpuTime(pid)))
    const { user, system } = process.cpuUsage()
    return {
      node: nodes.reduce((sum, time) => sum + time, 0),
      postgres: await cpuTimeWithChildren(postgres),
      loadGenerator: (user + system) / MICROSECONDS,
    }
  }
  const before = await readCpuTimes()
  const idleBefore = idleTime()
  const started = performance.now()
  const { requests, perSecond } = await runLoad(
    servers.map(({ url }) => url),
    traffic,
    { seconds },
  )
  const elapsed = performance.now() - started
  const idle = idleTime() - idleBefore
  const after = await readCpuTimes()
  const perRequest = (key: keyof CpuTimes) => ((after[key] - before[key]) * MICROSECONDS) / requests
  return {
    perSecond,
    cpu: {
      node: perRequest('node'),
      postgres: perRequest('postgres'),
      loadGenerator: perRequest('loadGenerator'),
    },
    inUse: 100 * (1 - idle / (elapsed * availableParallelism())),
  }
}

/** Idle time of all CPUs together, in milliseconds. */
function idleTime(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0)
}

function report({ report: send, note }: PartContext, one: readonly Round[], two: readonly Round[]): void {
  const comparedWith = 'one server process'
  const both = (read: (round: Round) => number) => [two.map(read), one.map(read)] as const
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
