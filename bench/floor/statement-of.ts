import type { Statement } from '#server/db/request-scope.ts'
import type { Catalogue } from '#server/rest/catalogue.ts'
import { findTable, readHeaders } from '#server/rest/data-request.ts'
import { parseParameters } from '#server/rest/parse-query.ts'
import { readArguments, readRows } from '#server/rest/payload.ts'
import { chooseRoutine, planCall } from '#server/rest/plan-call.ts'
import { planRead } from '#server/rest/plan-read.ts'
import { planInsert, planUpdate } from '#server/rest/plan-write.ts'
import { parseQuery, queryOf } from '#server/rest/query-string.ts'
import { callSql } from '#server/rest/sql-call.ts'
import type { Sql } from '#server/rest/sql-fragment.ts'
import { readSql } from '#server/rest/sql-read.ts'
import { insertSql, updateSql } from '#server/rest/sql-write.ts'
import { toStatement } from '#server/rest/statement-names.ts'
import type { WireRequest } from '../wire.ts'

const PATH = /^\/rest\/v1\/(rpc\/)?([^?]+)/

/** The statement with which the server answers a request for data. */
export function statementOf(catalogue: Catalogue, request: WireRequest): Statement {
  return toStatement(sqlOf(catalogue, request))
}

function sqlOf(catalogue: Catalogue, { method, path, headers, body }: WireRequest): Sql {
  const [, isCall, name = ''] = PATH.exec(path) ?? []
  const query = parseParameters(parseQuery(queryOf(path)), name)
  const asked = { query, ...readHeaders(headers), rangeHeader: null, withBody: true }
  if (isCall !== undefined) {
    const given = readArguments(body ?? '')
    const routine = chooseRoutine(catalogue.routines(name), given.keys)
    if (routine === null) throw new Error(`There is no function ${name}.`)
    return callSql(planCall(routine, given.keys, given.text, asked))
  }
  const table = findTable(catalogue, name)
  if (method === 'GET') return readSql(planRead(table, asked))
  const payload = readRows(body ?? '', query.columns)
  return method === 'POST'
    ? insertSql(planInsert(table, asked, payload))
    : updateSql(planUpdate(table, asked, payload))
}
