import { forgetDeepLink } from './deep-link.ts'
import { sayFarewell } from './farewell.ts'
import { forgetSession } from './session.ts'

/** Signs out, on this device alone, whoever's account is no more, with a last sentence for the sign-in screen. */
export async function leaveDeletedAccount(): Promise<void> {
  sayFarewell('Your account has been deleted, with everything in it. Go in peace.')
  forgetDeepLink()
  await forgetSession()
}
