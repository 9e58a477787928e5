import { join } from 'node:path'
import { Client } from 'pg'
import { atLeast, atMost, compare, measured } from '../findings.ts'
import { CONNECTIONS, runLoad, type Traffic } from '../load.ts'
import { type Operation, type OperationName, OPERATIONS, restore, signInAll } from '../operations.ts'
import { type PartContext, runRounds } from '../part.ts'
import {
  CAN_READ_USAGE,
  findEmbeddedDatabase,
  peakMemory,
  type RunningProcess,
  startIntercede,
  startProcess,
} from '../processes.ts'
import { readAnonKey } from '../sessions.ts'
import { loadWithUsage, type UsageOfLoad } from '../usage.ts'

/** Many short rounds that alternate between both sides, so that other programs slow down both alike. */
const FULL = { rounds: 9, seconds: 1, warmUp: 8 }
const QUICK = { rounds: 2, seconds: 0.5, warmUp: 1 }
/** Requests after which V8 has compiled what is used most. */
const WARM_UP_REQUESTS = 5000
const FLOOR = join(import.meta.dirname, '../floor.ts')
const FLOOR_READY = /^The floor is ready at (\S+)$/m
const NAMES: readonly OperationName[] = ['list', 'insert', 'update', 'refresh']

interface Side {
  process: RunningProcess
  traffic: Traffic
  rounds: UsageOfLoad[]
}

/** Each operation at full speed against its floor, and the memory of the server after all of them. */
export async function measureServer(context: PartContext): Promise<void> {
  const server = await startIntercede({ DATA_DIR: context.dataDir })
  const { url, pid: postgres } = await findEmbeddedDatabase(context.dataDir)
  const owner = new Client({ connectionString: url })
  await owner.connect()
  for (const [index, name] of NAMES.entries()) {
    const firstUser = 1 + index * CONNECTIONS
    const env = { DATABASE_URL: url }
    const floor = await startProcess(['--import', 'tsx', FLOOR, name, String(firstUser)], env, FLOOR_READY)
    await measureOperation({ context, server, floor, postgres, owner, firstUser }, OPERATIONS[name])
    await floor.stop()
  }
  if (CAN_READ_USAGE) {
    const peak = {
      what: 'highest memory use of the server',
      unit: 'MB',
      target: atMost('value', 180),
    } as const
    context.report(measured(peak, [await peakMemory(server.pid)]))
  }
  await owner.end()
  await server.stop()
}

interface Setup {
  context: PartContext
  server: RunningProcess
  floor: RunningProcess
  /** Process id of PostgreSQL. */
  postgres: number
  owner: Client
  firstUser: number
}

async function measureOperation(setup: Setup, operation: Operation): Promise<void> {
  const { context, server, floor, postgres, owner, firstUser } = setup
  const { rounds, seconds, warmUp } = context.quick ? QUICK : FULL
  const anonKey = await readAnonKey(server.url)
  const sideOf = async (process: RunningProcess): Promise<Side> => {
    const sessions = await signInAll(server.url, anonKey, firstUser)
    return { process, traffic: operation.traffic(sessions), rounds: [] }
  }
  const ours = await sideOf(server)
  const floors = await sideOf(floor)
  for (const side of [ours, floors]) await warm(side, warmUp)
  await runRounds(rounds, async () => {
    for (const side of [ours, floors]) {
      await restore(operation, owner)
      side.rounds.push(
        await loadWithUsage({ server: side.process, postgres, traffic: side.traffic, seconds }),
      )
    }
  })
  await restore(operation, owner)
  report(context, operation.title, ours.rounds, floors.rounds)
}

async function warm({ process, traffic }: Side, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (let requests = 0; requests < WARM_UP_REQUESTS && performance.now() < end;) {
    requests += (await runLoad(process.url, traffic, 0.5)).requests
  }
}

function report(
  { report: send }: PartContext,
  title: string,
  ours: readonly UsageOfLoad[],
  floor: readonly UsageOfLoad[],
): void {
  const both = (read: (round: UsageOfLoad) => number) => [ours.map(read), floor.map(read)] as const
  const comparedWith = 'the floor'
  send(
    compare(
      { what: title, unit: '/s', comparedWith, target: atLeast('ratio', 0.65) },
      ...both((round) => round.perSecond),
    ),
    compare({ what: `${title}: p50`, unit: 'ms', comparedWith }, ...both((round) => round.p50)),
    compare(
      { what: `${title}: p99`, unit: 'ms', comparedWith, target: atMost('ratio', 2) },
      ...both((round) => round.p99),
    ),
  )
  if (CAN_READ_USAGE) {
    const cpu = (name: string) =>
      ({ what: `${title}: CPU time of ${name}`, unit: 'µs', comparedWith }) as const
    send(
      compare(cpu('Node.js'), ...both((round) => round.cpu?.node ?? 0)),
      compare(cpu('PostgreSQL'), ...both((round) => round.cpu?.postgres ?? 0)),
    )
  }
}
