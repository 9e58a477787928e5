import { call, signUp } from '#tests/contract/auth/auth-client.ts'
import { type DataServer, send } from '#tests/support/data-requests.ts'
import type { Random } from './random.ts'
import { type Change, chooseChange, NO_DATA, type UserData } from './user-data.ts'

/** Number of earlier states to remember: enough for some seconds of requests, few enough for hours of them. */
const REMEMBERED = 2_000

/** A user who sends one change after another, and remembers which the server has acknowledged. */
export class SimulatedUser {
  /** Statuses of the requests that failed; null for those without a response. */
  readonly failures: (number | null)[] = []
  readonly #token: () => string
  readonly #random: Random
  #data: UserData = NO_DATA
  /** The latest acknowledged states of the data, the current one last. */
  readonly #past: UserData[] = [NO_DATA]
  #changes = 0
  /** Sent and not acknowledged: it may have been executed or not, but not in part. */
  #inDoubt: Change | null = null

  /** `token` returns the access token for the next request. */
  constructor(token: () => string, random: Random) {
    this.#token = token
    this.#random = random
  }

  /** How many rows this user should have. */
  countRows(): { categories: number; prayers: number } {
    return { categories: this.#data.categories.length, prayers: this.#data.prayers.length }
  }

  /** Sends changes until one is not acknowledged, or until `isOver`. */
  async sendChanges(server: DataServer, acknowledged: () => void, isOver: () => boolean): Promise<void> {
    while (this.#inDoubt === null && !isOver()) {
      const change = chooseChange(this.#data, this.#random)
      const { method, path, body, after } = change
      const request = { method, token: this.#token(), body }
      const status = await send(server, path, request).then(
        (response) => response.status,
        () => null,
      )
      if (status !== null && status < 300) {
        this.#data = after
        this.#remember(after)
        acknowledged()
      } else {
        this.failures.push(status)
        this.#inDoubt = change
      }
    }
  }

  /** Whether the server responds to this user's requests, which take connections of both kinds. */
  async isServed(server: DataServer): Promise<boolean> {
    const token = this.#token()
    const requests = [
      send(server, '/categories?select=id', { token }),
      call(server, 'GET', '/user', { token }),
    ]
    const responses = await Promise.all(requests.map((request) => request.catch(() => null)))
    return responses.every((response) => response?.status === 200)
  }

  /**
   * Reads what the server has, and returns it with what it should have: all acknowledged changes, and the whole change
   * in doubt or nothing of it. Whether that was executed is settled from then on.
   */
  async compare(server: DataServer): Promise<{ stored: unknown; expected: UserData }> {
    const stored = await this.#read(server)
    const { after } = this.#inDoubt ?? { after: this.#data }
    if (JSON.stringify(stored) === JSON.stringify(after)) this.#data = after
    this.#inDoubt = null
    return { stored, expected: this.#data }
  }

  /** How many changes have been acknowledged so far. */
  get changes(): number {
    return this.#changes
  }

  /** The number of changes after which this user's data was what the server has; null if it is none of the latest states. */
  async changesIn(server: DataServer): Promise<number | null> {
    const stored = JSON.stringify(await this.#read(server))
    const at = this.#past.findLastIndex((data) => JSON.stringify(data) === stored)
    return at === -1 ? null : this.#changes - (this.#past.length - 1 - at)
  }

  #remember(data: UserData): void {
    this.#changes += 1
    this.#past.push(data)
    if (this.#past.length > REMEMBERED) this.#past.shift()
  }

  async #read(server: DataServer): Promise<unknown> {
    const token = this.#token()
    const [categories, prayers] = await Promise.all([
      send(server, '/categories?select=id,name,order&order=order', { token }),
      send(server, '/prayers?select=id,category_id,person_name,resolved&order=id', { token }),
    ])
    for (const { status, text } of [categories, prayers]) {
      if (status !== 200) throw new Error(`The lists could not be read: ${String(status)} ${text}`)
    }
    return { categories: categories.json(), prayers: prayers.json() }
  }
}

/** Signs up and returns a user to simulate. */
export async function signUpUser(server: DataServer, email: string, random: Random): Promise<SimulatedUser> {
  const { access_token: token } = await signUp(server, email)
  return new SimulatedUser(() => token, random)
}
