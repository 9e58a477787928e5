import { DatabaseError } from 'pg'
import { withTransaction } from '../../db/transaction.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Services } from '../../services.ts'
import type { ClientDetails } from '../sessions/client-details.ts'
import type { Session } from '../sessions/session-json.ts'
import { startSession } from '../sessions/start-session.ts'
import { accountOfProfile } from './account-of-profile.ts'
import type { XProviderName } from './sign-in-state.ts'
import type { XProfile } from './x-profile.ts'

export interface ProfileSession {
  provider: XProviderName
  profile: XProfile
  client: ClientDetails
}

const UNIQUE_VIOLATION = '23505'

/** Begins a session for a person of the provider, with an account made or joined if need be; all of it, or nothing. */
export async function signInWithProfile(services: Services, given: ProfileSession): Promise<Session> {
  try {
    return await attempt(services, given)
  } catch (error) {
    // Somebody was faster with the same address or identity; now it is there to be found.
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return attempt(services, given)
    throw error
  }
}

async function attempt(services: Services, { provider, profile, client }: ProfileSession): Promise<Session> {
  const { pool, config, clock } = services
  return withTransaction(pool, async (transaction) => {
    const accountId = await accountOfProfile(transaction, {
      provider,
      profile,
      signUpAllowed: !config.disableSignup,
      now: clock.now(),
    })
    const session = await startSession(services, transaction, { accountId, method: 'oauth', client })
    if (session === null) throw new ApiError(403, 'user_not_found', 'User does not exist')
    return session
  })
}
