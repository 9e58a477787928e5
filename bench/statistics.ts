/** The middle of several rounds, with the outermost ones. */
export interface Spread {
  median: number
  min: number
  max: number
}

/** The value below which the given share of all values lies (nearest rank). Throws when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('Nothing was measured.')
  return value
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: percentile(values, 0), max: percentile(values, 1) }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  const upper = sorted[Math.floor(sorted.length / 2)]
  if (lower === undefined || upper === undefined) throw new Error('Nothing was measured.')
  return (lower + upper) / 2
}
