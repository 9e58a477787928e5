import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { type Site, startSite } from '#tests/faults/site.ts'

/** How much faster the servers' clocks run: a month takes an hour. */
export const SPEED = 720
/** Seconds of the servers' clocks, and 50 of the real one. */
const TOKEN_LIFETIME = 36_000
const MAX_START_ATTEMPTS = 10
const FAST_CLOCK = fileURLToPath(new URL('./fast-clock.mjs', import.meta.url))

/** Two servers with fast clocks on one PostgreSQL. One runs all the time, the other is restarted often. */
export class Installation {
  readonly permanent: Site
  restarts = { server: 0, killed: 0, postgres: 0 }
  #restarted: Site
  #postgres: EmbeddedPostgres
  readonly #folder: string
  readonly #environment: Record<string, string>

  private constructor(
    folder: string,
    postgres: EmbeddedPostgres,
    environment: Record<string, string>,
    [permanent, restarted]: readonly [Site, Site],
  ) {
    this.#folder = folder
    this.#postgres = postgres
    this.#environment = environment
    this.permanent = permanent
    this.#restarted = restarted
  }

  /** `start`: the time at which the fast clocks agree with the real one, in milliseconds since 1970. */
  static async start(start: number): Promise<Installation> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'intercede-soak-')))
    const postgres = await startEmbeddedPostgres({ dataDir: folder })
    const environment = {
      DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      JWT_EXPIRY: String(TOKEN_LIFETIME),
      NODE_OPTIONS: `--import=${FAST_CLOCK}`,
      SOAK_START: String(start),
      SOAK_SPEED: String(SPEED),
    }
    const startServer = () => startSite(environment, postgres.url)
    return new Installation(folder, postgres, environment, [await startServer(), await startServer()])
  }

  get databaseUrl(): string {
    return this.#postgres.url
  }

  /** The data folder, which is part of the command lines of PostgreSQL's processes. */
  get folder(): string {
    return this.#folder
  }

  /** Both servers. The second one may be down. */
  get sites(): readonly [Site, Site] {
    return [this.permanent, this.#restarted]
  }

  /** Alternately with SIGTERM and with SIGKILL. */
  async restartServer(): Promise<void> {
    this.restarts.server += 1
    const isKilled = this.restarts.server % 2 === 0
    if (isKilled) this.restarts.killed += 1
    const code = await this.#restarted.process.end(isKilled ? 'SIGKILL' : 'SIGTERM')
    if (!isKilled && code !== 0) throw new Error(`The server exited with ${String(code)}.`)
    this.#restarted = await this.#startAgain()
  }

  /** A start may fail while PostgreSQL is restarted; like a process manager, this tries again. */
  async #startAgain(): Promise<Site> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await startSite(this.#environment, this.databaseUrl)
      } catch (error) {
        if (attempt === MAX_START_ATTEMPTS) throw error
      }
    }
  }

  async restartPostgres(): Promise<void> {
    this.restarts.postgres += 1
    await this.#postgres.stop()
    this.#postgres = await startEmbeddedPostgres({ dataDir: this.#folder })
  }

  async stop(): Promise<void> {
    await Promise.all(this.sites.map((site) => site.process.end('SIGTERM')))
    await this.#postgres.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
