import { setTimeout as delay } from 'node:timers/promises'
import { Device } from './device.ts'
import { measure, type Sample } from './measure.ts'
import type { SoakOptions } from './options.ts'
import { Resident, type ResidentCounts } from './resident.ts'
import { SPEED, type World } from './world.ts'

/** Seconds. */
const BETWEEN_SAMPLES = 5
const BETWEEN_RESTARTS = 30
const BETWEEN_RESTARTS_OF_POSTGRES = 150
const A_DAY = 86_400 / SPEED

export interface Month {
  /** How long it was. */
  minutes: number
  residents: readonly Resident[]
  /** One a day signs up, and is not seen again. */
  newcomers: number
  counts: Readonly<ResidentCounts>
  samples: readonly Sample[]
}

/** How long it is, with how many people; `signal` ends it early. */
export interface MonthOptions extends SoakOptions {
  signal: AbortSignal
}

/** People live in the world for as long as the options say; `onSample` is told what was measured meanwhile. */
export async function liveThrough(
  world: World,
  { minutes, people, signal }: MonthOptions,
  onSample: (sample: Sample, counts: ResidentCounts) => void,
): Promise<Month> {
  const counts = { changes: 0, reads: 0, wrong: 0, signIns: 0, refreshes: 0, inDoubt: 0, signedOut: 0 }
  const residents: Resident[] = []
  for (let seed = 1; seed <= people; seed += 1) residents.push(await Resident.arrive(world, seed, counts))
  const start = performance.now()
  const end = start + minutes * 60_000
  const isOver = () => signal.aborted || performance.now() > end
  const samples: Sample[] = []
  let newcomers = 0
  await Promise.all([
    ...residents.map((resident) => resident.live(isOver)),
    every(BETWEEN_RESTARTS, isOver, () => world.restartServer()),
    every(BETWEEN_RESTARTS_OF_POSTGRES, isOver, () => world.restartPostgres()),
    every(BETWEEN_SAMPLES, isOver, async () => {
      // PostgreSQL may be away just now.
      const sample = await measure(world).catch(() => null)
      if (sample === null) return
      samples.push(sample)
      onSample(sample, counts)
    }),
    every(A_DAY, isOver, async () => {
      newcomers += 1
      await new Device(world, `newcomer${String(newcomers)}@example.org`, counts).signUp()
    }),
  ])
  const lived = (performance.now() - start) / 60_000
  for (const resident of residents) await resident.look()
  return { minutes: lived, residents, newcomers, counts, samples }
}

/** Does it again and again until the end, and never while the last time is still under way. */
async function every(seconds: number, isOver: () => boolean, work: () => Promise<void>): Promise<void> {
  for (;;) {
    const next = performance.now() + seconds * 1000
    while (performance.now() < next) {
      if (isOver()) return
      await delay(200)
    }
    await work()
  }
}
