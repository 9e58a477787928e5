import type { Parameter, Routine } from './catalogue.ts'
import { planRows, type ReadRequest, type RowsPlan } from './plan-read.ts'
import { ambiguousFunction } from './refusals.ts'

/** A call of a function with named arguments. */
export interface CallPlan {
  routine: Routine
  /** JSON text of one object that holds the arguments. */
  argumentText: string
  given: readonly Parameter[]
  rows: RowsPlan
}

/**
 * The one function that takes exactly these arguments, its optional ones left out or not; null if there is none.
 * Throws PGRST203 if there are several.
 */
export function chooseRoutine(candidates: readonly Routine[], keys: readonly string[]): Routine | null {
  const fitting = candidates.filter(
    ({ parameters }) =>
      keys.every((key) => parameters.has(key)) &&
      [...parameters.values()].every((parameter) => !parameter.isRequired || keys.includes(parameter.name)),
  )
  if (fitting.length > 1) throw ambiguousFunction(fitting.map((routine) => routine.signature))
  return fitting[0] ?? null
}

export function planCall(
  routine: Routine,
  keys: readonly string[],
  argumentText: string,
  request: ReadRequest,
): CallPlan {
  const given = keys.flatMap((key) => routine.parameters.get(key) ?? [])
  return { routine, argumentText, given, rows: planRows(routine, request) }
}
