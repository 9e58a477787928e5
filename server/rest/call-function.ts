import { type DataRequest, type DataResponse, type DataSource, execute } from './data-request.ts'
import { unknownFunction, unsupported } from './errors.ts'
import { contentHeaders, preferenceApplied } from './headers.ts'
import { decodeBody, parseArguments } from './parse-body.ts'
import { contentRange } from './row-range.ts'
import type { Routine, SchemaCache } from './schema-cache.ts'
import { bound, columnDefinitions, joinSql, sql, type Sql } from './sql.ts'

/** POST on a function, with its arguments in the body. */
export async function callFunction(source: DataSource, request: DataRequest): Promise<DataResponse> {
  if (request.parameters.length > 0) throw unsupported('query parameters of calls')
  const { keys, text } = parseArguments(decodeBody(request.body, request.headers['content-type']))
  const { plan: routine, row } = await execute<{ body: string }, Routine>(
    source,
    request.caller,
    (schema) => {
      const called = findRoutine(schema, request.resource, keys)
      const bytes = request.body?.length ?? 0
      const writes = called.isVolatile ? ({ bytes, rows: 'all' } as const) : null
      return {
        plan: called,
        statement: callSql(called, keys, text),
        timeout: called.statementTimeout,
        writes,
      }
    },
  )
  const { count, handling } = request.preferences
  const headers = {
    'content-range': contentRange({ offset: 0, rows: 1, total: count === null ? null : 1 }),
    ...preferenceApplied({ count, handling }),
  }
  if (routine.returnsVoid) return { status: 204, headers, body: null }
  return { status: 200, headers: { ...headers, ...contentHeaders(request) }, body: row.body }
}

/** Throws PGRST202 if no function of that name takes these arguments, and PGRST127 if it can't be called. */
function findRoutine(schema: SchemaCache, name: string, keys: readonly string[]): Routine {
  const routine = schema.routine(name)
  if (routine === null) throw unknownFunction(name, keys, null)
  if (routine.unsupported !== null) throw unsupported(routine.unsupported)
  const { parameters } = routine
  const required = [...parameters.values()].filter(({ isRequired }) => isRequired)
  if (keys.every((key) => parameters.has(key)) && required.every((one) => keys.includes(one.name)))
    return routine
  const listed = [...parameters.keys()].toSorted().join(', ')
  throw unknownFunction(name, keys, `Perhaps you meant to call the function public.${name}(${listed})`)
}

/** Calls a function once, with named arguments: `keys` name those in `text`, a JSON object. */
export function callSql(routine: Routine, keys: readonly string[], text: string): Sql {
  const body = routine.returnsVoid ? sql`''` : sql`coalesce(to_json(t.value)::text, 'null')`
  return sql`select ${body} as body from ${callSource(routine, keys, text)} as t(value)`
}

function callSource({ identifier, parameters }: Routine, keys: readonly string[], text: string): Sql {
  const given = keys.flatMap((key) => parameters.get(key) ?? [])
  if (given.length === 0) return sql`${identifier}()`
  const passed = given.map((parameter) => sql`${parameter.identifier} => b.${parameter.identifier}`)
  const record = sql`json_to_record(${bound(text)}::json) as b(${columnDefinitions(given)})`
  return sql`${record}, lateral ${identifier}(${joinSql(passed, ', ')})`
}
