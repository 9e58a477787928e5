import { type DataRequest, type DataSource, execute, findTable } from './data-request.ts'
import { preferenceApplied } from './parse-prefer.ts'
import { parseParameters } from './parse-query.ts'
import { planRead, type ReadPlan } from './plan-read.ts'
import { contentLocation } from './query-string.ts'
import { notSingular } from './refusals.ts'
import { type Answer, contentRange, contentTypeHeaders, optional, windowStatus } from './respond.ts'
import { type ReadResult, readSql } from './sql-read.ts'

/** GET and HEAD on a table. */
export async function readTable(source: DataSource, request: DataRequest): Promise<Answer> {
  const { caller, preferences, format, headers, parameters, resource } = request
  const withBody = request.method !== 'HEAD'
  const { plan, row } = await execute<ReadResult, ReadPlan>(source, caller, (catalogue) => {
    const planned = planRead(findTable(catalogue, resource), {
      query: parseParameters(parameters, resource),
      preferences,
      format,
      rangeHeader: headers.range ?? null,
      withBody,
    })
    return { plan: planned, statement: readSql(planned) }
  })
  const rows = Number(row.row_count)
  if (format.shape === 'object' && rows !== 1) throw notSingular(rows)
  const window = {
    offset: plan.range.offset,
    rows,
    total: row.total === null ? null : Number(row.total),
  }
  return {
    status: windowStatus(window),
    headers: {
      'content-range': contentRange(window),
      'content-location': contentLocation(resource, parameters),
      ...contentTypeHeaders(request),
      ...optional(
        'preference-applied',
        preferenceApplied({ count: preferences.count, handling: preferences.handling }),
      ),
    },
    body: withBody ? row.body : null,
  }
}
