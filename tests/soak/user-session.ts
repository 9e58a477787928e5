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
import { type Installation, SPEED } from './installation.ts'

/** An access token is refreshed when less than this share of its lifetime is left. */
const REFRESH_MARGIN = 0.3
/** Milliseconds between two attempts. */
const RETRY_PAUSE = 200
/** Enough attempts for every restart. */
const MAX_ATTEMPTS = 300

export interface SessionCounts {
  signIns: number
  refreshes: number
  /** Sign-ins and sign-ups without a response: the database may contain a session that no client knows. */
  unknown: number
  /** Refreshes that the server rejected. */
  signedOut: number
}

/** The session of a user on one device. Requests are repeated until one of the two servers responds. */
export class UserSession {
  readonly #installation: Installation
  readonly #email: string
  readonly #counts: SessionCounts
  #accessToken = ''
  #refreshToken = ''
  /** When the access token was issued, and its lifetime: both in milliseconds of the real clock. */
  #issuedAt = 0
  #lifetime = 0

  constructor(installation: Installation, email: string, counts: SessionCounts) {
    this.#installation = installation
    this.#email = email
    this.#counts = counts
  }

  get accessToken(): string {
    return this.#accessToken
  }

  async signUp(): Promise<void> {
    const body = { email: this.#email, password: PASSWORD }
    const response = await this.#request((site) => call(site, 'POST', '/signup', { body }), true)
    // 422: a previous attempt created the account, but its response was lost.
    if (response.status === 422) await this.signIn()
    else this.#store(response)
  }

  async signIn(): Promise<void> {
    this.#counts.signIns += 1
    this.#store(await this.#request((site) => signIn(site, this.#email), true))
  }

  async signOut(): Promise<void> {
    const token = this.#accessToken
    const response = await this.#request(
      (site) => call(site, 'POST', '/logout?scope=local', { token }),
      false,
    )
    // 403: a previous attempt ended the session, but its response was lost.
    if (response.status !== 204 && response.status !== 403) throw unexpected('sign-out', response)
  }

  /** Refreshes the session if its access token is about to expire. */
  async keepFresh(): Promise<void> {
    if (Date.now() - this.#issuedAt < this.#lifetime * (1 - REFRESH_MARGIN)) return
    await this.refresh()
  }

  async refresh(): Promise<void> {
    this.#counts.refreshes += 1
    const response = await this.#request((site) => refresh(site, this.#refreshToken), false)
    if (response.status === 200) return this.#store(response)
    this.#counts.signedOut += 1
    await this.signIn()
  }

  #store(response: ApiResponse): void {
    if (response.status !== 200) throw unexpected('session request', response)
    const session = sessionOf(response)
    this.#accessToken = session.access_token
    this.#refreshToken = session.refresh_token
    this.#issuedAt = Date.now()
    this.#lifetime = (session.expires_in * 1000) / SPEED
  }

  /** Tries both servers alternately. `createsSession`: an attempt without a response may have created a session. */
  async #request(
    send: (site: DataServer) => Promise<ApiResponse>,
    createsSession: boolean,
  ): Promise<ApiResponse> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const site = this.#installation.sites[attempt % 2 === 0 ? 1 : 0]
      const response = await send(site).catch(() => null)
      if (response !== null && response.status !== 503) return response
      if (createsSession) this.#counts.unknown += 1
      await delay(RETRY_PAUSE)
    }
    throw new Error(
      `No server responded to ${this.#email} for ${String((MAX_ATTEMPTS * RETRY_PAUSE) / 1000)} s.`,
    )
  }
}

function unexpected(what: string, { status, body }: ApiResponse): Error {
  return new Error(`The ${what} failed with ${String(status)} ${JSON.stringify(body)}`)
}
