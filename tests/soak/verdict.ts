import type { Sample } from './measure.ts'

/** What may be more at the end than at the beginning: by a part of itself, and by so much besides. */
interface Allowance {
  name: string
  unit: string
  part: number
  besides: number
}

const ALLOWANCES: Readonly<Record<keyof Sample, Allowance>> = {
  serverMemory: { name: 'memory of the server', unit: 'MB', part: 0.15, besides: 10 },
  serverDescriptors: { name: 'file descriptors of the server', unit: '', part: 0, besides: 8 },
  connections: { name: 'connections to PostgreSQL', unit: '', part: 0, besides: 8 },
  postgresMemory: { name: 'memory of PostgreSQL', unit: 'MB', part: 0.15, besides: 10 },
  tables: { name: 'size of all tables', unit: 'MB', part: 0.15, besides: 1 },
}
const MEASURES = ['serverMemory', 'serverDescriptors', 'connections', 'postgresMemory', 'tables'] as const

export interface Finding {
  name: string
  unit: string
  /** Medians of the second and the last fifth of the time; in the first, everything fills. */
  early: number
  late: number
  isFlat: boolean
}

/** Compares the end with the beginning. Takes at least five samples, in the order of their time. */
export function judge(samples: readonly Sample[]): Finding[] {
  const fifth = Math.floor(samples.length / 5)
  if (fifth === 0) throw new Error('There are too few samples.')
  return MEASURES.map((measure) => {
    const { name, unit, part, besides } = ALLOWANCES[measure]
    const early = median(samples.slice(fifth, 2 * fifth).map((sample) => sample[measure]))
    const late = median(samples.slice(-fifth).map((sample) => sample[measure]))
    return { name, unit, early, late, isFlat: late <= early * (1 + part) + besides }
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
