import { ApiError } from '../../errors/api-error.ts'
import { isBanned, type Account, type Database, type Metadata } from '../accounts/account.ts'
import { findAccountByEmail, findAccountByIdentity } from '../accounts/find-account.ts'
import {
  addIdentity,
  closeUnprovenDoors,
  createProviderAccount,
  refreshIdentity,
} from './provider-account.ts'
import type { XProviderName } from './sign-in-state.ts'
import { identityData, type XProfile } from './x-profile.ts'

export interface ProfileSignIn {
  provider: XProviderName
  profile: XProfile
  signUpAllowed: boolean
  now: Date
}

/**
 * The id of the account that a profile signs in to, inside the caller's transaction: the one that it signed in to
 * before, else the one that has its confirmed address, else a new one.
 * supabase/auth internal/models/linking.go DetermineAccountLinking, internal/api/external.go.
 *
 * X has confirmed the address; where nothing shows that the account's password was set by the address's owner, password
 * and sessions end when the two are joined. Otherwise somebody could sign up with a stranger's address and wait.
 */
export async function accountOfProfile(transaction: Database, given: ProfileSignIn): Promise<string> {
  const { provider, profile, now } = given
  const known = await findAccountByIdentity(transaction, profile.id)
  if (known !== null) {
    refuseBanned(known.account, now)
    const data = identityData(profile, profile.email ?? known.account.email ?? '')
    await refreshIdentity(transaction, {
      identityId: known.identityId,
      accountId: known.account.id,
      data,
      now,
    })
    return known.account.id
  }
  // The text is one that the web app knows; see docs of the callback page.
  if (profile.email === null) {
    throw new ApiError(500, 'unexpected_failure', 'Error getting user email from external provider')
  }
  const identity = { provider, providerId: profile.id, data: identityData(profile, profile.email), now }
  const owner = await findAccountByEmail(transaction, profile.email)
  if (owner === null) {
    if (!given.signUpAllowed) {
      throw new ApiError(422, 'signup_disabled', 'Signups not allowed for this instance')
    }
    return createProviderAccount(transaction, profile.email, identity)
  }
  refuseBanned(owner, now)
  if (!isProven(owner)) await closeUnprovenDoors(transaction, owner, identity)
  await addIdentity(transaction, owner.id, identity)
  return owner.id
}

/** Whether a mail or a provider has shown that the address is the account holder's. */
function isProven(account: Account): boolean {
  return account.identities.some(
    ({ identity_data: data, email }) => isVerified(data) && email === account.email,
  )
}

function isVerified(data: Metadata): boolean {
  return data['email_verified'] === true
}

function refuseBanned(account: Account, now: Date): void {
  if (isBanned(account, now)) throw new ApiError(403, 'user_banned', 'User is banned')
}
