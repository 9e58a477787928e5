import { type ClientBase, DatabaseError, escapeIdentifier, type Pool } from 'pg'
import { StartupError } from '../errors/operator-errors.ts'
import { DATA_ROLE } from './pool.ts'

/** For a DATABASE_URL that leads to a connection pooler, without DATA_DATABASE_URL. */
export const ADVICE_ON_POOLERS =
  'For a connection pooler, set DATA_DATABASE_URL as well (see docs/hosting.md).'

/**
 * No migration file, because roles belong to all databases of a server: one that was moved to another server has its
 * tables and its history, and lacks the role. A start for another database may create it at the same moment.
 */
export const CREATE_DATA_ROLE = `
  do $$
  begin
    if not exists (select from pg_roles where rolname = '${DATA_ROLE}') then
      create role ${DATA_ROLE} nologin noinherit;
    end if;
  exception when duplicate_object or unique_violation then null;
  end
  $$;
  do $$
  begin
    -- Since PostgreSQL 16 the right to switch to a role is separate from membership.
    if not pg_has_role(current_user, '${DATA_ROLE}',
                       case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end)
    then
      grant ${DATA_ROLE} to current_user;
    end if;
  exception when unique_violation then null;
  end
  $$`

const INSUFFICIENT_PRIVILEGE = '42501'
const IS_MEMBER = `select pg_has_role($1, 'anon', 'member') and pg_has_role($1, 'authenticated', 'member') as yes`

/**
 * Gives the role in which data connections start the only right of its own, to check the caller's session before it takes the
 * caller's role (request-scope.ts), and lets a login take the roles of callers. Rejects with a `StartupError` if the owner may not.
 */
export async function grantToDataRole(client: ClientBase, role: string): Promise<void> {
  const name = escapeIdentifier(role)
  await client.query(`
    grant usage on schema intercede to ${name};
    grant execute on function intercede.require_active_session(uuid) to ${name}`)
  if (role === DATA_ROLE) return
  const { rows } = await client.query<{ yes: boolean }>(IS_MEMBER, [role])
  if (rows[0]?.yes === true) return
  try {
    await client.query(`grant anon, authenticated to ${name}`)
  } catch (cause) {
    if (!(cause instanceof DatabaseError) || cause.code !== INSUFFICIENT_PRIVILEGE) throw cause
    throw new StartupError(
      `DATA_DATABASE_URL: the role ${name} may not act as anon and authenticated, which requests run as: run ` +
        `GRANT anon, authenticated TO ${name} as an administrator.`,
      { cause },
    )
  }
}

/** Tables of other programs don't matter: everyone may have been allowed to read them. */
const FIND_RIGHTS = `
  select current_user::text as role,
         exists (
           select from pg_proc p join pg_namespace n on n.oid = p.pronamespace
           where n.nspname = 'intercede' and p.proname = 'require_active_session'
             and has_function_privilege(p.oid, 'execute')
         ) as may_check_sessions,
         (
           select min(n.nspname || '.' || c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
           where n.nspname in ('auth', 'intercede', 'private', 'public') and c.relkind in ('r', 'p', 'v')
             and c.relowner = (select nspowner from pg_namespace where nspname = 'intercede')
             and (has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger')
                  or has_any_column_privilege(c.oid, 'select, insert, update, references'))
         ) as table_in_reach`

interface Rights {
  role: string
  may_check_sessions: boolean
  table_in_reach: string | null
}

/**
 * Rejects with a `StartupError` unless data connections start in their role, and this has no rights of its own, which is what
 * protects the data from a statement outside its transaction.
 */
export async function requireDataRole(dataPool: Pool, dataRole: string): Promise<void> {
  const { rows } = await dataPool.query<Rights>(FIND_RIGHTS)
  const [found] = rows
  if (found === undefined) throw new Error('The query for the rights of data connections returned no row.')
  const shortcoming = dataRole === DATA_ROLE ? findWrongRole(found) : findWrongRights(found)
  if (shortcoming !== null) throw new StartupError(shortcoming)
}

function findWrongRole({ role }: Rights): string | null {
  if (role === DATA_ROLE) return null
  return (
    'DATABASE_URL leads to a connection pooler that ignores connection options (connections start as ' +
    `"${role}", not as "${DATA_ROLE}"). ${ADVICE_ON_POOLERS}`
  )
}

function findWrongRights({ role, may_check_sessions, table_in_reach }: Rights): string | null {
  if (!may_check_sessions) return 'DATA_DATABASE_URL leads to another database than DATABASE_URL.'
  if (table_in_reach === null) return null
  return (
    `DATA_DATABASE_URL: the role "${role}" has rights to ${table_in_reach} by itself, with which a statement outside the ` +
    'transaction of a user could do harm: it has to be a login of its own, with NOINHERIT (see docs/hosting.md).'
  )
}
