import type { User } from '@supabase/auth-js'

type Fields = Readonly<Record<string, unknown>>

/** The name that the user has entered, or taken over from X; null if there is none. */
export function ownName(user: User): string | null {
  return text(user.user_metadata, 'full_name')
}

/** The user's own name, else the first identity's, else the part of the email address before the @, else `User`. */
export function displayName(user: User): string {
  const identity = firstIdentity(user)
  return (
    ownName(user) ?? text(identity, 'full_name') ?? text(identity, 'name') ?? beforeAt(user.email) ?? 'User'
  )
}

/**
 * Address of the user's avatar; null if there is none. If the backend has a copy (under `picturePath`, by identity id),
 * that copy, so that no other host is contacted; otherwise the user's own, else the first identity's.
 */
export function avatarUrl(user: User, picturePath: string | null): string | null {
  if (picturePath !== null) return copyUrl(user, picturePath)
  const url = text(user.user_metadata, 'avatar_url') ?? text(firstIdentity(user), 'avatar_url')
  return url !== null && /^https:\/\//i.test(url) ? url : null
}

function copyUrl(user: User, picturePath: string): string | null {
  const identity = user.identities?.find(({ identity_data: data }) => text(data ?? {}, 'avatar_url') !== null)
  return identity === undefined ? null : picturePath + encodeURIComponent(identity.identity_id)
}

/** The first character of a name, in upper case. */
export function initial(name: string): string {
  const [first = ''] = name
  return first.toLocaleUpperCase()
}

/** Whether the account has a password, as far as this can be known. */
export function hasPassword(user: User): boolean {
  return user.identities?.some(({ provider }) => provider === 'email') ?? false
}

/** Whether the user can sign in with X, under either of its provider names. */
export function hasXIdentity(user: User): boolean {
  return user.identities?.some(({ provider }) => provider === 'twitter' || provider === 'x') ?? false
}

function firstIdentity(user: User): Fields {
  return user.identities?.[0]?.identity_data ?? {}
}

function beforeAt(email: string | undefined): string | null {
  return email?.split('@')[0]?.trim() || null
}

/** A trimmed string field; null if it is missing or blank. */
function text(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
