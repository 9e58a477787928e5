import type { Pool } from 'pg'
import type { Traffic } from '../load.ts'
import type { Member } from '../member.ts'
import { CONNECTION_HEADER } from '../wire.ts'

/** Something that the web app does, measured by itself. */
export interface Operation {
  what: string
  /** Each connection is one of the members. */
  traffic(members: readonly Member[]): Traffic
  /** Undoes what a round has left, so that the next one meets the same data. */
  tidy(owner: Pool): Promise<void>
}

/** Headers of a request for data, as the web app's library sends them. */
export function dataHeaders(
  member: Member,
  connection: number,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    apikey: member.anonKey,
    authorization: `Bearer ${member.accessToken}`,
    'x-client-info': 'postgrest-js/2.119.0',
    [CONNECTION_HEADER]: String(connection),
    ...more,
  }
}

/** The one whose turn it is on a connection. */
export function memberOf(members: readonly Member[], connection: number): Member {
  const member = members[connection]
  if (member === undefined) throw new Error(`Connection ${String(connection)} belongs to nobody.`)
  return member
}
