import { isDeepStrictEqual } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { createRandom, type Random } from '#tests/faults/random.ts'
import { SimulatedUser } from '#tests/faults/simulated-user.ts'
import { Device, type SessionCounts } from './device.ts'
import type { World } from './world.ts'

/** Of a hundred things that a person does; a sixth or so of the changes puts categories into another order. */
export const MIX = { change: 60, read: 30, refresh: 8, signOutAndIn: 2 } as const
/** Milliseconds that a person thinks, on average. */
const THOUGHT = 100
/** Milliseconds after which PostgreSQL has done whatever a server that was killed had asked of it. */
const LAST_WORDS = 1_000
const PAUSE = 200
const TRIES = 300

export interface ResidentCounts extends SessionCounts {
  changes: number
  reads: number
  /** Lists that were not what they had to be. */
  wrong: number
}

/** Somebody who uses the app for as long as it is there, and remembers all that was acknowledged. */
export class Resident {
  readonly person: SimulatedUser
  readonly #device: Device
  readonly #random: Random
  readonly #world: World
  readonly #counts: ResidentCounts

  private constructor(world: World, device: Device, seed: number, counts: ResidentCounts) {
    this.#world = world
    this.#device = device
    this.#random = createRandom(seed)
    this.#counts = counts
    this.person = new SimulatedUser(() => device.accessToken, createRandom(seed + 1_000_000))
  }

  static async arrive(world: World, seed: number, counts: ResidentCounts): Promise<Resident> {
    const device = new Device(world, `resident${String(seed)}@example.org`, counts)
    await device.signUp()
    return new Resident(world, device, seed, counts)
  }

  async live(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#device.keepFresh()
      await this.#doSomething()
      await delay(this.#random.below(2 * THOUGHT))
    }
  }

  async #doSomething(): Promise<void> {
    const roll = this.#random.below(100)
    if (roll < MIX.change) await this.#change()
    else if (roll < MIX.change + MIX.read) await this.look()
    else if (roll < MIX.change + MIX.read + MIX.refresh) await this.#device.refresh()
    else {
      await this.#device.signOut()
      await this.#device.signIn()
    }
  }

  /** One change, at either server. When it is not acknowledged, a look tells whether it was made. */
  async #change(): Promise<void> {
    let isDone = false
    const count = () => {
      isDone = true
      this.#counts.changes += 1
    }
    await this.person.sendChanges(this.#random.pick(this.#world.sites), count, () => isDone)
    if (isDone) return
    await delay(LAST_WORDS)
    await this.look()
  }

  /** Reads everything there is, and compares. */
  async look(): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const site = this.#world.sites[tries % 2]
      await this.#device.keepFresh()
      if (site !== undefined && (await this.person.isServed(site))) {
        const seen = await this.person.compare(site).catch(() => null)
        if (seen !== null) return this.#compare(seen)
      }
      await delay(PAUSE)
    }
    throw new Error('No server has shown the lists.')
  }

  #compare({ stored, expected }: { stored: unknown; expected: unknown }): void {
    this.#counts.reads += 1
    if (!isDeepStrictEqual(stored, expected)) this.#counts.wrong += 1
  }
}
