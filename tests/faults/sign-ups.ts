import { call, PASSWORD, refresh, sessionOf } from '#tests/contract/auth/auth-client.ts'
import type { DataServer } from '#tests/support/data-requests.ts'
import { query } from './site.ts'

/** Accounts without an identity or a session, which are created in the same transaction. */
const INCOMPLETE_ACCOUNTS = `
  select u.email from auth.users u
  where not exists (select from auth.identities i where i.user_id = u.id)
     or not exists (select from auth.sessions s join auth.refresh_tokens t on t.session_id = s.id where s.user_id = u.id)`

/** Users who sign up one after another during a fault. */
export class SignUps {
  #number = 0
  /** Refresh tokens of the successful sign-ups since the last `countLost`. */
  #refreshTokens: string[] = []

  /** Signs up one user after another until one fails, or until `isOver`. */
  async run(server: DataServer, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.#number += 1
      const body = { email: `new-user-${String(this.#number)}@example.org`, password: PASSWORD }
      const response = await call(server, 'POST', '/signup', { body }).catch(() => null)
      if (response?.status !== 200) return
      this.#refreshTokens.push(sessionOf(response).refresh_token)
    }
  }

  /** How many of the users who signed up since the last call are no longer signed in. */
  async countLost(server: DataServer): Promise<number> {
    const responses = await Promise.all(this.#refreshTokens.map((token) => refresh(server, token)))
    this.#refreshTokens = []
    return responses.filter(({ status }) => status !== 200).length
  }
}

/** Email addresses of incomplete accounts. */
export function findIncompleteAccounts(databaseUrl: string): Promise<object[]> {
  return query(databaseUrl, INCOMPLETE_ACCOUNTS)
}
