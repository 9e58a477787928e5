import { availableParallelism, cpus } from 'node:os'
import { type LoadResult, runLoad, type Traffic } from './load.ts'
import { cpuTime, cpuTimeWithChildren, type RunningProcess } from './processes.ts'

export const MICROSECONDS = 1e6

/** CPU time per request in microseconds. */
export interface CpuTimes {
  node: number
  postgres: number
  loadGenerator: number
}

export interface UsageOfLoad extends LoadResult {
  cpu: CpuTimes
  /** Percentage of all CPUs that was in use. */
  inUse: number
}

interface Setup {
  servers: readonly RunningProcess[]
  /** Process id of PostgreSQL. */
  postgres: number
  traffic: Traffic
  seconds: number
}

/** Sends requests as fast as they are answered, and reads what they cost. */
export async function loadWithUsage({ servers, postgres, traffic, seconds }: Setup): Promise<UsageOfLoad> {
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
  const result = await runLoad(
    servers.map(({ url }) => url),
    traffic,
    { seconds },
  )
  const elapsed = performance.now() - started
  const idle = idleTime() - idleBefore
  const after = await readCpuTimes()
  const perRequest = (key: keyof CpuTimes) => ((after[key] - before[key]) * MICROSECONDS) / result.requests
  return {
    ...result,
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
