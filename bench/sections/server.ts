import type { Pool } from 'pg'
import { createPool } from '#server/db/pool.ts'
import { loadTokenKeys } from '#server/jwt/token-keys.ts'
import type { Bench } from '../bench.ts'
import type { Child } from '../child-process.ts'
import { withDatabase } from '../database.ts'
import { atLeast, atMost, compare, type Finding, state } from '../finding.ts'
import { startFloor } from '../floor-process.ts'
import { startIntercede } from '../intercede.ts'
import { CONNECTIONS, type LoadResult, runLoad, type Traffic } from '../load.ts'
import { signIn } from '../member.ts'
import { OPERATIONS } from '../operations/operations.ts'
import type { Operation } from '../operations/operation.ts'
import { peakMemory, processorTime, TELLS_USAGE } from '../process-usage.ts'

/** Many short rounds, by turns: what else goes on on the machine then strikes both sides alike. */
const FULL = { rounds: 9, seconds: 1, warmUp: 8 }
const QUICK = { rounds: 2, seconds: 0.5, warmUp: 1 }
/** By then V8 has compiled what is used most; how long that takes is no measure of either side. */
const WARM = 5000
const SAME_SQL = 'bare node:http, same SQL'

/** One of the two that are compared. */
interface Side {
  child: Child
  traffic: Traffic
}

interface Measured extends LoadResult {
  /** Microseconds of processor time that the node process took for a request; null where the system does not tell. */
  processor: number | null
}

/** Each operation at full speed on 16 connections, against its floor; and the memory that this has taken. */
export async function measureServer(bench: Bench): Promise<Finding[]> {
  return await withDatabase(bench.dataDir, async ({ url }) => {
    const server = await startIntercede({ DATABASE_URL: url, DATA_DIR: bench.folder })
    const owner = createPool({ url, max: 1 })
    const findings: Finding[] = []
    for (const [index, operation] of OPERATIONS.entries()) {
      const setting = { server, owner, databaseUrl: url, firstPerson: 1 + index * CONNECTIONS }
      findings.push(...(await measureOperation(bench, operation, setting)))
    }
    findings.push(...(await memoryOf(server)))
    await owner.end()
    await server.stop()
    return findings
  })
}

interface Setting {
  server: Child
  owner: Pool
  databaseUrl: string
  firstPerson: number
}

async function measureOperation(bench: Bench, operation: Operation, setting: Setting): Promise<Finding[]> {
  const { rounds, seconds, warmUp } = bench.quick ? QUICK : FULL
  const { server, owner, firstPerson } = setting
  const floor = await startFloor(operation, firstPerson, setting.databaseUrl)
  const { anonKey } = await loadTokenKeys(owner, { jwtSecret: null, anonKey: null }, new Date())
  const side = async (child: Child): Promise<Side> => {
    const members = await signIn(server.url, anonKey, firstPerson, CONNECTIONS)
    return { child, traffic: operation.traffic(members) }
  }
  const sides = [await side(server), await side(floor)] as const
  for (const each of sides) await warm(each, warmUp)
  const results: [Measured[], Measured[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, each] of sides.entries()) {
      await operation.tidy(owner)
      results[index]?.push(await measureOnce(each, seconds))
    }
  }
  await operation.tidy(owner)
  await floor.stop()
  bench.say(operation.what)
  return findingsOf(operation.what, ...results)
}

async function warm({ child, traffic }: Side, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (let requests = 0; requests < WARM && performance.now() < end;) {
    requests += (await runLoad([child.url], traffic, { seconds: 0.5 })).requests
  }
}

async function measureOnce({ child, traffic }: Side, seconds: number): Promise<Measured> {
  const before = TELLS_USAGE ? await processorTime(child.pid) : null
  const result = await runLoad([child.url], traffic, { seconds })
  if (before === null) return { ...result, processor: null }
  const used = (await processorTime(child.pid)) - before
  return { ...result, processor: (used * 1e6) / result.requests }
}

function findingsOf(operation: string, ours: readonly Measured[], floor: readonly Measured[]): Finding[] {
  const named = { section: 'server', comparedWith: SAME_SQL } as const
  const pick = (results: readonly Measured[], read: (result: Measured) => number) => results.map(read)
  const both = (read: (result: Measured) => number) => [pick(ours, read), pick(floor, read)] as const
  const speed = { ...named, what: operation, unit: '/s', target: atLeast('ratio', 0.75) } as const
  const usual = { ...named, what: `${operation}: p50`, unit: 'ms' } as const
  const slow = { ...named, what: `${operation}: p99`, unit: 'ms', target: atMost('ratio', 2) } as const
  const findings = [
    compare(speed, ...both((result) => result.perSecond)),
    compare(usual, ...both((result) => result.p50)),
    compare(slow, ...both((result) => result.p99)),
  ]
  if (!TELLS_USAGE) return findings
  const processor = { ...named, what: `${operation}: processor time of node`, unit: 'µs' } as const
  return [...findings, compare(processor, ...both((result) => result.processor ?? 0))]
}

async function memoryOf({ pid }: Child): Promise<Finding[]> {
  if (!TELLS_USAGE) return []
  const named = {
    section: 'server',
    what: 'most memory of the node process in all this',
    unit: 'MB',
    target: atMost('value', 150),
  } as const
  return [state(named, [await peakMemory(pid)])]
}
