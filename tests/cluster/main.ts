import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect, parseArgs } from 'node:util'
import { createRandom } from '#tests/faults/random.ts'
import { startPushService, type TestPushService } from '#tests/support/push-service.ts'
import { Cluster, missingPackages, type Restart, until } from './cluster.ts'
import { ClusterUser } from './cluster-user.ts'
import { Reminders } from './reminders.ts'

const USERS = 20
/** Seconds within which every user must be able to make changes again. */
const LONGEST_PAUSE = 30
/** Milliseconds at most between two faults, and for which something is down that nothing replaces. */
const RANDOM_PAUSE = 3_000
/** About as long as it takes to replace and repair a primary, so that reminders become due during most of the test. */
const MINUTES_PER_KILL = 0.4

interface Options {
  /** How often the primary is killed. */
  kills: number
  seed: number
}

interface Fault {
  name: string
  kill: () => Promise<Restart>
  /** Whether another one takes over before it is started again. */
  isReplaced: boolean
  /** Seconds until every user could make changes again. */
  pauses: number[]
}

/** Fails if a change is lost, users wait too long, a refresh token can be used twice, or a reminder is seen twice. */
async function main(): Promise<void> {
  const options = readOptions()
  const packages = missingPackages()
  if (packages.length > 0) {
    print(`Packages are missing. On Debian 12: apt-get install ${packages.join(' ')}`)
    process.exit(1)
  }
  const push = await startPushService()
  const cluster = await Cluster.create()
  const interruption = new Promise<never>((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => reject(new Error(`Interrupted by ${signal}.`)))
  })
  let exitCode = 0
  try {
    await Promise.race([test(cluster, push, options), interruption])
    await cluster.stop()
    await cluster.remove()
  } catch (error) {
    exitCode = 1
    print(`ERROR: ${inspect(error)}\nLogs: ${cluster.folder}`)
    await cluster.stop()
  }
  // After an error, users are still waiting.
  process.exit(exitCode)
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
    },
  })
  const options = { kills: Number(values.kills), seed: Number(values.seed) }
  for (const [name, value] of Object.entries(options))
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0.`)
  return options
}

async function test(cluster: Cluster, push: TestPushService, options: Options): Promise<void> {
  await cluster.start({ PUSH_SERVICES: push.origin })
  const reminders = new Reminders(cluster.site, push)
  const users: ClusterUser[] = []
  for (let number = 1; number <= USERS; number += 1) {
    const user = await ClusterUser.signUp(cluster, number)
    await reminders.add(user.accessToken, Math.ceil(options.kills * MINUTES_PER_KILL))
    users.push(user)
  }
  const acknowledgements = new Acknowledgements(users)
  let isOver = false
  const killing = killAtRandom(cluster, acknowledgements, options).finally(() => {
    isOver = true
  })
  const working = users.map((user) =>
    user.work(
      (sentAt) => acknowledgements.record(user, sentAt),
      () => isOver,
    ),
  )
  const [faults] = await Promise.all([killing, ...working])
  await reminders.check()
  await cluster.checkSessions()
  for (const user of users) await user.check()

  printTable(faults)
  const refreshes = users.reduce((sum, user) => sum + user.refreshes, 0)
  print(`${String(acknowledgements.count)} acknowledged changes of ${String(USERS)} users, none lost`)
  print(`${String(refreshes)} refreshes, no token used twice, nobody signed out`)
  print(
    `${String(reminders.count)} reminders, each seen once (${String(reminders.repeated)} replaced by a repetition)`,
  )
  if (faults.some(({ pauses }) => Math.max(...pauses) > LONGEST_PAUSE))
    throw new Error(`Users could not make changes for more than ${String(LONGEST_PAUSE)} s.`)
}

/** Kills one thing after another, in random order, each a random time after the cluster is complete again. */
async function killAtRandom(
  cluster: Cluster,
  acknowledgements: Acknowledgements,
  { kills, seed }: Options,
): Promise<Fault[]> {
  const primary: Fault = {
    name: 'primary',
    kill: () => cluster.killPrimary(),
    isReplaced: true,
    pauses: [],
  }
  const etcd: Fault = {
    name: 'leader of etcd',
    kill: () => cluster.killEtcdLeader(),
    isReplaced: false,
    pauses: [],
  }
  const pgbouncer: Fault = {
    name: 'PgBouncer',
    kill: () => cluster.killPgbouncer(),
    isReplaced: false,
    pauses: [],
  }
  const random = createRandom(seed)
  print(`Seed: ${String(seed)}`)
  const primaries = Array.from({ length: kills }, () => primary)
  for (const fault of random.shuffled([...primaries, etcd, etcd, pgbouncer, pgbouncer])) {
    await until('the cluster is complete', () => cluster.isComplete())
    await delay(random.below(RANDOM_PAUSE))
    const restart = await fault.kill()
    const waiting = acknowledgements.fromEveryUser()
    if (!fault.isReplaced) await delay(random.below(RANDOM_PAUSE)).then(restart)
    const pause = await waiting
    if (fault.isReplaced) await restart()
    fault.pauses.push(pause)
    print(`${fault.name} killed: ${pause.toFixed(1)} s`)
  }
  await until('the cluster is complete', () => cluster.isComplete())
  return [primary, etcd, pgbouncer]
}

/** Counts acknowledged changes, and measures for how long users wait for one. */
class Acknowledgements {
  count = 0
  readonly #users: readonly ClusterUser[]
  #waiting = new Set<ClusterUser>()
  #since = 0
  #latest = 0

  constructor(users: readonly ClusterUser[]) {
    this.#users = users
  }

  record(user: ClusterUser, sentAt: number): void {
    this.count += 1
    if (sentAt > this.#since && this.#waiting.delete(user)) this.#latest = performance.now()
  }

  /** Seconds until a change of each user has been acknowledged that was sent from now on. */
  async fromEveryUser(): Promise<number> {
    this.#waiting = new Set(this.#users)
    this.#since = performance.now()
    await until('every user can make changes again', async () => this.#waiting.size === 0)
    return (this.#latest - this.#since) / 1000
  }
}

function printTable(faults: readonly Fault[]): void {
  print(
    `Seconds from each kill until all ${String(USERS)} users could make changes again, on ${String(availableParallelism())} processors:`,
  )
  print('killed           times   median  longest')
  for (const { name, pauses } of faults) {
    const sorted = pauses.toSorted((a, b) => a - b)
    const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    print(
      name.padEnd(16) +
        String(pauses.length).padStart(6) +
        median.toFixed(1).padStart(9) +
        longest.toFixed(1).padStart(9),
    )
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
