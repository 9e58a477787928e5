import * as v from 'valibot'
import { parseEmailAddress } from './account-rules.ts'
import type { Metadata } from './account.ts'
import { UNSTORABLE } from './request-body.ts'

/** A user as X describes them. */
export interface XProfile {
  issuer: string
  id: string
  name: string
  userName: string
  /** An http or https URL; null when there is none. */
  avatarUrl: string | null
  /** Confirmed by X, in lower case; null when X provides none. */
  email: string | null
}

const MAX_LENGTH = 300
const ALL_UNSTORABLE = new RegExp(UNSTORABLE, 'gu')

/** Text from outside, shortened and without what can't be stored. */
const text = v.pipe(
  v.string(),
  v.transform((value) => value.slice(0, MAX_LENGTH).replace(ALL_UNSTORABLE, '')),
)
const optionalText = v.fallback(text, '')

const ProfileResponse = v.object({
  data: v.object({
    id: v.pipe(text, v.nonEmpty()),
    name: optionalText,
    username: optionalText,
    profile_image_url: optionalText,
    confirmed_email: optionalText,
  }),
})

/** Parses the response of X's /2/users/me. Throws when it has no user id; other fields may be missing or invalid. */
export function parseProfile(response: unknown, issuer: string): XProfile {
  const result = v.safeParse(ProfileResponse, response)
  if (!result.success) throw new Error('the profile has no id')
  const { id, name, username, profile_image_url: avatar, confirmed_email: email } = result.output.data
  return { issuer, id, name, userName: username, avatarUrl: webUrl(avatar), email: confirmedEmail(email) }
}

/** The profile as an identity stores it (supabase/auth internal/api/provider/provider.go Claims). */
export function identityData(profile: XProfile, email: string): Metadata {
  const avatar =
    profile.avatarUrl === null ? {} : { avatar_url: profile.avatarUrl, picture: profile.avatarUrl }
  return {
    iss: profile.issuer,
    sub: profile.id,
    name: profile.name,
    full_name: profile.name,
    ...avatar,
    preferred_username: profile.userName,
    user_name: profile.userName,
    provider_id: profile.id,
    email,
    email_verified: true,
    phone_verified: false,
  }
}

/** A URL of any other kind (`javascript:` and the like) must never reach a page. */
function webUrl(url: string): string | null {
  if (!URL.canParse(url)) return null
  return /^https?:$/.test(new URL(url).protocol) ? url : null
}

function confirmedEmail(address: string): string | null {
  try {
    return parseEmailAddress(address)
  } catch {
    return null
  }
}
