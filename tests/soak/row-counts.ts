import { query } from '#tests/faults/site.ts'
import { SPEED } from './installation.ts'

export interface ExpectedRows {
  users: number
  categories: number
  prayers: number
  sessions: number
  /** Further sessions that may exist, because their responses were lost. */
  unknownSessions: number
}

type Counts = Record<
  'users' | 'identities' | 'categories' | 'prayers' | 'sessions' | 'tokens' | 'broken' | 'stale' | 'links',
  number
>

/** Seconds after which a revoked token must have been deleted: its retention period, and the clean-up interval. */
const RETENTION = 86_400 + 1_800

const COUNT = (now: Date) => `
  select
    (select count(*)::int from auth.users) as users,
    (select count(*)::int from auth.identities) as identities,
    (select count(*)::int from public.categories) as categories,
    (select count(*)::int from public.prayers) as prayers,
    (select count(*)::int from auth.sessions) as sessions,
    (select count(*)::int from auth.refresh_tokens) as tokens,
    (select count(*)::int from auth.sessions s
     where (select count(*) from auth.refresh_tokens t where t.session_id = s.id and not t.revoked) <> 1) as broken,
    (select count(*)::int from auth.refresh_tokens t
     where t.revoked and t.updated_at < timestamptz '${now.toISOString()}' - interval '${String(RETENTION)} s'
     and not exists (select from auth.refresh_tokens c where c.parent = t.token and not c.revoked)) as stale,
    (select count(*)::int from auth.one_time_tokens) + (select count(*)::int from auth.flow_state) as links`

/** Counts all rows. `errors` describes rows that are missing or unexpected. `start`: see `Installation.start`. */
export async function checkRowCounts(
  databaseUrl: string,
  start: number,
  expected: ExpectedRows,
): Promise<{ counts: Counts; errors: string[] }> {
  const now = new Date(start + (Date.now() - start) * SPEED)
  const [counts] = await query<Counts>(databaseUrl, COUNT(now))
  if (counts === undefined) throw new Error('PostgreSQL returned no counts.')
  const checks: [name: string, found: number, least: number, most?: number][] = [
    ['users', counts.users, expected.users],
    ['identities', counts.identities, expected.users],
    ['categories', counts.categories, expected.categories],
    ['prayers', counts.prayers, expected.prayers],
    ['sessions', counts.sessions, expected.sessions, expected.sessions + expected.unknownSessions],
    ['sessions without exactly one active token', counts.broken, 0],
    ['revoked tokens after their retention period', counts.stale, 0],
    ['links and sign-in flows', counts.links, 0],
  ]
  const errors = checks.flatMap(([name, found, least, most = least]) =>
    found >= least && found <= most ? [] : [`${name}: ${String(found)} instead of ${String(least)}`],
  )
  return { counts, errors }
}
