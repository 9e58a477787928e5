import type { Statement } from '#server/db/request-scope.ts'
import { callSql, chooseRoutine, planCall } from '#server/rest/call-function.ts'
import { findTable } from '#server/rest/data-request.ts'
import { parseHeaders } from '#server/rest/headers.ts'
import { parseArguments, parseRows } from '#server/rest/parse-body.ts'
import { parseParameters, parseQuery } from '#server/rest/parse-query.ts'
import { planRead } from '#server/rest/plan-read.ts'
import { planInsert, planUpdate } from '#server/rest/plan-write.ts'
import type { SchemaCache } from '#server/rest/schema-cache.ts'
import { readSql } from '#server/rest/sql-read.ts'
import { insertSql, updateSql } from '#server/rest/sql-write.ts'
import { render, type Sql } from '#server/rest/sql.ts'
import type { WireRequest } from '../wire.ts'

const PATH = /^\/rest\/v1\/(rpc\/)?([^?]+)/

/** The statement with which the server answers a request for data. */
export function statementOf(schema: SchemaCache, request: WireRequest): Statement {
  return render(sqlOf(schema, request))
}

function sqlOf(schema: SchemaCache, { method, path, headers, body }: WireRequest): Sql {
  const [, isCall, name = ''] = PATH.exec(path) ?? []
  const query = parseQuery(parseParameters(path), name)
  const asked = { query, ...parseHeaders(method, headers), rangeHeader: null, withBody: true }
  if (isCall !== undefined) {
    const given = parseArguments(body ?? '')
    const routine = chooseRoutine(schema.routines(name), given.keys)
    if (routine === null) throw new Error(`There is no function ${name}.`)
    return callSql(planCall(routine, given.keys, given.text, asked))
  }
  const table = findTable(schema, name)
  if (method === 'GET') return readSql(planRead(table, asked))
  const payload = parseRows(body ?? '', query.columns)
  return method === 'POST'
    ? insertSql(planInsert(table, asked, payload))
    : updateSql(planUpdate(table, asked, payload))
}
