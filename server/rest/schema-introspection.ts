import type { Pool } from 'pg'

/** A column as described by pg_catalog. Types and defaults are SQL text written by PostgreSQL. */
export interface ColumnRow {
  name: string
  type: string
  default: string | null
}

export interface TableRow {
  name: string
  columns: ColumnRow[]
  primary_key: string[]
  has_row_versions: boolean
}

export interface RoutineRow {
  name: string
  is_volatile: boolean
  parameters: { name: string; type: string; is_required: boolean }[]
  returns_void: boolean
  /** The kind of function that it is, if that can't be called. */
  unsupported: string | null
  /** The function's own setting, in milliseconds; null if it has none. */
  statement_timeout: number | null
}

const COLUMNS_OF_RELATION = `
  select json_agg(json_build_object(
           'name', a.attname,
           'type', format_type(a.atttypid, a.atttypmod),
           'default', case
             when a.attidentity = 'd' then format('nextval(%L)', pg_get_serial_sequence(a.attrelid::regclass::text, a.attname))
             when a.attidentity = '' and a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid)
           end) order by a.attnum)
  from pg_attribute a
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped and a.attrelid =`

const TABLES = `
  select c.relname as name,
         coalesce((${COLUMNS_OF_RELATION} c.oid), '[]') as columns,
         coalesce((
           select json_agg(a.attname order by key.position)
           from pg_index i,
                unnest(i.indkey::smallint[]) with ordinality as key (attnum, position),
                pg_attribute a
           where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = key.attnum
         ), '[]') as primary_key,
         c.relkind = 'r' as has_row_versions
  from pg_class c
  where c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not c.relispartition`

const ROUTINES = `
  select p.proname as name,
         p.provolatile = 'v' as is_volatile,
         coalesce(given.parameters, '[]') as parameters,
         p.prorettype = 'void'::regtype as returns_void,
         case
           when count(*) over (partition by p.proname) > 1 then 'overloaded functions'
           when p.provariadic <> 0 then 'variadic functions'
           when p.proretset or result.typtype = 'c' or p.proallargtypes is not null then 'functions that return rows'
           when given.has_pseudotype or (result.typtype = 'p' and p.prorettype <> 'void'::regtype) then 'polymorphic functions'
           when given.has_unnamed then 'functions with unnamed parameters'
         end as unsupported,
         (
           select case
             when own.value ~ '^\\d+$' then own.value::float8
             else 1000 * extract(epoch from own.value::interval)::float8
           end
           from unnest(p.proconfig) as listed (setting), split_part(listed.setting, 'statement_timeout=', 2) as own (value)
           where starts_with(listed.setting, 'statement_timeout=')
         ) as statement_timeout
  from pg_proc p
  join pg_type result on result.oid = p.prorettype
  cross join lateral (
    select
      json_agg(json_build_object(
        'name', argument.name,
        'type', format_type(argument.type, null),
        'is_required', argument.position <= p.pronargs - p.pronargdefaults) order by argument.position) as parameters,
      bool_or(t.typtype = 'p') as has_pseudotype,
      bool_or(argument.name = '') as has_unnamed
    from (
      select position, type, coalesce(p.proargnames[position], '') as name
      from unnest(p.proargtypes::oid[]) with ordinality as listed (type, position)
    ) argument
    join pg_type t on t.oid = argument.type
  ) given
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype`

/** Reads the tables and functions of schema `public` from pg_catalog. Rejects with the database's error. */
export async function introspectSchema(
  pool: Pool,
): Promise<{ tables: readonly TableRow[]; routines: readonly RoutineRow[] }> {
  const tables = await pool.query<TableRow>(TABLES)
  const routines = await pool.query<RoutineRow>(ROUTINES)
  return { tables: tables.rows, routines: routines.rows }
}
