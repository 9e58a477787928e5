import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { categoryId, emailOf, FIXED_AMOUNTS, prayerId, userId } from './fixed-data.ts'
import { CONNECTIONS, type Traffic, type WireRequest } from './load.ts'
import { authHeaders, readTokens, signIn, type Tokens } from './sessions.ts'

/** Identifies the user of a request to the floor, which verifies nothing. */
export const CONNECTION_HEADER = 'x-connection'

/** A signed-in user of the fixed data. */
export interface Session extends Tokens {
  /** Numbered from 1. */
  user: number
  anonKey: string
}

/** Signs in one user per connection, starting with user number `first`. */
export async function signInAll(origin: string, anonKey: string, first: number): Promise<Session[]> {
  const sessions: Session[] = []
  for (let user = first; user < first + CONNECTIONS; user += 1) {
    const response = await signIn(origin, anonKey, emailOf(user))
    sessions.push({ user, anonKey, ...readTokens(response) })
  }
  return sessions
}

/** A request of the web app that is measured by itself. */
export interface Operation {
  title: string
  /** The requests of these users, one per connection. */
  traffic(sessions: readonly Session[]): Traffic
  /** SQL that restores the data after a round, so that every round measures the same. */
  restore: readonly string[]
}

export function dataRequest(
  session: Session,
  connection: number,
  request: Pick<WireRequest, 'method' | 'path'> & { headers?: Record<string, string>; body?: unknown },
): WireRequest {
  const { method, path, headers = {}, body } = request
  return {
    method,
    path,
    headers: {
      apikey: session.anonKey,
      authorization: `Bearer ${session.accessToken}`,
      accept: 'application/json',
      'x-client-info': 'postgrest-js/2.109.0',
      [CONNECTION_HEADER]: String(connection),
      ...(body === undefined
        ? { 'accept-profile': 'public' }
        : { 'content-profile': 'public', 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  }
}

function sessionOf(sessions: readonly Session[], connection: number): Session {
  const session = sessions[connection]
  if (session === undefined) throw new Error(`Connection ${String(connection)} has no session.`)
  return session
}

/** The whole list, newest first, as the dashboard requests it. */
const list: Operation = {
  title: 'list of 100 prayers',
  traffic: (sessions) => ({
    next: (connection) => {
      const session = sessionOf(sessions, connection)
      const path = `/rest/v1/prayers?select=*&user_id=eq.${userId(session.user)}&order=created_at.desc%2Cid.desc&limit=1000`
      return dataRequest(session, connection, { method: 'GET', path })
    },
  }),
  restore: [],
}

const NEW_NAME = 'A new name'

/** A prayer with an id from the client; the response contains the stored row. */
const insert: Operation = {
  title: 'insert one prayer',
  traffic: (sessions) => ({
    next: (connection) => {
      const session = sessionOf(sessions, connection)
      return dataRequest(session, connection, {
        method: 'POST',
        path: '/rest/v1/prayers?select=*',
        headers: { accept: 'application/vnd.pgrst.object+json', prefer: 'return=representation' },
        body: {
          id: randomUUID(),
          user_id: userId(session.user),
          category_id: categoryId(session.user, 1),
          person_name: NEW_NAME,
          note: 'That the first days in the new town be kind',
          resolved: false,
          created_at: '2026-06-01T06:00:00.000Z',
        },
      })
    },
  }),
  restore: [`delete from public.prayers where person_name = '${NEW_NAME}'`, 'vacuum public.prayers'],
}

/** Another note for one of the user's prayers, a different one each time. */
const update: Operation = {
  title: 'update one prayer',
  traffic: (sessions) => {
    let updates = 0
    return {
      next: (connection) => {
        const session = sessionOf(sessions, connection)
        updates += 1
        const prayer = prayerId(session.user, 1 + (updates % FIXED_AMOUNTS.prayersEach))
        return dataRequest(session, connection, {
          method: 'PATCH',
          path: `/rest/v1/prayers?id=eq.${prayer}&select=*`,
          headers: { prefer: 'return=representation' },
          body: { note: `Thanks for day ${String(updates)}`, resolved: updates % 2 === 0 },
        })
      },
    }
  },
  restore: ['vacuum public.prayers'],
}

export function refreshRequest(anonKey: string, refreshToken: string, connection: number): WireRequest {
  return {
    method: 'POST',
    path: '/auth/v1/token?grant_type=refresh_token',
    headers: { ...authHeaders(anonKey), [CONNECTION_HEADER]: String(connection) },
    body: JSON.stringify({ refresh_token: refreshToken }),
  }
}

/** New tokens for the refresh token of the previous response. */
const refresh: Operation = {
  title: 'refresh a session',
  traffic: (sessions) => {
    const tokens = sessions.map((session) => session.refreshToken)
    return {
      next: (connection) =>
        refreshRequest(sessionOf(sessions, connection).anonKey, tokens[connection] ?? '', connection),
      onResponse: (connection, body) => {
        tokens[connection] = readTokens(body).refreshToken
      },
    }
  },
  restore: ['delete from auth.refresh_tokens where revoked', 'vacuum auth.refresh_tokens, auth.sessions'],
}

export const OPERATIONS = { list, insert, update, refresh }
export type OperationName = keyof typeof OPERATIONS

export async function restore(operation: Operation, owner: Client): Promise<void> {
  for (const statement of operation.restore) await owner.query(statement)
}
