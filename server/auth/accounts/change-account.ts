import type { Services } from '../../services.ts'
import { ACCOUNT, type Account, type Metadata } from './account.ts'

export interface AccountChange {
  accountId: string
  /** The session that asks; it survives a new password, all others end. */
  sessionId: string | null
  /** Null leaves the password as it is. */
  passwordHash: string | null
  /** Merged into the person's own data; a null removes its key. */
  data: Metadata
}

/**
 * Everything a new password means, together with it: links that were mailed before are void, and whoever is signed in
 * elsewhere is signed out. supabase/auth internal/models/user.go UpdatePassword and UpdateUserMetaData.
 */
const CHANGE = `
  with account as (
    update auth.users set
      raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $5::jsonb) - $6::text[],
      encrypted_password = coalesce($3, encrypted_password),
      confirmation_token = case when $3::text is null then confirmation_token else '' end,
      confirmation_sent_at = case when $3::text is null then confirmation_sent_at end,
      recovery_token = case when $3::text is null then recovery_token else '' end,
      recovery_sent_at = case when $3::text is null then recovery_sent_at end,
      updated_at = $4
    where id = $1
    returning *
  ), void_links as (
    delete from auth.one_time_tokens where user_id = $1 and $3::text is not null
  ), other_sessions as (
    delete from auth.sessions where user_id = $1 and id is distinct from $2 and $3::text is not null
  )
  select ${ACCOUNT} from account u`

/** Applies a change in one statement. Resolves to the account as it is then, or null when it is gone. */
export async function changeAccount(services: Services, change: AccountChange): Promise<Account | null> {
  const entries = Object.entries(change.data)
  const kept = Object.fromEntries(entries.filter(([, value]) => value !== null))
  const removed = entries.filter(([, value]) => value === null).map(([name]) => name)
  const { rows } = await services.pool.query<{ account: Account }>({
    name: 'auth:change-account',
    text: CHANGE,
    values: [
      change.accountId,
      change.sessionId,
      change.passwordHash,
      services.clock.now(),
      JSON.stringify(kept),
      removed,
    ],
  })
  return rows[0]?.account ?? null
}
