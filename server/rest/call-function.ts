import type { Catalogue } from './catalogue.ts'
import { type DataRequest, type DataSource, execute } from './data-request.ts'
import { preferenceApplied } from './parse-prefer.ts'
import { isOperation } from './parse-filters.ts'
import { isReserved, parseParameters } from './parse-query.ts'
import { bodyText, readArguments } from './payload.ts'
import { type CallPlan, chooseRoutine, planCall } from './plan-call.ts'
import type { Parameter } from './query-string.ts'
import { methodNotAllowedOnFunction, unknownFunction } from './refusals.ts'
import { type Answer, contentRange, contentTypeHeaders, optional, windowStatus } from './respond.ts'
import { callSql } from './sql-call.ts'
import type { ReadResult } from './sql-read.ts'

/** What a function is called with, and what is to be done with the rows it gives. */
interface GivenArguments {
  keys: readonly string[]
  text: string
  others: readonly Parameter[]
}

/** POST on a function, with its arguments in the body; GET and HEAD with them in the query string. */
export async function callFunction(source: DataSource, request: DataRequest): Promise<Answer> {
  const given = request.method === 'POST' ? argumentsInBody(request) : argumentsInQuery(request)
  const { plan, row } = await execute<ReadResult, CallPlan>(source, request.caller, (catalogue) => {
    const planned = planFunction(catalogue, request, given)
    return { plan: planned, statement: callSql(planned) }
  })
  const window = {
    offset: plan.rows.range.offset,
    rows: Number(row.row_count),
    total: row.total === null ? null : Number(row.total),
  }
  const { count, handling } = request.preferences
  const headers = {
    'content-range': contentRange(window),
    ...optional('preference-applied', preferenceApplied({ count, handling })),
  }
  if (plan.routine.returns === 'void') return { status: 204, headers, body: null }
  return {
    status: windowStatus(window),
    headers: { ...headers, ...contentTypeHeaders(request) },
    body: plan.rows.withBody ? row.body : null,
  }
}

function argumentsInBody({ body, headers, parameters }: DataRequest): GivenArguments {
  const { keys, text } = readArguments(bodyText(body, headers['content-type']))
  return { keys, text, others: parameters }
}

/** A parameter is an argument unless it has a meaning of its own or a value like that of a filter. */
function argumentsInQuery({ parameters }: DataRequest): GivenArguments {
  const isArgument = ([key, value]: Parameter) =>
    !isReserved(key) && !key.includes('.') && !isOperation(value)
  const values = Object.fromEntries(parameters.filter(isArgument))
  const others = parameters.filter((parameter) => !isArgument(parameter))
  return { keys: Object.keys(values), text: JSON.stringify(values), others }
}

function planFunction(catalogue: Catalogue, request: DataRequest, given: GivenArguments): CallPlan {
  const { resource, method } = request
  const candidates = catalogue.routines(resource)
  const routine = chooseRoutine(candidates, given.keys)
  if (routine === null) {
    const hint =
      candidates[0] === undefined ? null : `Perhaps you meant to call the function ${hinted(candidates[0])}`
    throw unknownFunction(resource, given.keys, hint)
  }
  if (method !== 'POST' && routine.volatility === 'volatile') {
    throw methodNotAllowedOnFunction(method, 'The function may change data. Call it with POST.')
  }
  return planCall(routine, given.keys, given.text, {
    query: parseParameters(given.others, resource),
    preferences: request.preferences,
    format: request.format,
    rangeHeader: method === 'POST' ? null : (request.headers.range ?? null),
    withBody: method !== 'HEAD',
  })
}

function hinted({ name, parameters }: { name: string; parameters: ReadonlyMap<string, unknown> }): string {
  return `public.${name}(${[...parameters.keys()].toSorted().join(', ')})`
}
