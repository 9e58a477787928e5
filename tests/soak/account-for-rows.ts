import { query } from '#tests/faults/site.ts'
import { SPEED } from './world.ts'

export interface Expected {
  people: number
  categories: number
  prayers: number
  sessions: number
  /** Sessions that may be there besides: their answers were lost. */
  inDoubt: number
}

type Row = Record<
  'people' | 'identities' | 'categories' | 'prayers' | 'sessions' | 'tokens' | 'broken' | 'stale' | 'links',
  number
>

/** Seconds that a revoked token is kept, and until the next clean-up has surely been. */
const KEPT = 86_400 + 1_800

const COUNT = (now: Date) => `
  select
    (select count(*)::int from auth.users) as people,
    (select count(*)::int from auth.identities) as identities,
    (select count(*)::int from public.categories) as categories,
    (select count(*)::int from public.prayers) as prayers,
    (select count(*)::int from auth.sessions) as sessions,
    (select count(*)::int from auth.refresh_tokens) as tokens,
    (select count(*)::int from auth.sessions s
     where (select count(*) from auth.refresh_tokens t where t.session_id = s.id and not t.revoked) <> 1) as broken,
    (select count(*)::int from auth.refresh_tokens t
     where t.revoked and t.updated_at < timestamptz '${now.toISOString()}' - interval '${String(KEPT)} s'
     and not exists (select from auth.refresh_tokens c where c.parent = t.token and not c.revoked)) as stale,
    (select count(*)::int from auth.one_time_tokens) + (select count(*)::int from auth.flow_state) as links`

/** Sentences about rows that are missing, or that nobody can account for; and how many rows there are. */
export async function accountForRows(
  databaseUrl: string,
  start: number,
  expected: Expected,
): Promise<{ counted: Row; complaints: string[] }> {
  const now = new Date(start + (Date.now() - start) * SPEED)
  const [counted] = await query<Row>(databaseUrl, COUNT(now))
  if (counted === undefined) throw new Error('PostgreSQL counted nothing.')
  const checks: [string, number, number, number?][] = [
    ['people', counted.people, expected.people],
    ['identities', counted.identities, expected.people],
    ['categories', counted.categories, expected.categories],
    ['prayers', counted.prayers, expected.prayers],
    ['sessions', counted.sessions, expected.sessions, expected.sessions + expected.inDoubt],
    ['sessions without exactly one token', counted.broken, 0],
    ['used tokens past their time', counted.stale, 0],
    ['links and flows', counted.links, 0],
  ]
  const complaints = checks.flatMap(([name, found, least, most = least]) =>
    found >= least && found <= most ? [] : [`${name}: ${String(found)} instead of ${String(least)}`],
  )
  return { counted, complaints }
}
