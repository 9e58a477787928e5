import { type DataRequest, type DataResponse, type DataSource, execute } from './data-request.ts'
import { ambiguousFunction, methodNotAllowedOnFunction, unknownFunction } from './errors.ts'
import { contentHeaders, preferenceApplied } from './headers.ts'
import { decodeBody, parseArguments } from './parse-body.ts'
import { isFilterValue } from './parse-filters.ts'
import { isReserved, parseQuery, type QueryParameter } from './parse-query.ts'
import { planRows, type ReadRequest, type RowsPlan } from './plan-read.ts'
import { contentRange, rangeStatus } from './row-range.ts'
import type { Routine, RoutineParameter, SchemaCache } from './schema-cache.ts'
import {
  bodyColumns,
  bodyJson,
  jsonRows,
  rangeClause,
  readResult,
  type ReadResult,
  totalSql,
} from './sql-read.ts'
import { bound, clauses, columnDefinitions, EMPTY, joinSql, sql, type Sql } from './sql.ts'

/** POST on a function, with arguments in the body; GET and HEAD, with arguments in the query string. */
export async function callFunction(source: DataSource, request: DataRequest): Promise<DataResponse> {
  const input = request.method === 'POST' ? inputFromBody(request) : inputFromQuery(request)
  const { plan, row } = await execute<ReadResult, CallPlan>(source, request.caller, (schema) => {
    const call = planRequest(schema, request, input)
    const { statementTimeout, volatility } = call.routine
    const bytes = request.body?.length ?? 0
    const writes = volatility === 'volatile' ? ({ bytes, rows: 'all' } as const) : null
    return { plan: call, statement: callSql(call), timeout: statementTimeout, writes }
  })
  const returned = {
    offset: plan.rows.range.offset,
    rows: Number(row.row_count),
    total: row.total === null ? null : Number(row.total),
  }
  const { count, handling } = request.preferences
  const headers = { 'content-range': contentRange(returned), ...preferenceApplied({ count, handling }) }
  if (plan.routine.returns === 'void') return { status: 204, headers, body: null }
  return {
    status: rangeStatus(returned),
    headers: { ...headers, ...contentHeaders(request) },
    body: plan.rows.withBody ? row.body : null,
  }
}

interface CallInput {
  /** Names of the arguments. */
  keys: readonly string[]
  /** JSON text of an object with the arguments. */
  text: string
  /** Parameters that select, filter, order and limit the returned rows. */
  readParameters: readonly QueryParameter[]
}

function inputFromBody({ body, headers, parameters }: DataRequest): CallInput {
  const { keys, text } = parseArguments(decodeBody(body, headers['content-type']))
  return { keys, text, readParameters: parameters }
}

/** A parameter is an argument unless its key is reserved or its value looks like that of a filter. */
function inputFromQuery({ parameters }: DataRequest): CallInput {
  const isArgument = ([key, value]: QueryParameter) =>
    !isReserved(key) && !key.includes('.') && !isFilterValue(value)
  const values = Object.fromEntries(parameters.filter(isArgument))
  const readParameters = parameters.filter((parameter) => !isArgument(parameter))
  return { keys: Object.keys(values), text: JSON.stringify(values), readParameters }
}

/** A function call with named arguments, and how to read the rows it returns. */
export interface CallPlan {
  routine: Routine
  /** JSON text of an object with the arguments. */
  argumentText: string
  parameters: readonly RoutineParameter[]
  rows: RowsPlan
}

function planRequest(schema: SchemaCache, request: DataRequest, input: CallInput): CallPlan {
  const { resource, method } = request
  const candidates = schema.routines(resource)
  const routine = chooseRoutine(candidates, input.keys)
  if (routine === null) throw unknownFunction(resource, input.keys, hintFor(candidates))
  if (method !== 'POST' && routine.volatility === 'volatile') {
    throw methodNotAllowedOnFunction(method, 'The function may change data. Call it with POST.')
  }
  return planCall(routine, input.keys, input.text, {
    query: parseQuery(input.readParameters),
    preferences: request.preferences,
    format: request.format,
    rangeHeader: method === 'POST' ? null : (request.headers.range ?? null),
    withBody: method !== 'HEAD',
  })
}

