import { authHeaders, readTokens } from '../member.ts'
import { CONNECTION_HEADER } from '../wire.ts'
import { memberOf, type Operation } from './operation.ts'

/** A new pair of tokens for the refresh token that came with the pair before. */
export const refreshSession: Operation = {
  what: 'refresh grant',
  traffic: (members) => {
    const tokens = members.map((member) => member.refreshToken)
    return {
      next: (connection) => ({
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token',
        headers: {
          ...authHeaders(memberOf(members, connection).anonKey),
          [CONNECTION_HEADER]: String(connection),
        },
        body: JSON.stringify({ refresh_token: tokens[connection] }),
      }),
      heard: (connection, body) => {
        tokens[connection] = readTokens(body).refreshToken
      },
    }
  },
  tidy: async (owner) => {
    await owner.query('delete from auth.refresh_tokens where revoked')
    await owner.query('vacuum auth.refresh_tokens, auth.sessions')
  },
}
