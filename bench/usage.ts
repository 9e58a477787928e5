import { type LoadResult, runLoad, type Traffic } from './load.ts'
import { CAN_READ_USAGE, cpuTime, cpuTimeWithChildren, type RunningProcess } from './processes.ts'

const MICROSECONDS = 1e6

export interface UsageOfLoad extends LoadResult {
  /** Microseconds of CPU time per request; null if they cannot be read. */
  cpu: { node: number; postgres: number } | null
}

interface Setup {
  server: RunningProcess
  /** Process id of PostgreSQL. */
  postgres: number
  traffic: Traffic
  seconds: number
}

/** Sends requests as fast as they are answered, and reads what they cost. */
export async function loadWithUsage({ server, postgres, traffic, seconds }: Setup): Promise<UsageOfLoad> {
  const readCpuTimes = async () => ({
    node: await cpuTime(server.pid),
    postgres: await cpuTimeWithChildren(postgres),
  })
  const before = CAN_READ_USAGE ? await readCpuTimes() : null
  const result = await runLoad(server.url, traffic, seconds)
  if (before === null) return { ...result, cpu: null }
  const after = await readCpuTimes()
  const perRequest = (used: number) => (used * MICROSECONDS) / result.requests
  return {
    ...result,
    cpu: {
      node: perRequest(after.node - before.node),
      postgres: perRequest(after.postgres - before.postgres),
    },
  }
}
