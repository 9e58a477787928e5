import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { makeFolder, type Site, startSite } from '#tests/faults/site.ts'

/** A month in an hour. */
export const SPEED = 720
/** Seconds of the servers: a fraction of a minute of ours, since requests take as long as ever. */
const TOKEN_LIFETIME = 36_000
/** How often a server is started before it counts as one that can't be. */
const STARTS = 10
const FAST_CLOCK = fileURLToPath(new URL('./fast-clock.mjs', import.meta.url))

/** Two servers, whose days pass quickly, on one PostgreSQL. One runs all the time, the other is restarted often. */
export class World {
  readonly lasting: Site
  restarts = { server: 0, killed: 0, postgres: 0 }
  #restarted: Site
  #postgres: EmbeddedPostgres
  readonly #folder: string
  readonly #environment: Record<string, string>

  private constructor(
    folder: string,
    postgres: EmbeddedPostgres,
    environment: Record<string, string>,
    [lasting, restarted]: readonly [Site, Site],
  ) {
    this.#folder = folder
    this.#postgres = postgres
    this.#environment = environment
    this.lasting = lasting
    this.#restarted = restarted
  }

  /** Their clocks leave `start` (milliseconds since 1970) together. */
  static async open(start: number): Promise<World> {
    const folder = await makeFolder()
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
    return new World(folder, postgres, environment, [await startServer(), await startServer()])
  }

  get databaseUrl(): string {
    return this.#postgres.url
  }

  /** Where PostgreSQL keeps everything; its processes name it. */
  get cluster(): string {
    return this.#folder
  }

  /** Both, in no order that means anything. The second may be away just now. */
  get sites(): readonly [Site, Site] {
    return [this.lasting, this.#restarted]
  }

  /** In good order, or without warning, in turns. */
  async restartServer(): Promise<void> {
    this.restarts.server += 1
    const isKilled = this.restarts.server % 2 === 0
    if (isKilled) this.restarts.killed += 1
    const code = await this.#restarted.process.end(isKilled ? 'SIGKILL' : 'SIGTERM')
    if (!isKilled && code !== 0) throw new Error(`The server ended with ${String(code)}.`)
    this.#restarted = await this.#startAgain()
  }

  /** While PostgreSQL is restarted too, a start may fail; whoever watches over it starts it once more. */
  async #startAgain(): Promise<Site> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await startSite(this.#environment, this.databaseUrl)
      } catch (error) {
        if (tries === STARTS) throw error
      }
    }
  }

  async restartPostgres(): Promise<void> {
    this.restarts.postgres += 1
    await this.#postgres.stop()
    this.#postgres = await startEmbeddedPostgres({ dataDir: this.#folder })
  }

  async close(): Promise<void> {
    await Promise.all(this.sites.map((site) => site.process.end('SIGTERM')))
    await this.#postgres.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
