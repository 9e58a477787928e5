import type { QueryResult, QueryResultRow } from 'pg'

/** JSON object as it is stored. */
export type Metadata = Readonly<Record<string, unknown>>

/** A row of auth.identities as PostgreSQL's to_jsonb writes it: times are ISO text in UTC. */
export interface Identity {
  id: string
  provider_id: string
  user_id: string
  identity_data: Metadata
  provider: string
  last_sign_in_at: string | null
  created_at: string | null
  updated_at: string | null
  email: string | null
}

/** A row of auth.users as PostgreSQL's to_jsonb writes it, with its identities. */
export interface Account {
  id: string
  aud: string | null
  role: string | null
  email: string | null
  encrypted_password: string | null
  email_confirmed_at: string | null
  invited_at: string | null
  confirmation_sent_at: string | null
  confirmed_at: string | null
  recovery_sent_at: string | null
  email_change: string | null
  email_change_sent_at: string | null
  last_sign_in_at: string | null
  raw_app_meta_data: Metadata | null
  raw_user_meta_data: Metadata | null
  created_at: string | null
  updated_at: string | null
  phone: string | null
  phone_confirmed_at: string | null
  phone_change: string | null
  phone_change_sent_at: string | null
  reauthentication_sent_at: string | null
  banned_until: string | null
  deleted_at: string | null
  is_anonymous: boolean
  identities: readonly Identity[]
}

/** Columns of a query over `auth.users u` that give an `Account` in its field `account`. */
export const ACCOUNT = `to_jsonb(u) || jsonb_build_object('identities', coalesce((
  select jsonb_agg(to_jsonb(i) order by i.created_at, i.id) from auth.identities i where i.user_id = u.id
), '[]'::jsonb)) as account`

/** Where a statement can run: the pool, or a connection that is inside a transaction. */
export interface Database {
  query<Row extends QueryResultRow>(statement: {
    name: string
    text: string
    values: unknown[]
  }): Promise<QueryResult<Row>>
}

/** Whether the account is locked at this moment. PostgreSQL's infinity is no date to JavaScript. */
export function isBanned({ banned_until: until }: Account, now: Date): boolean {
  return until === 'infinity' || (until !== null && Date.parse(until) > now.getTime())
}
