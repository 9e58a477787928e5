import { fieldsOf } from '#shared/fields.ts'
import { readEmailAddress } from '../accounts/email-address.ts'
import { withoutUnstorable } from '../storable-text.ts'

/** A person as X describes them. */
export interface XProfile {
  issuer: string
  id: string
  name: string
  userName: string
  /** Only a web address; null when there is none. */
  pictureUrl: string | null
  /** Confirmed by X, in lower case; null when X gives none. */
  email: string | null
}

const MAX_LENGTH = 300

/**
 * Reads the answer of X's /2/users/me. What comes from outside is shortened and cleaned; throws when it names nobody.
 */
export function readProfile(answer: unknown, issuer: string): XProfile {
  const data = fieldsOf(fieldsOf(answer)['data'])
  const id = textOf(data['id'])
  if (id === '') throw new Error('the profile has no id')
  return {
    issuer,
    id,
    name: textOf(data['name']),
    userName: textOf(data['username']),
    pictureUrl: webAddress(textOf(data['profile_image_url'])),
    email: confirmedEmail(textOf(data['confirmed_email'])),
  }
}

/** The profile as an identity keeps it (supabase/auth internal/api/provider/provider.go Claims). */
export function identityData(profile: XProfile, email: string): Record<string, unknown> {
  const picture =
    profile.pictureUrl === null ? {} : { avatar_url: profile.pictureUrl, picture: profile.pictureUrl }
  return {
    iss: profile.issuer,
    sub: profile.id,
    name: profile.name,
    full_name: profile.name,
    ...picture,
    preferred_username: profile.userName,
    user_name: profile.userName,
    provider_id: profile.id,
    email,
    email_verified: true,
    phone_verified: false,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? withoutUnstorable(value.slice(0, MAX_LENGTH)) : ''
}

/** An address of any other kind (`javascript:` and the like) must never reach a page. */
function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null
  return /^https?:$/.test(new URL(text).protocol) ? text : null
}

function confirmedEmail(text: string): string | null {
  try {
    return readEmailAddress(text)
  } catch {
    return null
  }
}
