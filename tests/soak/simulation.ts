import { setTimeout as delay } from 'node:timers/promises'

import { type Installation, SPEED } from './installation.ts'
import type { SoakOptions } from './options.ts'
import { measureUsage, type UsageSample } from './resource-usage.ts'
import { SoakUser, type UserCounts } from './soak-user.ts'
import { UserSession } from './user-session.ts'

/** Intervals in seconds. */
const SAMPLE_INTERVAL = 5
const SERVER_RESTART_INTERVAL = 30
const POSTGRES_RESTART_INTERVAL = 150
const ONE_DAY = 86_400 / SPEED

export interface SimulationResult {
  minutes: number
  users: readonly SoakUser[]
  /** Further users who signed up, one per simulated day, and did nothing else. */
  newUsers: number
  counts: Readonly<UserCounts>
  samples: readonly UsageSample[]
}

export interface SimulationOptions extends SoakOptions {
  /** Ends the simulation early. */
  signal: AbortSignal
  onSample: (sample: UsageSample, counts: UserCounts) => void
}

/** Lets users work with the installation, while servers and PostgreSQL are restarted. */
export async function simulate(
  installation: Installation,
  { minutes, users: userCount, signal, onSample }: SimulationOptions,
): Promise<SimulationResult> {
  const counts = { changes: 0, reads: 0, wrong: 0, signIns: 0, refreshes: 0, unknown: 0, signedOut: 0 }
  const users: SoakUser[] = []
  for (let seed = 1; seed <= userCount; seed += 1) {
    users.push(await SoakUser.signUp(installation, seed, counts))
  }
  const start = performance.now()
  const end = start + minutes * 60_000
  const isOver = () => signal.aborted || performance.now() > end
  const samples: UsageSample[] = []
  let newUsers = 0
  await Promise.all([
    ...users.map((user) => user.workUntil(isOver)),
    repeat(SERVER_RESTART_INTERVAL, isOver, () => installation.restartServer()),
    repeat(POSTGRES_RESTART_INTERVAL, isOver, () => installation.restartPostgres()),
    repeat(SAMPLE_INTERVAL, isOver, async () => {
      // Fails while PostgreSQL restarts.
      const sample = await measureUsage(installation).catch(() => null)
      if (sample === null) return
      samples.push(sample)
      onSample(sample, counts)
    }),
    repeat(ONE_DAY, isOver, async () => {
      newUsers += 1
      await new UserSession(installation, `new${String(newUsers)}@example.org`, counts).signUp()
    }),
  ])
  const simulated = (performance.now() - start) / 60_000
  for (const user of users) await user.readAndCompare()
  return { minutes: simulated, users, newUsers, counts, samples }
}

/** Repeats `work` at an interval, without overlap. */
async function repeat(seconds: number, isOver: () => boolean, work: () => Promise<void>): Promise<void> {
  for (;;) {
    const next = performance.now() + seconds * 1000
    while (performance.now() < next) {
      if (isOver()) return
      await delay(200)
    }
    await work()
  }
}
