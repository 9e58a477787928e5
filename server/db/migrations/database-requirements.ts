import type { ClientBase, Pool } from 'pg'
import { StartupError } from '../../errors/operator-errors.ts'

const OLDEST_VERSION = 15

/** What matters about a database and the role that is connected to it. */
export interface Capabilities {
  version: string
  version_number: number
  user_name: string
  database_name: string
  encoding: string
  may_create_schemas: boolean
  may_create_tables: boolean
  may_create_roles: boolean
  /** Required roles that don't exist. */
  missing_roles: string[]
  /** Required roles that exist, and that the connected role may not switch to. */
  barred_roles: string[]
  /** The owner of Intercede's tables, if there are any that the connected role may not change. */
  other_owner: string | null
  /** Whether another program, such as Supabase's auth server, has created the schema `auth`. */
  foreign_auth_schema: boolean
}

const ROLES_OF_CALLERS = ['anon', 'authenticated']

const CAPABILITIES = `
  with wanted as (
    select role_name, exists (select from pg_roles where rolname = role_name) as present
    from unnest($1::text[]) as role_name
  )
  select current_setting('server_version') as version,
         current_setting('server_version_num')::int as version_number,
         current_user as user_name,
         current_database() as database_name,
         pg_encoding_to_char(encoding) as encoding,
         has_database_privilege(current_database(), 'create') as may_create_schemas,
         has_schema_privilege('public', 'create') as may_create_tables,
         (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as may_create_roles,
         array(select role_name from wanted where not present) as missing_roles,
         array(
           select role_name from wanted
           where present
             and not pg_has_role(current_user, role_name, 'member with admin option')
             and case
                   when current_setting('server_version_num')::int >= 160000
                     then not pg_has_role(current_user, role_name, 'set')
                   else not pg_has_role(current_user, role_name, 'member')
                     and not (select rolcreaterole from pg_roles where rolname = current_user)
                 end
         ) as barred_roles,
         (
           select pg_get_userbyid(nspowner) from pg_namespace
           where nspname = 'intercede' and not pg_has_role(current_user, nspowner, 'usage')
         ) as other_owner,
         exists (select from pg_tables where schemaname = 'auth' and tablename = 'users')
           and not exists (
             select from pg_attribute a
             join pg_class c on c.oid = a.attrelid
             join pg_namespace n on n.oid = c.relnamespace
             where n.nspname = 'auth' and c.relname = 'schema_migrations' and a.attname = 'statements'
           ) as foreign_auth_schema
  from pg_database
  where datname = current_database()`

/**
 * Rejects with a `StartupError` if the database is unsuitable; its message includes what to do about it. `dataRole` is
 * required besides the roles of callers.
 */
export async function requireCapableDatabase(
  database: Pool | ClientBase,
  dataRole: string | null,
): Promise<void> {
  const { rows } = await database.query<Capabilities>(CAPABILITIES, [
    dataRole === null ? ROLES_OF_CALLERS : [...ROLES_OF_CALLERS, dataRole],
  ])
  const [found] = rows
  if (found === undefined) throw new Error('The query for the capabilities of the database returned no row.')
  const shortcoming = findShortcoming(found)
  if (shortcoming !== null) throw new StartupError(shortcoming)
}

/** The first unmet requirement, as a message; null if there is none. */
export function findShortcoming(found: Capabilities): string | null {
  const database = `the database "${found.database_name}"`
  const user = `"${found.user_name}"`
  if (found.version_number < OLDEST_VERSION * 10_000)
    return `DATABASE_URL leads to PostgreSQL ${found.version}, and Intercede needs ${String(OLDEST_VERSION)} or newer.`
  if (found.encoding !== 'UTF8')
    return `DATABASE_URL: ${database} is encoded in ${found.encoding}, and Intercede needs UTF8.`
  if (found.other_owner !== null)
    return (
      `DATABASE_URL: the tables in ${database} belong to the role "${found.other_owner}", and ${user} may not change them: ` +
      'connect as their owner.'
    )
  if (!found.may_create_schemas || !found.may_create_tables)
    return `DATABASE_URL: the role ${user} may not create schemas and tables in ${database}: make it the database's owner.`
  if (found.missing_roles.length > 0 && !found.may_create_roles)
    return (
      `DATABASE_URL: the role ${user} may not create the roles ${listOf(found.missing_roles)} that requests run as: ` +
      `give it CREATEROLE, or create them (nologin) and grant them to ${user}.`
    )
  if (found.barred_roles.length > 0)
    return (
      `DATABASE_URL: the role ${user} may not act as ${listOf(found.barred_roles)}, which requests run as: ` +
      `run GRANT ${found.barred_roles.join(', ')} TO ${user} as an administrator.`
    )
  if (found.foreign_auth_schema)
    return (
      `DATABASE_URL: ${database} has an "auth" schema that is not Intercede's, as a Supabase project has: ` +
      'point the web app at that project instead, or give Intercede a database of its own.'
    )
  return null
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names)
}
