import type { Pool } from 'pg'
import { type Caller, runAs, type Statement } from '#server/db/request-scope.ts'
import { SchemaCache } from '#server/rest/schema-cache.ts'
import { personId } from '../fixed-data.ts'
import type { Answerer } from './answerer.ts'
import { CONNECTIONS } from '../load.ts'
import type { Operation } from '../operations/operation.ts'
import type { WireRequest } from '../wire.ts'
import { claimsOf } from './claims.ts'
import { statementOf } from './statement-of.ts'

interface Prepared {
  caller: Caller
  statement: Statement
  sample: WireRequest
}

/** Answers requests for data: the same statement as the server's, with the values of the request put in. */
export async function answerData(pool: Pool, operation: Operation, firstPerson: number): Promise<Answerer> {
  const schema = await SchemaCache.load(pool, { now: () => new Date() })
  const members = Array.from({ length: CONNECTIONS }, (_, connection) => ({
    person: firstPerson + connection,
    id: personId(firstPerson + connection),
    accessToken: '',
    refreshToken: '',
    anonKey: '',
  }))
  const traffic = operation.traffic(members)
  const prepared = members.map((member, connection): Prepared => {
    const sample = traffic.next(connection)
    const caller: Caller = { role: 'authenticated', claims: JSON.stringify(claimsOf(member.id)) }
    return { caller, statement: statementOf(schema, sample), sample }
  })
  return async (connection, path, body) => {
    const known = prepared[connection]
    if (known === undefined) throw new Error(`Connection ${String(connection)} is unknown.`)
    const { rows } = await runAs<{ body: string }>(pool, known.caller, withValues(known, path, body))
    return rows[0]?.body ?? ''
  }
}

/** The sample's statement with the body and the id of this request in place of the sample's. */
function withValues({ statement, sample }: Prepared, path: string, body: string): Statement {
  const id = idIn(sample.path)
  const values = statement.values.map((value) => {
    if (value === sample.body) return body
    return id !== null && value === id ? idIn(path) : value
  })
  return { ...statement, values }
}

function idIn(path: string): string | null {
  return /[?&]id=eq\.([^&]+)/.exec(path)?.[1] ?? null
}
