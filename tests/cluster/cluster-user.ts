import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { refresh, sessionOf, signUp, type WireSession } from '#tests/contract/auth/auth-client.ts'
import { createRandom, type Random } from '#tests/faults/random.ts'
import { SimulatedUser } from '#tests/faults/simulated-user.ts'
import { type Cluster, until } from './cluster.ts'

/** Most milliseconds between two actions. */
const THINKING_TIME = 200
const RETRY_PAUSE = 200
/** After one of so many changes, the session is refreshed. */
const CHANGES_PER_REFRESH = 20
/** Statuses of changes that were not acknowledged: no response, or the database cannot be reached. */
const EXPECTED_FAILURES: ReadonlySet<number | null> = new Set([null, 503])

/** A user who keeps making changes and refreshing the session, whatever fails. */
export class ClusterUser {
  readonly #cluster: Cluster
  readonly #user: SimulatedUser
  readonly #random: Random
  #session: WireSession
  /** Refresh tokens that were exchanged, the oldest first. */
  readonly #used: string[] = []

  private constructor(cluster: Cluster, session: WireSession, seed: number) {
    this.#cluster = cluster
    this.#session = session
    this.#random = createRandom(seed)
    this.#user = new SimulatedUser(() => this.#session.access_token, createRandom(seed + 1_000_000))
  }

  static async signUp(cluster: Cluster, number: number): Promise<ClusterUser> {
    const session = await signUp(cluster.site, `user${String(number)}@example.org`)
    const user = new ClusterUser(cluster, session, number)
    await user.#refresh()
    return user
  }

  get accessToken(): string {
    return this.#session.access_token
  }

  get refreshes(): number {
    return this.#used.length
  }

  /** Throws if a change is lost, or the user is signed out. `acknowledged` gets the time at which the change was sent. */
  async work(acknowledged: (sentAt: number) => void, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const sentAt = performance.now()
      let isAcknowledged = false
      const onAcknowledged = () => {
        isAcknowledged = true
      }
      await this.#user.sendChanges(this.#cluster.site, onAcknowledged, () => isAcknowledged)
      if (isAcknowledged) acknowledged(sentAt)
      else await this.#settle()
      if (this.#random.below(CHANGES_PER_REFRESH) === 0) await this.#refresh()
      await delay(this.#random.below(THINKING_TIME))
    }
  }

  /** Throws if a change is lost, or a refresh token can be used twice. Ends the session. */
  async check(): Promise<void> {
    await this.#compare()
    await this.#refresh()
    const [oldest = ''] = this.#used
    const { status } = await refresh(this.#cluster.site, oldest)
    if (status !== 400) throw new Error(`A refresh token was used twice (${String(status)}).`)
  }

  /** Waits until a change that was not acknowledged can be executed no longer, and compares. */
  async #settle(): Promise<void> {
    const status = this.#user.failures.at(-1) ?? null
    if (!EXPECTED_FAILURES.has(status)) throw new Error(`A change failed with ${String(status)}.`)
    const failedAt = new Date()
    await until('the user is served', () => this.#user.isServed(this.#cluster.site))
    await until('earlier transactions have ended', () => this.#cluster.hasEnded(failedAt))
    await this.#compare()
  }

  async #compare(): Promise<void> {
    let isEqual = false
    await until('the user can read everything', async () => {
      const { stored, expected } = await this.#user.compare(this.#cluster.site)
      isEqual = isDeepStrictEqual(stored, expected)
      return true
    })
    if (!isEqual) throw new Error('An acknowledged change is lost, or another one was made in part.')
  }

  /** Tries until there is a response. Throws if that is not a session. */
  async #refresh(): Promise<void> {
    const { refresh_token: used } = this.#session
    for (;;) {
      const response = await refresh(this.#cluster.site, used).catch(() => null)
      if (response !== null && response.status !== 503) {
        this.#session = sessionOf(response)
        this.#used.push(used)
        return
      }
      await delay(RETRY_PAUSE)
    }
  }
}
