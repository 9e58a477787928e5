import { withTransaction } from '../db/transaction.ts'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import { refuseWithSecondFactor, setUserMetadata } from './account-administration.ts'
import {
  findAccount,
  findAccountByEmail,
  lockAccount,
  type Account,
  type Metadata,
  type Queryable,
} from './account.ts'
import { administer, record, type AdminServices, type Recorded } from './administration-log.ts'
import type { AuthServices } from './auth-services.ts'
import { createOrClaimAccount } from './create-account.ts'
import { emailExists, startEmailChange } from './email-change.ts'
import { createToken, linkTo, makeLink, newCode, type MadeLink } from './one-time-links.ts'

/** A link to be made for an account, which the first two kinds create if necessary. */
interface LinkToMake {
  type: 'signup' | 'invite' | 'recovery' | 'magiclink'
  /** In lower case. */
  email: string
  /** Only for a sign-up. */
  passwordHash: string
  userMetadata: Metadata
  redirectTo: string
}

/**
 * Makes a link that signs in, for somebody to pass on. It leads no further than signing in with a password would: with two-factor
 * sign-in, a code is asked for as well.
 * Throws `email_exists` if an account cannot be created because a confirmed one has the address, and `user_not_found`.
 * supabase/auth internal/api/invite.go, internal/api/mail.go adminGenerateLink.
 */
export async function makeSignInLink(
  services: AdminServices,
  { by, action }: Recorded,
  given: LinkToMake,
): Promise<MadeLink & { account: Account; type: LinkToMake['type'] }> {
  const { email, redirectTo } = given
  return withTransaction(services.pool, async (transaction) => {
    const found = await findAccountByEmail(transaction, email)
    // As in GoTrue.
    const type = found === null && given.type === 'magiclink' ? 'signup' : given.type
    const isNew = type === 'signup' || type === 'invite'
    const owner = isNew
      ? await createUnconfirmed(services, transaction, given)
      : found && (await lockAccount(transaction, found.id))
    if (owner?.email !== email) throw noUserWithEmail()
    const made = await makeLink(services, transaction, { account: owner, type, redirectTo })
    await record(transaction, services, { action, by, accountId: owner.id })
    return { ...made, type, account: (await findAccount(transaction, owner.id)) ?? owner }
  })
}

/** A link to be made that changes an address. */
interface EmailChangeToMake {
  type: 'email_change_current' | 'email_change_new'
  /** The present address, in lower case, and the new one. */
  email: string
  newEmail: string
  redirectTo: string
}

const VOID_LINKS = 'delete from auth.one_time_tokens where user_id = $1 and token_type = $2'

/**
 * Makes one of the two links that change an address, in place of the one before. Throws `user_not_found`, `email_exists` if another account has the new address, and
 * `validation_failed` where the present address is not asked.
 */
export async function makeEmailChangeLink(
  services: AuthServices,
  { by, action }: Recorded,
  { type, email, newEmail, redirectTo }: EmailChangeToMake,
): Promise<MadeLink & { account: Account; type: string }> {
  const { pool, clock, config } = services
  if (type === 'email_change_current' && !config.secureEmailChange) {
    const message = 'Enable secure email change to generate link for current email'
    throw validationFailed(message)
  }
  const id = (await findAccountByEmail(pool, email))?.id
  if (id === undefined) throw noUserWithEmail()
  return administer(services, { id, by, action }, async (transaction, account) => {
    refuseWithSecondFactor(account)
    if ((await findAccountByEmail(transaction, newEmail)) !== null) throw emailExists()
    const [address, tokenType] =
      type === 'email_change_new'
        ? ([newEmail, 'email_change_token_new'] as const)
        : ([email, 'email_change_token_current'] as const)
    const voidLinks = async () => {
      const values = [id, tokenType]
      return (await transaction.query({ name: 'auth:void-change-links', text: VOID_LINKS, values })).rowCount
    }
    // Without such a link, that address has agreed already or another change is pending: both addresses are asked anew.
    const isPending = account.email_change === newEmail && (await voidLinks()) !== 0
    if (!isPending) {
      await startEmailChange(services, transaction, { account, email: newEmail })
      await voidLinks()
    }
    const code = newCode()
    const given = { accountId: id, email: address, type: tokenType, now: clock.now(), code }
    const token = await createToken(transaction, given)
    const link = linkTo(services, { token, type: 'email_change', redirectTo })
    return { link, token, code, type, account: (await findAccount(transaction, id)) ?? account }
  })
}

/** An account that waits for its link to be opened. A password that a stranger has signed up with before is removed. */
async function createUnconfirmed(
  { clock }: AdminServices,
  transaction: Queryable,
  { email, passwordHash, userMetadata }: LinkToMake,
): Promise<Account> {
  const now = clock.now()
  const given = { email, passwordHash, metadata: {}, confirmed: false, now }
  const account = await createOrClaimAccount(transaction, given)
  if (account === null) throw emailExists()
  await setUserMetadata(transaction, account.id, userMetadata)
  return account
}

function noUserWithEmail(): ApiError {
  return new ApiError(404, 'user_not_found', 'User with this email not found')
}
