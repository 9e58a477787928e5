import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { rotateRefreshToken } from '#server/auth/sessions.ts'
import type { Answerer } from './answerer.ts'
import { claimsOf } from './claims.ts'

const PRESENTED = /"refresh_token":"([^"]+)"/
const HEADER = encode({ alg: 'HS256', typ: 'JWT' })
/** No token of the floor is ever looked at. */
const SECRET = 'a secret of the floor that is long enough'
const CLIENT = { userAgent: null, ip: '127.0.0.1' }

/** Exchanges refresh tokens: the one statement, a signature, and the account as the database gives it. */
export function answerRefresh(pool: Pool): Answerer {
  const services = { pool, clock: { now: () => new Date() } }
  return async (_connection, _path, body) => {
    const presented = PRESENTED.exec(body)?.[1] ?? ''
    const session = await rotateRefreshToken(services, presented, CLIENT)
    const claims = claimsOf(session.account.id)
    return JSON.stringify({
      access_token: sign(encode(claims)),
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: claims.exp,
      refresh_token: session.refreshToken,
      user: session.account,
    })
  }
}

function sign(payload: string): string {
  const unsigned = `${HEADER}.${payload}`
  return `${unsigned}.${createHmac('sha256', SECRET).update(unsigned).digest('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
