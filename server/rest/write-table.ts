import type { Table } from './catalogue.ts'
import { type DataRequest, type DataSource, execute, findTable } from './data-request.ts'
import { preferenceApplied, type Preferences } from './parse-prefer.ts'
import { type ParsedQuery, parseParameters } from './parse-query.ts'
import { bodyText, type Payload, readRows } from './payload.ts'
import { planDelete, planInsert, planUpdate, type WriteRequest } from './plan-write.ts'
import { type Answer, contentRange, contentTypeHeaders, optional } from './respond.ts'
import type { Sql } from './sql-fragment.ts'
import { deleteSql, insertSql, updateSql, type WriteResult } from './sql-write.ts'

/** POST on a table: adds rows, or changes those that are there if `resolution` says so. */
export async function insertRows(source: DataSource, request: DataRequest): Promise<Answer> {
  const { preferences } = request
  const { table, result } = await write(source, request, (target, asked) => {
    const plan = planInsert(target, asked, payloadOf(request, asked.query))
    return insertSql(plan)
  })
  const rows = Number(result.row_count)
  const onlyChanged = preferences.resolution === 'merge-duplicates' && result.inserted === '0'
  const hasKey = table.primaryKey.length > 0 || request.parameters.some(([key]) => key === 'on_conflict')
  const applied = hasKey ? preferences : { ...preferences, resolution: null }
  return {
    status: onlyChanged ? 200 : 201,
    headers: {
      'content-range': `*/${preferences.count === null ? '*' : rows}`,
      ...optional('location', location(table, result)),
      ...optional('preference-applied', preferenceApplied(applied)),
      ...(preferences.return === 'representation' ? contentTypeHeaders(request) : {}),
    },
    body: preferences.return === 'representation' ? result.body : null,
  }
}

/** PATCH on a table: changes the rows that meet the filters. */
export async function updateRows(source: DataSource, request: DataRequest): Promise<Answer> {
  const { result } = await write(source, request, (table, asked) =>
    updateSql(planUpdate(table, asked, payloadOf(request, asked.query))),
  )
  const rows = Number(result.row_count)
  const total = request.preferences.count === null ? null : rows
  const applied = { ...request.preferences, resolution: null }
  return changed(request, result, contentRange({ offset: 0, rows, total }), applied)
}

/** DELETE on a table: removes the rows that meet the filters. */
export async function deleteRows(source: DataSource, request: DataRequest): Promise<Answer> {
  const { result } = await write(source, request, (table, asked) => deleteSql(planDelete(table, asked)))
  const range = `*/${request.preferences.count === null ? '*' : result.row_count}`
  return changed(request, result, range, { ...request.preferences, resolution: null, missing: null })
}

async function write(
  source: DataSource,
  request: DataRequest,
  toSql: (table: Table, asked: WriteRequest) => Sql,
): Promise<{ table: Table; result: WriteResult }> {
  const { caller, parameters, resource, preferences, format } = request
  const { plan, row } = await execute<WriteResult, Table>(source, caller, (catalogue) => {
    const table = findTable(catalogue, resource)
    const query = parseParameters(parameters, resource)
    return { plan: table, statement: toSql(table, { query, preferences, format }) }
  })
  return { table: plan, result: row }
}

function payloadOf(request: DataRequest, query: ParsedQuery): Payload {
  return readRows(bodyText(request.body, request.headers['content-type']), query.columns)
}

function changed(request: DataRequest, result: WriteResult, range: string, applied: Preferences): Answer {
  const showsRows = request.preferences.return === 'representation'
  return {
    status: showsRows ? 200 : 204,
    headers: {
      'content-range': range,
      ...optional('preference-applied', preferenceApplied(applied)),
      ...(showsRows ? contentTypeHeaders(request) : {}),
    },
    body: showsRows ? result.body : null,
  }
}

/** Where the one new row can be read. */
function location(table: Table, { location: key }: WriteResult): string | null {
  if (key === null) return null
  const filters = table.primaryKey.map(
    (column, index) => `${encodeURIComponent(column.name)}=eq.${encodeURIComponent(key[index] ?? '')}`,
  )
  return `/${encodeURIComponent(table.name)}?${filters.join('&')}`
}
