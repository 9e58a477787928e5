import { Client } from 'undici'
import { createPool } from '#server/db/pool.ts'
import { loadTokenKeys } from '#server/jwt/token-keys.ts'
import type { Bench } from '../bench.ts'
import { withDatabase } from '../database.ts'
import { FIXED_AMOUNTS } from '../fixed-data.ts'
import { atMost, compare, type Finding } from '../finding.ts'
import { startIntercede } from '../intercede.ts'
import { CONNECTIONS, type Load, runLoad, type Traffic } from '../load.ts'
import { passwordGrant, signIn } from '../member.ts'
import { listPrayers } from '../operations/list-prayers.ts'
import { send } from '../wire.ts'

const FULL = { rounds: 4, seconds: 4 }
const QUICK = { rounds: 1, seconds: 1 }
const SIGN_INS_A_SECOND = 8
/** A busy installation that is far from its limits: there, somebody else's hashing is felt most. */
const USUAL_RATE = 200

interface Server {
  url: string
  anonKey: string
  traffic: Traffic
}

/** The list call while people sign in, against the same call while nobody does. */
export async function measureSignIns(bench: Bench): Promise<Finding[]> {
  return await withDatabase(bench.dataDir, async ({ url }) => {
    const child = await startIntercede({ DATABASE_URL: url, DATA_DIR: bench.folder })
    const owner = createPool({ url, max: 1 })
    const { anonKey } = await loadTokenKeys(owner, { jwtSecret: null, anonKey: null }, new Date())
    await owner.end()
    const members = await signIn(child.url, anonKey, 1, CONNECTIONS)
    const server = { url: child.url, anonKey, traffic: listPrayers.traffic(members) }
    const findings = [
      await measureAt(bench, server, `${String(USUAL_RATE)} a second`, { rate: USUAL_RATE }),
      await measureAt(bench, server, 'full speed', {}),
    ]
    await child.stop()
    bench.say('sign-ins')
    return findings
  })
}

async function measureAt(
  bench: Bench,
  server: Server,
  pace: string,
  rate: Pick<Load, 'rate'>,
): Promise<Finding> {
  const { rounds, seconds } = bench.quick ? QUICK : FULL
  const load = { seconds, ...rate }
  await runLoad([server.url], server.traffic, { ...load, seconds: 1 })
  const idle: number[] = []
  const busy: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    idle.push((await runLoad([server.url], server.traffic, load)).p99)
    busy.push(
      await whileSigningIn(server, async () => (await runLoad([server.url], server.traffic, load)).p99),
    )
  }
  const named = {
    section: 'signins',
    what: `list at ${pace}, ${String(SIGN_INS_A_SECOND)} sign-ins a second: p99`,
    unit: 'ms',
    comparedWith: 'no sign-ins',
    target: atMost('ratio', 2),
  } as const
  return compare(named, busy, idle)
}

/** Signs somebody in at even intervals, whether or not the one before is through, until `work` is. */
async function whileSigningIn<Value>(server: Server, work: () => Promise<Value>): Promise<Value> {
  const client = new Client(server.url)
  const signIns: Promise<string>[] = []
  const timer = setInterval(() => {
    const person = FIXED_AMOUNTS.people - (signIns.length % (FIXED_AMOUNTS.people / 2))
    signIns.push(send(client, passwordGrant(person, server.anonKey)))
  }, 1000 / SIGN_INS_A_SECOND)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await Promise.all(signIns)
    await client.close()
  }
}
