import { DatabaseError } from 'pg'
import { withTransaction } from '../db/transaction.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services.ts'
import {
  findAccountByEmail,
  isAddressProven,
  isBanned,
  lockAccount,
  type Account,
  type Queryable,
} from './account.ts'
import type { ProviderName } from './oauth-state.ts'
import type { ClientDetails } from './client-details.ts'
import { createSession, type Session } from './sessions.ts'
import {
  addIdentity,
  createXAccount,
  findAccountByXId,
  refreshIdentity,
  removeUnprovenData,
  revokeTokens,
} from './x-identities.ts'
import { hasSecondFactor } from './factors/second-factor.ts'
import { identityData, type XProfile } from './x-profile.ts'

export interface ProfileSignIn {
  provider: ProviderName
  profile: XProfile
  client: ClientDetails
}

const UNIQUE_VIOLATION = '23505'

/** Starts a session for a user of X, creating or linking an account if necessary; all of it, or nothing. */
export async function signInWithProfile(services: Services, signIn: ProfileSignIn): Promise<Session> {
  try {
    return await attemptSignIn(services, signIn)
  } catch (error) {
    // A concurrent request created an account with the same address or identity; a second attempt finds it.
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) {
      return attemptSignIn(services, signIn)
    }
    throw error
  }
}

async function attemptSignIn(services: Services, signIn: ProfileSignIn): Promise<Session> {
  const { pool, config, clock } = services
  return withTransaction(pool, async (transaction) => {
    const accountId = await accountOfProfile(transaction, {
      ...signIn,
      signUpAllowed: !config.disableSignup,
      now: clock.now(),
    })
    const start = { accountId, method: 'oauth', client: signIn.client } as const
    const session = await createSession(services, transaction, start)
    if (session === null) throw new ApiError(403, 'user_not_found', 'User does not exist')
    return session
  })
}

/**
 * The id of the account that a profile signs in to: the one that it signed in to before, else the one with its confirmed
 * email address, else a new one.
 * supabase/auth internal/models/linking.go DetermineAccountLinking, internal/api/external.go.
 *
 * X has confirmed the address. Linking revokes all tokens that were issued before, and removes the password if nothing proves that
 * the owner of the address has set it. Otherwise an attacker could sign up with someone else's address and wait. An account with
 * two-factor sign-in is never linked: an address alone, which the service key may have changed, must not get around it.
 */
async function accountOfProfile(
  transaction: Queryable,
  given: { provider: ProviderName; profile: XProfile; signUpAllowed: boolean; now: Date },
): Promise<string> {
  const { provider, profile, now } = given
  const known = await findAccountByXId(transaction, profile.id)
  if (known !== null) {
    const { account, identityId } = known
    rejectBanned(account, now)
    await lockAccount(transaction, account.id)
    const data = identityData(profile, profile.email ?? account.email ?? '')
    await refreshIdentity(transaction, { identityId, accountId: account.id, data, now })
    return account.id
  }
  // GoTrue's message; the web app recognises it.
  if (profile.email === null) {
    throw new ApiError(500, 'unexpected_failure', 'Error getting user email from external provider')
  }
  const identity = { provider, providerId: profile.id, data: identityData(profile, profile.email), now }
  const found = await findAccountByEmail(transaction, profile.email)
  // Its address or its apps may have changed since.
  const owner = found && (await lockAccount(transaction, found.id))
  if (owner?.email !== profile.email) {
    if (given.signUpAllowed) return createXAccount(transaction, profile.email, identity)
    throw new ApiError(422, 'signup_disabled', 'Signups not allowed for this instance')
  }
  rejectBanned(owner, now)
  if (hasSecondFactor(owner)) {
    const message =
      'This email address has an account with two-factor sign-in. Please sign in with its password.'
    throw new ApiError(403, 'insufficient_aal', message)
  }
  await revokeTokens(transaction, owner.id)
  if (!isAddressProven(owner)) await removeUnprovenData(transaction, owner, now)
  await addIdentity(transaction, owner.id, identity)
  return owner.id
}

function rejectBanned(account: Account, now: Date): void {
  if (isBanned(account, now)) throw new ApiError(403, 'user_banned', 'User is banned')
}
