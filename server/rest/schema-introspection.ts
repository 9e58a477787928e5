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
  volatility: 'immutable' | 'stable' | 'volatile'
  parameters: { name: string; type: string; is_required: boolean; is_variadic: boolean }[]
  /** Unsupported are polymorphic and other pseudo-types, also of parameters. */
  returns: 'void' | 'scalar' | 'rows' | 'unsupported'
  returns_set: boolean
  /** The function's own setting, in milliseconds; null if it has none. */
  statement_timeout: number | null
  /** Columns of the rows it returns; null if it returns plain values. */
  columns: ColumnRow[] | null
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
         case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end as volatility,
         coalesce(given.parameters, '[]') as parameters,
         case
           when given.has_pseudotype then 'unsupported'
           when p.prorettype = 'void'::regtype then 'void'
           when result.typtype = 'c' or given.out_columns is not null then 'rows'
           when result.typtype = 'p' then 'unsupported'
           else 'scalar'
         end as returns,
         p.proretset as returns_set,
         (
           select case
             when own.value ~ '^\\d+$' then own.value::float8
             else 1000 * extract(epoch from own.value::interval)::float8
           end
           from unnest(p.proconfig) as listed (setting), split_part(listed.setting, 'statement_timeout=', 2) as own (value)
           where starts_with(listed.setting, 'statement_timeout=')
         ) as statement_timeout,
         case
           when given.out_columns is not null then given.out_columns
           when result.typtype = 'c' then (${COLUMNS_OF_RELATION} result.typrelid)
         end as columns
  from pg_proc p
  join pg_type result on result.oid = p.prorettype
  cross join lateral (
    select
      json_agg(json_build_object(
        'name', argument.name,
        'type', format_type(argument.type, null),
        'is_required', argument.input_position <= p.pronargs - p.pronargdefaults,
        'is_variadic', argument.mode = 'v') order by argument.position)
        filter (where argument.is_input) as parameters,
      json_agg(json_build_object('name', argument.name, 'type', format_type(argument.type, null), 'default', null)
        order by argument.position) filter (where argument.mode in ('o', 'b', 't')) as out_columns,
      coalesce(bool_or(argument.is_input and t.typtype = 'p'), false) as has_pseudotype,
      coalesce(bool_or(argument.is_input and argument.name = ''), false) as has_unnamed
    from (
      select position, type, mode, coalesce(p.proargnames[position], '') as name,
             mode in ('i', 'b', 'v') as is_input,
             count(*) filter (where mode in ('i', 'b', 'v')) over (order by position) as input_position
      from (
        select position, type, coalesce(p.proargmodes[position], 'i') as mode
        from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as listed (type, position)
      ) with_mode
    ) argument
    join pg_type t on t.oid = argument.type
  ) given
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
    and p.prorettype <> 'trigger'::regtype and not given.has_unnamed`

/** Reads the tables and functions of schema `public` from pg_catalog. Rejects with the database's error. */
export async function introspectSchema(
  pool: Pool,
): Promise<{ tables: readonly TableRow[]; routines: readonly RoutineRow[] }> {
  const tables = await pool.query<TableRow>(TABLES)
  const routines = await pool.query<RoutineRow>(ROUTINES)
  return { tables: tables.rows, routines: routines.rows }
}
