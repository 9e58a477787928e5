import { expect } from 'vitest'
import type { DataServer } from '#tests/support/data-requests.ts'
import { createRandom } from './random.ts'
import type { SignUps } from './sign-ups.ts'
import { type SimulatedUser, signUpUser } from './simulated-user.ts'

/**
 * How often something fails: every kind of failure at least once. For more:
 * `FAULT_ROUNDS=50 npx vitest run tests/faults`.
 */
export const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 4)

/** PostgreSQL is restarted after pauses of up to ten seconds, and recovers before it accepts connections. */
const RECOVERY = { timeout: 60_000 }

/** Signs up users to simulate, who make the same choices in every run. */
export function signUpUsers(server: DataServer, names: readonly string[]): Promise<SimulatedUser[]> {
  return Promise.all(
    names.map((name, index) => signUpUser(server, `${name}@example.org`, createRandom(index))),
  )
}

/** Users who send one change after another. */
export interface Load {
  /** How many changes the server has acknowledged. */
  acknowledged(): number
  /** Resolves when there are that many. */
  reach(count: number): Promise<void>
  /** Resolves when all have received the response to their last request. */
  stop(): Promise<void>
}

/** Each user stops by themselves after a request that fails. With `signUps`, new users sign up as well. */
export function startLoad(server: DataServer, users: readonly SimulatedUser[], signUps?: SignUps): Load {
  let acknowledged = 0
  let isOver = false
  const goals = new Map<number, () => void>()
  const count = () => {
    acknowledged += 1
    goals.get(acknowledged)?.()
  }
  const running = [
    ...users.map((user) => user.sendChanges(server, count, () => isOver)),
    signUps?.run(server, () => isOver) ?? Promise.resolve(),
  ]
  return {
    acknowledged: () => acknowledged,
    reach: (goal) =>
      new Promise((resolve) => {
        if (acknowledged >= goal) resolve()
        else goals.set(goal, resolve)
      }),
    stop: async () => {
      isOver = true
      await Promise.all(running)
    },
  }
}

/** Waits until the server serves all users again. */
export async function expectServed(server: DataServer, users: readonly SimulatedUser[]): Promise<void> {
  const isServed = () => Promise.all(users.map((user) => user.isServed(server)))
  await expect.poll(isServed, RECOVERY).not.toContain(false)
}

/** All acknowledged changes are stored, and no other one in part. */
export async function expectNothingLost(server: DataServer, users: readonly SimulatedUser[]): Promise<void> {
  for (const user of users) {
    const { stored, expected } = await user.compare(server)
    expect(stored).toEqual(expected)
  }
}

/** The different statuses of failed requests; null for those without a response. */
export function failuresOf(users: readonly SimulatedUser[]): (number | null)[] {
  return [...new Set(users.flatMap(({ failures }) => failures))]
}
