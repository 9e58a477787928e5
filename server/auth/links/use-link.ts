import { withTransaction } from '../../db/transaction.ts'
import { ApiError } from '../../errors/api-error.ts'
import { isBanned, type Account, type Database } from '../accounts/account.ts'
import type { AuthServices } from '../auth-services.ts'
import type { ClientDetails } from '../sessions/client-details.ts'
import type { Session } from '../sessions/session-json.ts'
import { startSession } from '../sessions/start-session.ts'
import { takeOneTimeToken, type LinkType } from './one-time-token.ts'

export interface UsedLink {
  type: LinkType
  token: string
  client: ClientDetails
}

/**
 * The person has opened a mail, so the address is theirs: it counts as confirmed, and every other link is void.
 * A first confirmation shows in the person's data as well. The identity's data says so for good, unlike an address that
 * was merely believed; GoTrue keeps that for sign-up links alone.
 */
const CONFIRM = `
  with account as (
    update auth.users set
      raw_user_meta_data = case when email_confirmed_at is null
        then coalesce(raw_user_meta_data, '{}') || '{"email_verified":true}' else raw_user_meta_data end,
      email_confirmed_at = coalesce(email_confirmed_at, $2),
      confirmation_token = '', recovery_token = '', updated_at = $2
    where id = $1
  ), void_links as (
    delete from auth.one_time_tokens where user_id = $1
  )
  update auth.identities set identity_data = identity_data || '{"email_verified":true}', updated_at = $2
  where user_id = $1 and provider = 'email'`

/**
 * Uses a mailed link up and begins a session for its account; all of it, or nothing.
 * Throws 403 `otp_expired` with `text` for a link that is used, expired or made up.
 * supabase/auth internal/api/verify.go signupVerify and recoverVerify.
 */
export async function openSessionByLink(
  services: AuthServices,
  link: UsedLink,
  text: string,
): Promise<Session> {
  const now = services.clock.now()
  return withTransaction(services.pool, async (transaction) => {
    const account = await takeOneTimeToken(transaction, { type: link.type, token: link.token, now })
    if (account === null) throw new ApiError(403, 'otp_expired', text)
    if (isBanned(account, now)) throw new ApiError(403, 'user_banned', 'User is banned')
    await confirm(transaction, account, now)
    const start = { accountId: account.id, method: 'otp', client: link.client } as const
    const session = await startSession(services, transaction, start)
    if (session === null) throw new ApiError(403, 'otp_expired', text)
    return session
  })
}

async function confirm(transaction: Database, account: Account, now: Date): Promise<void> {
  await transaction.query({ name: 'auth:confirm', text: CONFIRM, values: [account.id, now] })
}
