export type Unit = '/s' | 'ms' | 's' | 'µs' | 'MB' | 'KB' | 'pages' | 'rows' | 'transactions' | 'score'

/** The median of several rounds, with the lowest and the highest value. */
export interface Spread {
  median: number
  min: number
  max: number
}

/** A limit for the value itself, or for its ratio to the reference. */
export interface Target {
  of: 'value' | 'ratio'
  limit: 'at least' | 'at most'
  amount: number
}

/** One line of the table: a measured value and what it is compared with. */
export interface Finding {
  what: string
  unit: Unit
  value: Spread
  comparedWith: string
  /** Null if there is nothing to compare with but the target. */
  reference: Spread | null
  /** Value divided by reference, computed per round. */
  ratio: Spread | null
  target: Target | null
}

interface Description {
  what: string
  unit: Unit
  target?: Target | undefined
}

/** A value with a reference measured in the same rounds: both lists have one entry per round. */
export function compare(
  { what, unit, target, comparedWith }: Description & { comparedWith: string },
  values: readonly number[],
  references: readonly number[],
): Finding {
  const ratios = values.map((value, round) => value / (references[round] ?? Number.NaN))
  return {
    what,
    unit,
    comparedWith,
    value: spreadOf(values),
    reference: spreadOf(references),
    ratio: spreadOf(ratios),
    target: target ?? null,
  }
}

/** A value without a reference. */
export function measured({ what, unit, target }: Description, values: readonly number[]): Finding {
  return {
    what,
    unit,
    comparedWith: target === undefined ? '' : 'its target',
    value: spreadOf(values),
    reference: null,
    ratio: null,
    target: target ?? null,
  }
}

export function atLeast(of: Target['of'], amount: number): Target {
  return { of, limit: 'at least', amount }
}

export function atMost(of: Target['of'], amount: number): Target {
  return { of, limit: 'at most', amount }
}

/** Whether the median meets the target; null without a target. */
export function isMet({ target, value, ratio }: Finding): boolean | null {
  if (target === null) return null
  const median = (target.of === 'ratio' ? ratio : value)?.median ?? Number.NaN
  return target.limit === 'at least' ? median >= target.amount : median <= target.amount
}

/** The mean. Throws when there are no values. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new Error('Nothing was measured.')
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The value that the given share of all values does not exceed (nearest rank). Throws when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('Nothing was measured.')
  return value
}

/** Median, minimum and maximum. Throws when there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  const upper = sorted[Math.floor(sorted.length / 2)]
  if (lower === undefined || upper === undefined) throw new Error('Nothing was measured.')
  return { median: (lower + upper) / 2, min: percentile(values, 0), max: percentile(values, 1) }
}

const HEADERS = ['', 'measured', 'compared with', 'reference', 'ratio', 'range', 'target', '']

/** The findings as a plain-text table: medians, and the range of the rounds. */
export function renderTable(findings: readonly Finding[]): string {
  const rows = [HEADERS, ...findings.map(cellsOf)]
  const widths = HEADERS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  lines.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}

function cellsOf(finding: Finding): string[] {
  const { what, value, unit, comparedWith, reference, ratio, target } = finding
  const met = isMet(finding)
  return [
    what,
    formatQuantity(value.median, unit),
    comparedWith,
    reference === null ? '' : formatQuantity(reference.median, unit),
    ratio === null ? '' : ratio.median.toFixed(2),
    formatRange(ratio ?? value),
    target === null ? '' : formatTarget(target, unit),
    met === null ? '' : met ? 'met' : 'MISSED',
  ]
}

function formatRange({ min, max }: Spread): string {
  return min === max ? '' : `${formatNumber(min)} to ${formatNumber(max)}`
}

function formatTarget({ of, limit, amount }: Target, unit: Unit): string {
  const sign = limit === 'at least' ? '≥' : '≤'
  return `${sign} ${of === 'ratio' ? amount.toFixed(2) : formatQuantity(amount, unit)}`
}

function formatQuantity(amount: number, unit: Unit): string {
  return unit === 'score' ? formatNumber(amount) : `${formatNumber(amount)} ${unit}`
}

function formatNumber(amount: number): string {
  if (Number.isInteger(amount)) return String(amount)
  return amount.toFixed(amount >= 100 ? 0 : amount >= 10 ? 1 : 2)
}
