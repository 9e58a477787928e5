import { setTimeout as delay } from 'node:timers/promises'
import {
  type ApiResponse,
  call,
  PASSWORD,
  refresh,
  sessionOf,
  signIn,
} from '#tests/contract/auth/auth-client.ts'
import type { DataServer } from '#tests/support/data-requests.ts'
import { SPEED, type World } from './world.ts'

/** An access token is renewed when less than this part of its time is left. */
const MARGIN = 0.3
/** Milliseconds between two tries, and how many are enough for anything that passes. */
const PAUSE = 200
const TRIES = 300

/** What happened to sessions that should not, or that can't be known. */
export interface SessionCounts {
  signIns: number
  refreshes: number
  /** Sign-ins and sign-ups without an answer: there may be a session that nobody has. */
  inDoubt: number
  /** Refreshes that were refused, for whatever reason. */
  signedOut: number
}

/** One device of somebody: signs up or in, and keeps its session fresh, at whatever server answers. */
export class Device {
  readonly #world: World
  readonly #email: string
  readonly #counts: SessionCounts
  #accessToken = ''
  #refreshToken = ''
  /** Milliseconds of our own clock at which the access token was given, and for how many of them it is good. */
  #givenAt = 0
  #lifetime = 0

  constructor(world: World, email: string, counts: SessionCounts) {
    this.#world = world
    this.#email = email
    this.#counts = counts
  }

  get accessToken(): string {
    return this.#accessToken
  }

  async signUp(): Promise<void> {
    const body = { email: this.#email, password: PASSWORD }
    const answer = await this.#ask((site) => call(site, 'POST', '/signup', { body }), true)
    // An earlier try made the account, and its answer was lost.
    if (answer.status === 422) await this.signIn()
    else this.#keep(answer)
  }

  async signIn(): Promise<void> {
    this.#counts.signIns += 1
    this.#keep(await this.#ask((site) => signIn(site, this.#email), true))
  }

  async signOut(): Promise<void> {
    const token = this.#accessToken
    const answer = await this.#ask((site) => call(site, 'POST', '/logout?scope=local', { token }), false)
    // The second try of one that was carried out says that there is no such session.
    if (answer.status !== 204 && answer.status !== 403) throw unexpected('sign-out', answer)
  }

  /** Renews the session when its access token is about to end. */
  async keepFresh(): Promise<void> {
    if (Date.now() - this.#givenAt < this.#lifetime * (1 - MARGIN)) return
    await this.refresh()
  }

  async refresh(): Promise<void> {
    this.#counts.refreshes += 1
    const answer = await this.#ask((site) => refresh(site, this.#refreshToken), false)
    if (answer.status === 200) return this.#keep(answer)
    this.#counts.signedOut += 1
    await this.signIn()
  }

  #keep(answer: ApiResponse): void {
    if (answer.status !== 200) throw unexpected('session', answer)
    const session = sessionOf(answer)
    this.#accessToken = session.access_token
    this.#refreshToken = session.refresh_token
    this.#givenAt = Date.now()
    this.#lifetime = (session.expires_in * 1000) / SPEED
  }

  /** Tries both servers in turns until one has something to say, as somebody does who presses again. */
  async #ask(send: (site: DataServer) => Promise<ApiResponse>, begins: boolean): Promise<ApiResponse> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const site = this.#world.sites[tries % 2 === 0 ? 1 : 0]
      const answer = await send(site).catch(() => null)
      if (answer !== null && answer.status !== 503) return answer
      if (begins) this.#counts.inDoubt += 1
      await delay(PAUSE)
    }
    throw new Error(`No server answered ${this.#email} for ${String((TRIES * PAUSE) / 1000)} s.`)
  }
}

function unexpected(what: string, { status, body }: ApiResponse): Error {
  return new Error(`The ${what} was answered with ${String(status)} ${JSON.stringify(body)}`)
}
