import { type DataRequest, type DataResponse, type DataSource, execute, findTable } from './data-request.ts'
import { notSingular, unsupported } from './errors.ts'
import { contentHeaders, preferenceApplied } from './headers.ts'
import { parseQuery, type QueryParameter } from './parse-query.ts'
import { planRead, type ReadPlan } from './plan-read.ts'
import { contentRange, rangeStatus } from './row-range.ts'
import { type ReadResult, readSql } from './sql-read.ts'

/** GET and HEAD on a table. */
export async function readTable(source: DataSource, request: DataRequest): Promise<DataResponse> {
  const { caller, preferences, format, headers, parameters, resource } = request
  if (headers.range !== undefined) throw unsupported('the Range header', 'Use limit and offset.')
  const withBody = request.method !== 'HEAD'
  const { plan, row } = await execute<ReadResult, ReadPlan>(source, caller, (schema) => {
    const read = planRead(findTable(schema, resource), {
      query: parseQuery(parameters),
      preferences,
      format,
      withBody,
    })
    return { plan: read, statement: readSql(read) }
  })
  const rows = Number(row.row_count)
  if (format.shape === 'object' && rows !== 1) throw notSingular(rows)
  const returned = {
    offset: plan.range.offset,
    rows,
    total: row.total === null ? null : Number(row.total),
  }
  const { count, handling } = preferences
  return {
    status: rangeStatus(returned),
    headers: {
      'content-range': contentRange(returned),
      'content-location': contentLocation(resource, parameters),
      ...contentHeaders(request),
      ...preferenceApplied({ count, handling }),
    },
    body: withBody ? row.body : null,
  }
}

/** The value of `Content-Location`: the path with its parameters sorted by name. */
function contentLocation(resource: string, parameters: readonly QueryParameter[]): string {
  const path = `/${encodeURIComponent(resource)}`
  if (parameters.length === 0) return path
  const query = parameters
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
  return `${path}?${query}`
}
