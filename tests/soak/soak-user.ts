import { isDeepStrictEqual } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { createRandom, type Random } from '#tests/faults/random.ts'
import { SimulatedUser } from '#tests/faults/simulated-user.ts'
import type { Installation } from './installation.ts'
import { type SessionCounts, UserSession } from './user-session.ts'

/** What a user does, in percent. About a sixth of the changes reorders categories. */
export const ACTIVITY = { change: 60, read: 30, refresh: 8, signOutAndIn: 2 } as const
/** Average milliseconds between two actions. */
const THINKING_TIME = 100
/** Milliseconds after which PostgreSQL has finished every statement of a server that was killed. */
const STATEMENT_TIME = 1_000
const RETRY_PAUSE = 200
const MAX_ATTEMPTS = 300

export interface UserCounts extends SessionCounts {
  changes: number
  reads: number
  /** Reads that differed from what the servers had acknowledged. */
  wrong: number
}

/** A user who keeps working, and remembers everything that the servers have acknowledged. */
export class SoakUser {
  readonly user: SimulatedUser
  readonly #session: UserSession
  readonly #random: Random
  readonly #installation: Installation
  readonly #counts: UserCounts

  private constructor(installation: Installation, session: UserSession, seed: number, counts: UserCounts) {
    this.#installation = installation
    this.#session = session
    this.#random = createRandom(seed)
    this.#counts = counts
    this.user = new SimulatedUser(() => session.accessToken, createRandom(seed + 1_000_000))
  }

  static async signUp(installation: Installation, seed: number, counts: UserCounts): Promise<SoakUser> {
    const session = new UserSession(installation, `user${String(seed)}@example.org`, counts)
    await session.signUp()
    return new SoakUser(installation, session, seed, counts)
  }

  async workUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#session.keepFresh()
      await this.#act()
      await delay(this.#random.below(2 * THINKING_TIME))
    }
  }

  async #act(): Promise<void> {
    const roll = this.#random.below(100)
    if (roll < ACTIVITY.change) await this.#change()
    else if (roll < ACTIVITY.change + ACTIVITY.read) await this.readAndCompare()
    else if (roll < ACTIVITY.change + ACTIVITY.read + ACTIVITY.refresh) await this.#session.refresh()
    else {
      await this.#session.signOut()
      await this.#session.signIn()
    }
  }

  /** Sends one change to one of the servers. If it is not acknowledged, a read shows whether it was stored. */
  async #change(): Promise<void> {
    let isAcknowledged = false
    const onAcknowledged = () => {
      isAcknowledged = true
      this.#counts.changes += 1
    }
    await this.user.sendChanges(
      this.#random.pick(this.#installation.sites),
      onAcknowledged,
      () => isAcknowledged,
    )
    if (isAcknowledged) return
    await delay(STATEMENT_TIME)
    await this.readAndCompare()
  }

  /** Reads all data of the user and compares it with what was acknowledged. */
  async readAndCompare(): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const site = this.#installation.sites[attempt % 2 === 0 ? 0 : 1]
      await this.#session.keepFresh()
      if (await this.user.isServed(site)) {
        const data = await this.user.compare(site).catch(() => null)
        if (data !== null) {
          this.#counts.reads += 1
          if (!isDeepStrictEqual(data.stored, data.expected)) this.#counts.wrong += 1
          return
        }
      }
      await delay(RETRY_PAUSE)
    }
    throw new Error('No server returned the lists.')
  }
}
