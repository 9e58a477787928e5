import { call, PASSWORD, refresh, sessionOf } from '#tests/contract/auth/auth-client.ts'
import type { DataServer } from '#tests/support/data-requests.ts'
import { query } from './site.ts'

/** Accounts that lack what is made together with them. */
const HALF_ACCOUNTS = `
  select u.email from auth.users u
  where not exists (select from auth.identities i where i.user_id = u.id)
     or not exists (select from auth.sessions s join auth.refresh_tokens t on t.session_id = s.id where s.user_id = u.id)`

/** People who sign up one after another while something breaks. */
export class Newcomers {
  #number = 0
  /** Refresh tokens of those who were welcomed since the last look. */
  #welcomed: string[] = []

  /** Signs up until one is not welcomed, or until `isOver`. */
  async arrive(server: DataServer, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.#number += 1
      const body = { email: `newcomer${String(this.#number)}@example.org`, password: PASSWORD }
      const answer = await call(server, 'POST', '/signup', { body }).catch(() => null)
      if (answer?.status !== 200) return
      this.#welcomed.push(sessionOf(answer).refresh_token)
    }
  }

  /** How many of those who were welcomed since the last look are not signed in any more. */
  async countLost(server: DataServer): Promise<number> {
    const answers = await Promise.all(this.#welcomed.map((token) => refresh(server, token)))
    this.#welcomed = []
    return answers.filter(({ status }) => status !== 200).length
  }
}

/** Addresses of those who have an account in part. */
export function findHalfAccounts(databaseUrl: string): Promise<object[]> {
  return query(databaseUrl, HALF_ACCOUNTS)
}
