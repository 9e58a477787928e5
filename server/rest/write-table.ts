import {
  type DataRequest,
  type DataResponse,
  type DataSource,
  execute,
  findTable,
  type SentChanges,
} from './data-request.ts'
import { contentHeaders, preferenceApplied, type Preferences } from './headers.ts'
import { decodeBody, parseRows, type Payload } from './parse-body.ts'
import type { Condition } from './parse-filters.ts'
import { parseQuery } from './parse-query.ts'
import { planDelete, planInsert, planUpdate, type WriteRequest } from './plan-write.ts'
import { contentRange } from './row-range.ts'
import type { Table } from './schema-cache.ts'
import { deleteSql, insertSql, updateSql, type WriteResult } from './sql-write.ts'
import type { Sql } from './sql.ts'

/** POST on a table: inserts rows, or upserts them if the preference `resolution` is given. */
export async function insertRows(source: DataSource, request: DataRequest): Promise<DataResponse> {
  const { preferences } = request
  const { table, result } = await write(source, request, (target, writeRequest) =>
    insertSql(planInsert(target, writeRequest, payloadOf(request, writeRequest))),
  )
  const hasInserted = preferences.resolution !== 'merge-duplicates' || result.inserted !== '0'
  const hasKey = table.primaryKey.length > 0 || request.parameters.some(([key]) => key === 'on_conflict')
  const returnsRows = preferences.return === 'representation'
  return {
    status: hasInserted ? 201 : 200,
    headers: {
      'content-range': `*/${preferences.count === null ? '*' : result.row_count}`,
      ...preferenceApplied(hasKey ? preferences : { ...preferences, resolution: null }),
      ...(returnsRows ? contentHeaders(request) : {}),
    },
    body: returnsRows ? result.body : null,
  }
}

/** PATCH on a table: updates the rows that match the filters. */
export async function updateRows(source: DataSource, request: DataRequest): Promise<DataResponse> {
  const { result } = await write(source, request, (table, writeRequest) =>
    updateSql(planUpdate(table, writeRequest, payloadOf(request, writeRequest))),
  )
  const rows = Number(result.row_count)
  const total = request.preferences.count === null ? null : rows
  const applied = { ...request.preferences, resolution: null }
  return changeResponse(request, result, contentRange({ offset: 0, rows, total }), applied)
}

/** DELETE on a table: deletes the rows that match the filters. */
export async function deleteRows(source: DataSource, request: DataRequest): Promise<DataResponse> {
  const { result } = await write(source, request, (table, writeRequest) =>
    deleteSql(planDelete(table, writeRequest)),
  )
  const range = `*/${request.preferences.count === null ? '*' : result.row_count}`
  const applied = { ...request.preferences, resolution: null, missing: null }
  return changeResponse(request, result, range, applied)
}

async function write(
  source: DataSource,
  request: DataRequest,
  toSql: (table: Table, writeRequest: WriteRequest) => Sql,
): Promise<{ table: Table; result: WriteResult }> {
  const { caller, parameters, resource, preferences, format } = request
  const { plan, row } = await execute<WriteResult, Table>(source, caller, (schema) => {
    const table = findTable(schema, resource)
    const query = parseQuery(parameters)
    const statement = toSql(table, { query, preferences, format })
    const bytes = request.body?.length ?? 0
    return { plan: table, statement, writes: { bytes, rows: writtenRows(table, request, query.conditions) } }
  })
  return { table: plan, result: row }
}

/**
 * An insert that merges changes rows which exist, and a deletion can take other rows along. An update changes one row if its conditions,
 * which all have to be met, name the key.
 */
function writtenRows(
  { primaryKey }: Table,
  { method, preferences }: DataRequest,
  conditions: readonly Condition<string>[],
): SentChanges['rows'] {
  if (method === 'POST') return preferences.resolution === 'merge-duplicates' ? 'all' : 'sent'
  const [key] = primaryKey
  const isOneRow = conditions.some(
    (condition) =>
      condition.kind === 'comparison' &&
      condition.operator === 'eq' &&
      !condition.negated &&
      condition.column === key?.name,
  )
  return method === 'PATCH' && primaryKey.length === 1 && isOneRow ? 'one' : 'all'
}

function payloadOf({ body, headers }: DataRequest, { query }: WriteRequest): Payload {
  return parseRows(decodeBody(body, headers['content-type']), query.columns)
}

function changeResponse(
  request: DataRequest,
  result: WriteResult,
  range: string,
  applied: Preferences,
): DataResponse {
  const returnsRows = request.preferences.return === 'representation'
  return {
    status: returnsRows ? 200 : 204,
    headers: {
      'content-range': range,
      ...preferenceApplied(applied),
      ...(returnsRows ? contentHeaders(request) : {}),
    },
    body: returnsRows ? result.body : null,
  }
}