function hintFor(candidates: readonly Routine[]): string | null {
  const candidate = candidates.find(({ returns }) => returns !== 'unsupported')
  if (candidate === undefined) return null
  const parameters = [...candidate.parameters.keys()].toSorted().join(', ')
  return `Perhaps you meant to call the function public.${candidate.name}(${parameters})`
}

/**
 * The function that takes all of these arguments and requires no others; null if there is none that can be called.
 * Throws PGRST203 if there are several.
 */
export function chooseRoutine(candidates: readonly Routine[], keys: readonly string[]): Routine | null {
  const matching = candidates.filter(
    ({ parameters }) =>
      keys.every((key) => parameters.has(key)) &&
      [...parameters.values()].every((parameter) => !parameter.isRequired || keys.includes(parameter.name)),
  )
  if (matching.length > 1) throw ambiguousFunction(matching.map((routine) => routine.signature))
  const [routine = null] = matching
  return routine?.returns === 'unsupported' ? null : routine
}

/** `keys` name the arguments in `argumentText`. Throws the errors of `planRows`. */
export function planCall(
  routine: Routine,
  keys: readonly string[],
  argumentText: string,
  request: ReadRequest,
): CallPlan {
  const parameters = keys.flatMap((key) => routine.parameters.get(key) ?? [])
  return { routine, argumentText, parameters, rows: planRows(routine, request) }
}

/**
 * The statement of a call, with a `ReadResult`. The function is called exactly once, in `called`; selection, count and
 * range apply to its result.
 */
export function callSql(plan: CallPlan): Sql {
  const { routine } = plan
  const rows = { ...plan.rows, format: formatOf(plan) }
  const mustBeSingle = plan.rows.format.shape === 'object' && routine.returnsSet
  const check = mustBeSingle ? sql`, intercede.require_single_row(count(*))` : EMPTY
  const called = sql`called as t`
  if (routine.returns === 'rows') {
    return sql`with called as materialized (select t.* from ${callSource(plan)} as t) ${readResult(rows, called, check)}`
  }
  const values = clauses(sql`select t.value from ${called}`, rangeClause(rows))
  return sql`with called as materialized (select t.value from ${callSource(plan)} as t(value)) select count(*) as row_count, ${valueColumns(routine, rows)}, ${totalSql(rows, called)} as total${check} from ${jsonRows(sql`to_json(r.value)`, values, rows.format)}`
}

/** A single value is as large as the function makes it; only lists have the limit of other results. */
function valueColumns(routine: Routine, { format, withBody }: RowsPlan): Sql {
  if (routine.returns === 'void' || !withBody) return sql`'' as body`
  return routine.returnsSet ? bodyColumns(format) : sql`${bodyJson(format)} as body`
}

/** The result of a function that returns a single row or value is that, not an array. */
function formatOf({ routine, rows }: CallPlan): RowsPlan['format'] {
  return routine.returnsSet ? rows.format : { ...rows.format, shape: 'object' }
}

function callSource({ routine, argumentText, parameters }: CallPlan): Sql {
  if (parameters.length === 0) return sql`${routine.identifier}()`
  const passed = parameters.map((parameter) => {
    const variadic = parameter.isVariadic ? sql`variadic ` : EMPTY
    return sql`${variadic}${parameter.identifier} => b.${parameter.identifier}`
  })
  const record = sql`json_to_record(${bound(argumentText)}::json) as b(${columnDefinitions(parameters)})`
  return sql`${record}, lateral ${routine.identifier}(${joinSql(passed, ', ')})`
}
