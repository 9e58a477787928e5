import { Refusal } from '../error-text.ts'

/** The signed-in person's id. Throws where nobody is signed in: no list is read or changed then. */
export function signedIn(userId: string | null): string {
  if (userId === null) throw new Refusal('User not authenticated')
  return userId
}
