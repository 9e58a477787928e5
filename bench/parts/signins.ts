import { atMost, compare } from '../findings.ts'
import { emailOf, FIXED_AMOUNTS } from '../fixed-data.ts'
import { runLoad, type Traffic } from '../load.ts'
import { OPERATIONS, signInAll } from '../operations.ts'
import { type PartContext, runRounds } from '../part.ts'
import { startIntercede } from '../processes.ts'
import { readAnonKey, signIn } from '../sessions.ts'

const FULL = { rounds: 4, seconds: 4 }
const QUICK = { rounds: 1, seconds: 1 }
const SIGN_INS_PER_SECOND = 8
/** A busy installation far from its limits, where the effect of hashing passwords is largest. */
const USUAL_RATE = 200

interface Server {
  url: string
  anonKey: string
  traffic: Traffic
}

/** The slowest list requests while users sign in, compared with the same requests while no one signs in. */
export async function measureSignIns(context: PartContext): Promise<void> {
  const running = await startIntercede(context.project, { DATA_DIR: context.dataDir })
  const anonKey = await readAnonKey(running.url)
  const traffic = OPERATIONS.list.traffic(await signInAll(running.url, anonKey, 1))
  const server = { url: running.url, anonKey, traffic }
  await measureAt(context, server, { pace: `${String(USUAL_RATE)} per second`, rate: USUAL_RATE })
  await measureAt(context, server, { pace: 'full speed', rate: undefined })
  await running.stop()
}

async function measureAt(
  { quick, report }: PartContext,
  server: Server,
  { pace, rate }: { pace: string; rate: number | undefined },
): Promise<void> {
  const { rounds, seconds } = quick ? QUICK : FULL
  const load = (duration: number) =>
    runLoad([server.url], server.traffic, {
      seconds: duration,
      ...(rate === undefined ? {} : { rate }),
    })
  await load(1)
  const quiet: number[] = []
  const busy: number[] = []
  await runRounds(rounds, async () => {
    quiet.push((await load(seconds)).p99)
    busy.push((await whileSigningIn(server, () => load(seconds))).p99)
  })
  const what = `list at ${pace}, ${String(SIGN_INS_PER_SECOND)} sign-ins per second: p99`
  const comparedWith = 'no sign-ins'
  report(compare({ what, unit: 'ms', comparedWith, target: atMost('ratio', 2) }, busy, quiet))
}

/** Signs users in at regular intervals, without waiting for the previous sign-in, until `work` is done. */
async function whileSigningIn<Value>({ url, anonKey }: Server, work: () => Promise<Value>): Promise<Value> {
  const signIns: Promise<string>[] = []
  const timer = setInterval(() => {
    const user = FIXED_AMOUNTS.users - (signIns.length % (FIXED_AMOUNTS.users / 2))
    signIns.push(signIn(url, anonKey, emailOf(user)))
  }, 1000 / SIGN_INS_PER_SECOND)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await Promise.all(signIns)
  }
}
