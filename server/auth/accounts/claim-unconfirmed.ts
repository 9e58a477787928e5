import { ACCOUNT, type Account, type Database } from './account.ts'
import { emailIdentityData, userData, type NewAccount } from './create-account.ts'

const LOCK = `
  select u.id from auth.users u
  where u.email = $1 and not u.is_sso_user and u.email_confirmed_at is null
  for no key update`
const CLAIM = `
  with account as (
    update auth.users set
      encrypted_password = $2, email_confirmed_at = $3, raw_user_meta_data = $4, updated_at = $5
    where id = $1
    returning *
  ), void_links as (
    delete from auth.one_time_tokens where user_id = $1
  )
  select ${ACCOUNT} from account u`
const CLAIM_IDENTITY = `
  update auth.identities set identity_data = $2, updated_at = $3 where user_id = $1 and provider = 'email'`

/**
 * Gives an account that nobody ever confirmed to whoever signs up with its address now: password and data are theirs,
 * and links mailed before are void. Inside the caller's transaction; null when there is no such account.
 */
export async function claimUnconfirmed(transaction: Database, given: NewAccount): Promise<Account | null> {
  const found = await transaction.query<{ id: string }>({
    name: 'auth:lock-unconfirmed',
    text: LOCK,
    values: [given.email],
  })
  const id = found.rows[0]?.id
  if (id === undefined) return null
  const identityData = emailIdentityData(id, given)
  await transaction.query({
    name: 'auth:claim-identity',
    text: CLAIM_IDENTITY,
    values: [id, JSON.stringify(identityData), given.now],
  })
  const { rows } = await transaction.query<{ account: Account }>({
    name: 'auth:claim',
    text: CLAIM,
    values: [
      id,
      given.passwordHash,
      given.confirmed ? given.now : null,
      JSON.stringify(userData(identityData, given)),
      given.now,
    ],
  })
  return rows[0]?.account ?? null
}
