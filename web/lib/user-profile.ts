import type { User } from '@supabase/auth-js'

type Fields = Readonly<Record<string, unknown>>

/** The name to show: the person's own, else the first identity's, else what stands before the @, else `User`. */
export function displayName(user: User): string {
  const identity = firstIdentity(user)
  return (
    text(user.user_metadata, 'full_name') ??
    text(identity, 'full_name') ??
    text(identity, 'name') ??
    beforeAt(user.email) ??
    'User'
  )
}

/**
 * Address of the person's picture; null if there is none. Where the backend has a copy (under `picturePath`, by the id of
 * the identity) it is that one, so that nobody else is asked; otherwise the person's own, else the first identity's.
 */
export function avatarUrl(user: User, picturePath: string | null): string | null {
  if (picturePath !== null) return addressOfCopy(user, picturePath)
  const given = text(user.user_metadata, 'avatar_url') ?? text(firstIdentity(user), 'avatar_url')
  return given !== null && /^https:\/\//i.test(given) ? given : null
}

function addressOfCopy(user: User, picturePath: string): string | null {
  const identity = user.identities?.find(({ identity_data: data }) => text(data ?? {}, 'avatar_url') !== null)
  return identity === undefined ? null : picturePath + encodeURIComponent(identity.identity_id)
}

/** The first letter of a name as people see it, in upper case. */
export function initial(name: string): string {
  const [first = ''] = name
  return first.toLocaleUpperCase()
}

/** Whether the person can sign in with X, under either of its provider names. */
export function hasTwitterIdentity(user: User): boolean {
  return user.identities?.some(({ provider }) => provider === 'twitter' || provider === 'x') ?? false
}

function firstIdentity(user: User): Fields {
  return user.identities?.[0]?.identity_data ?? {}
}

function beforeAt(email: string | undefined): string | null {
  return email?.split('@')[0]?.trim() || null
}

function text(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
