import type { Account, Factor, Identity, Metadata } from './account.ts'

/** An identity on the wire. supabase/auth internal/models/identity.go. */
export interface IdentityJson {
  identity_id: string
  id: string
  user_id: string
  identity_data: Metadata
  provider: string
  last_sign_in_at?: string
  created_at: string
  updated_at: string
  email?: string
}

/** A factor on the wire. supabase/auth internal/models/factor.go. */
export interface FactorJson {
  id: string
  created_at: string
  updated_at: string
  status: Factor['status']
  friendly_name?: string
  factor_type: string
  phone: string
  last_challenged_at: string | null
}

/** An account on the wire. supabase/auth internal/models/user.go; field order and omitted fields are as there. */
export interface UserJson {
  id: string
  aud: string
  role: string
  email: string
  email_confirmed_at?: string
  invited_at?: string
  phone: string
  phone_confirmed_at?: string
  confirmation_sent_at?: string
  confirmed_at?: string
  recovery_sent_at?: string
  new_email?: string
  email_change_sent_at?: string
  new_phone?: string
  phone_change_sent_at?: string
  reauthentication_sent_at?: string
  last_sign_in_at?: string
  app_metadata: Metadata
  user_metadata: Metadata
  factors?: FactorJson[]
  identities: IdentityJson[]
  created_at: string
  updated_at: string
  banned_until?: string
  deleted_at?: string
  is_anonymous: boolean
}

/** Go's zero time: a time that was never set. */
const ZERO_TIME = '0001-01-01T00:00:00Z'

/** The account as every response of the auth protocol shows it. */
export function renderUser(account: Account): UserJson {
  return {
    id: account.id,
    aud: account.aud ?? '',
    role: account.role ?? '',
    email: account.email ?? '',
    ...optionalTime('email_confirmed_at', account.email_confirmed_at),
    ...optionalTime('invited_at', account.invited_at),
    phone: account.phone ?? '',
    ...optionalTime('phone_confirmed_at', account.phone_confirmed_at),
    ...optionalTime('confirmation_sent_at', account.confirmation_sent_at),
    ...optionalTime('confirmed_at', account.confirmed_at),
    ...optionalTime('recovery_sent_at', account.recovery_sent_at),
    ...optionalText('new_email', account.email_change),
    ...optionalTime('email_change_sent_at', account.email_change_sent_at),
    ...optionalText('new_phone', account.phone_change),
    ...optionalTime('phone_change_sent_at', account.phone_change_sent_at),
    ...optionalTime('reauthentication_sent_at', account.reauthentication_sent_at),
    ...optionalTime('last_sign_in_at', account.last_sign_in_at),
    app_metadata: account.raw_app_meta_data ?? {},
    user_metadata: account.raw_user_meta_data ?? {},
    ...(account.factors.length === 0 ? {} : { factors: account.factors.map(renderFactor) }),
    identities: account.identities.map(renderIdentity),
    created_at: goTime(account.created_at ?? ZERO_TIME),
    updated_at: goTime(account.updated_at ?? ZERO_TIME),
    ...optionalTime('banned_until', account.banned_until),
    ...optionalTime('deleted_at', account.deleted_at),
    is_anonymous: account.is_anonymous,
  }
}

/** As the auth protocol shows a factor. */
export function renderFactor(factor: Factor): FactorJson {
  return {
    id: factor.id,
    created_at: goTime(factor.created_at),
    updated_at: goTime(factor.updated_at),
    status: factor.status,
    ...optionalText('friendly_name', factor.friendly_name),
    factor_type: factor.factor_type,
    phone: factor.phone ?? '',
    last_challenged_at: factor.last_challenged_at === null ? null : goTime(factor.last_challenged_at),
  }
}

function renderIdentity(identity: Identity): IdentityJson {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    ...optionalTime('last_sign_in_at', identity.last_sign_in_at),
    created_at: goTime(identity.created_at ?? ZERO_TIME),
    updated_at: goTime(identity.updated_at ?? ZERO_TIME),
    ...optionalText('email', identity.email),
  }
}

/** PostgreSQL renders UTC as +00:00 and drops trailing zeros; Go's RFC 3339 differs only in the Z. */
function goTime(time: string): string {
  return time.replace(/\+00:00$/, 'Z')
}

function optionalTime<Name extends string>(name: Name, time: string | null): Partial<Record<Name, string>> {
  return optionalText(name, time === null ? null : goTime(time))
}

function optionalText<Name extends string>(name: Name, text: string | null): Partial<Record<Name, string>>
function optionalText(name: string, text: string | null): Record<string, string> {
  return text === null || text === '' ? {} : { [name]: text }
}
