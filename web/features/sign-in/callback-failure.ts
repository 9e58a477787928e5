const NO_EMAIL_ADDRESS =
  'Unable to sign in. Please make sure you have an email address linked to your X/Twitter account and try again.'

export interface CallbackFailure {
  message: string
  /** What the other service said itself. */
  detail: string | null
}

/**
 * Why the way back from another service did not end in a session.
 * `description` is what the address brought along, `problem` what went wrong while it was read.
 */
export function callbackFailure(description: string | null, problem: string | null): CallbackFailure {
  if (description?.includes('Error getting user email')) return { message: NO_EMAIL_ADDRESS, detail: null }
  return { message: problem ?? 'Authentication failed. Please try again.', detail: description }
}
