import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { createPool } from '#server/db/pool.ts'
import { loadTokenKeys } from '#server/jwt/token-keys.ts'
import type { Bench } from '../bench.ts'
import type { Child } from '../child-process.ts'
import { withDatabase } from '../database.ts'
import { atLeast, compare, type Finding } from '../finding.ts'
import { startIntercede } from '../intercede.ts'
import { CONNECTIONS, runLoad, type Traffic } from '../load.ts'
import { signIn } from '../member.ts'
import { listPrayers } from '../operations/list-prayers.ts'
import { processorTime, processorTimeOfFamily, TELLS_USAGE } from '../process-usage.ts'
import { spreadOf } from '../statistics.ts'
import type { Found } from './found.ts'

const FULL = { rounds: 5, seconds: 3, warmUp: 5 }
const QUICK = { rounds: 1, seconds: 1, warmUp: 1 }
const MILLION = 1e6

/** Who takes part in answering, each with the microseconds of processor time that it takes for a request. */
interface Shares {
  node: number
  postgres: number
  sender: number
}

interface Round {
  perSecond: number
  shares: Shares
  /** Percent of all processors that somebody used meanwhile. */
  inUse: number
}

/** The same load on one and on two server processes that share a database, and what of the processors it takes. */
export async function measureScale(bench: Bench): Promise<Found> {
  if (!TELLS_USAGE) return { findings: [], notes: ['The part "scale" was left out: it needs Linux.'] }
  return await withDatabase(bench.dataDir, async ({ url }) => {
    const place = { DATABASE_URL: url, DATA_DIR: bench.folder }
    const servers = [await startIntercede(place), await startIntercede(place)] as const
    const owner = createPool({ url, max: 1 })
    const { anonKey } = await loadTokenKeys(owner, { jwtSecret: null, anonKey: null }, new Date())
    await owner.end()
    const traffic = listPrayers.traffic(await signIn(servers[0].url, anonKey, 1, CONNECTIONS))
    const postgres = await pidOfPostgres(bench.dataDir)
    const measure = (on: readonly Child[], seconds: number) =>
      measureRound({ on, postgres, traffic, seconds })
    const { rounds, seconds, warmUp } = bench.quick ? QUICK : FULL
    await measure(servers, warmUp)
    const one: Round[] = []
    const two: Round[] = []
    for (let round = 0; round < rounds; round += 1) {
      one.push(await measure([servers[0]], seconds))
      two.push(await measure(servers, seconds))
    }
    for (const server of servers) await server.stop()
    bench.say('scale')
    return { findings: findingsOf(one, two), notes: [noteOn(one)] }
  })
}

/** PostgreSQL writes its process id into its folder. */
async function pidOfPostgres(dataDir: string): Promise<number> {
  const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

interface Setting {
  on: readonly Child[]
  postgres: number
  traffic: Traffic
  seconds: number
}

async function measureRound({ on, postgres, traffic, seconds }: Setting): Promise<Round> {
  const used = async (): Promise<Shares> => {
    const nodes = await Promise.all(on.map((server) => processorTime(server.pid)))
    const { user, system } = process.cpuUsage()
    return {
      node: nodes.reduce((sum, time) => sum + time, 0),
      postgres: await processorTimeOfFamily(postgres),
      sender: (user + system) / MILLION,
    }
  }
  const [before, idleBefore] = [await used(), idleTime()]
  const origins = on.map((server) => server.url)
  const started = performance.now()
  const { requests, perSecond } = await runLoad(origins, traffic, { seconds })
  const elapsed = performance.now() - started
  const [after, idleAfter] = [await used(), idleTime()]
  const share = (who: keyof Shares) => ((after[who] - before[who]) * MILLION) / requests
  return {
    perSecond,
    shares: { node: share('node'), postgres: share('postgres'), sender: share('sender') },
    inUse: 100 * (1 - (idleAfter - idleBefore) / (elapsed * availableParallelism())),
  }
}

/** Milliseconds for which the processors together have had nothing to do. */
function idleTime(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0)
}

function findingsOf(one: readonly Round[], two: readonly Round[]): Finding[] {
  const named = { section: 'scale', comparedWith: 'on one server process' } as const
  const both = (read: (round: Round) => number) => [two.map(read), one.map(read)] as const
  const inUse = {
    ...named,
    what: 'processors in use meanwhile',
    unit: '%',
    target: atLeast('value', 90),
  } as const
  const time = (who: string) => ({ ...named, what: `processor time for a list: ${who}`, unit: 'µs' }) as const
  return [
    compare(
      { ...named, what: 'list on two server processes', unit: '/s' },
      ...both((round) => round.perSecond),
    ),
    compare(inUse, ...both((round) => round.inUse)),
    compare(time('node'), ...both((round) => round.shares.node)),
    compare(time('PostgreSQL'), ...both((round) => round.shares.postgres)),
    compare(time('the sender of the load'), ...both((round) => round.shares.sender)),
  ]
}

/** What the shares come to on processors that have nothing else to do. */
function noteOn(one: readonly Round[]): string {
  const usual = (who: keyof Shares) => spreadOf(one.map((round) => round.shares[who])).median
  const answering = usual('node') + usual('postgres')
  const perProcessor = Math.round(MILLION / answering)
  return (
    `One processor answers ${perProcessor.toLocaleString('en')} lists a second without the sender of the load; ` +
    `this machine has ${String(availableParallelism())}, for all three.`
  )
}
