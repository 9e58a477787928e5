import type { Section } from './options.ts'
import { spreadOf, type Spread } from './statistics.ts'

export type Unit =
  '/s' | 'ms' | 's' | 'µs' | 'MB' | 'KB' | '%' | 'pages' | 'requests' | 'nodes' | 'listeners' | 'score'

/** What a number must not pass. */
export interface Target {
  of: 'value' | 'ratio'
  limit: 'at least' | 'at most'
  amount: number
}

/** One line of the table: a number, and what it is compared with. */
export interface Finding {
  section: Section
  what: string
  unit: Unit
  value: Spread
  comparedWith: string
  /** Null where the comparison is with the target alone. */
  reference: Spread | null
  /** Value by reference, taken round by round. */
  ratio: Spread | null
  target: Target | null
}

type Named = Pick<Finding, 'section' | 'what' | 'unit' | 'comparedWith'> & { target?: Target }

/** A number beside a reference that was measured in the same rounds: both lists have one entry a round. */
export function compare(named: Named, values: readonly number[], references: readonly number[]): Finding {
  const ratios = values.map((value, round) => value / (references[round] ?? Number.NaN))
  return {
    ...named,
    value: spreadOf(values),
    reference: spreadOf(references),
    ratio: spreadOf(ratios),
    target: named.target ?? null,
  }
}

/** A number that stands by itself, or beside its target. */
export function state(
  { section, what, unit, target = null }: Omit<Named, 'comparedWith' | 'target'> & { target?: Target | null },
  values: readonly number[],
): Finding {
  const comparedWith = target === null ? 'nothing' : 'the target alone'
  return { section, what, unit, comparedWith, value: spreadOf(values), reference: null, ratio: null, target }
}

export function atLeast(of: Target['of'], amount: number): Target {
  return { of, limit: 'at least', amount }
}

export function atMost(of: Target['of'], amount: number): Target {
  return { of, limit: 'at most', amount }
}

/** Whether the median keeps to the target; null without one. */
export function isMet({ target, value, ratio }: Finding): boolean | null {
  if (target === null) return null
  const measured = (target.of === 'ratio' ? ratio : value)?.median ?? Number.NaN
  return target.limit === 'at least' ? measured >= target.amount : measured <= target.amount
}
