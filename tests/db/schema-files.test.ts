import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ClientBase, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APP_FOLDER, AUTH_FOLDER } from '#server/db/migrations/migrate.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

/** Files that declare the current schema, which the migrations must lead to. */
const SCHEMA_FOLDER = join('supabase', 'schemas')

/** What Supabase gives its roles on new objects, so that a missing `revoke` shows. */
const SUPABASE_GRANTS = `
  alter default privileges in schema public grant all on tables to anon, authenticated;
  alter default privileges in schema public grant all on functions to anon, authenticated;
  alter default privileges in schema public grant all on sequences to anon, authenticated`

const OWN_SCHEMAS = `(select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')`
const OWN_RELATIONS = `(select oid from pg_class where relkind not in ('i', 'I', 't') and relnamespace in ${OWN_SCHEMAS})`

/**
 * One query per kind of object: its name, and everything about it that the comparison covers. The order of columns does not
 * matter: nothing depends on it.
 */
const CATALOG: Readonly<Record<string, string>> = {
  schema: `
    select nspname as name, nspowner::regrole::text as owner,
           array(select unnest(coalesce(nspacl, acldefault('n', nspowner)))::text order by 1) as acl,
           obj_description(oid, 'pg_namespace') as comment
    from pg_namespace where oid in ${OWN_SCHEMAS}`,
  relation: `
    select c.oid::regclass::text as name, c.relkind, c.relpersistence, c.relowner::regrole::text as owner,
           c.relrowsecurity, c.relforcerowsecurity, c.relreplident,
           array(select unnest(c.reloptions) order by 1) as options,
           array(select unnest(t.reloptions) order by 1) as toast_options,
           case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end as definition,
           array(select unnest(
             coalesce(c.relacl, acldefault((case c.relkind when 'S' then 's' else 'r' end)::"char", c.relowner))
           )::text order by 1) as acl,
           obj_description(c.oid, 'pg_class') as comment
    from pg_class c left join pg_class t on t.oid = c.reltoastrelid where c.oid in ${OWN_RELATIONS}`,
  column: `
    select a.attrelid::regclass || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull,
           pg_get_expr(d.adbin, d.adrelid) as default, a.attgenerated, a.attidentity,
           a.attcollation::regcollation::text as collation, a.attstorage, a.attcompression, a.attoptions,
           array(select unnest(a.attacl)::text order by 1) as acl, col_description(a.attrelid, a.attnum) as comment
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid in ${OWN_RELATIONS} and a.attnum > 0 and not a.attisdropped`,
  constraint: `
    select conname || ' on ' || case when conrelid = 0 then contypid::regtype::text else conrelid::regclass::text end as name,
           pg_get_constraintdef(oid) as definition, obj_description(oid, 'pg_constraint') as comment
    from pg_constraint where connamespace in ${OWN_SCHEMAS}`,
  index: `
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisvalid, indisclustered,
           obj_description(indexrelid, 'pg_class') as comment
    from pg_index where indrelid in ${OWN_RELATIONS}`,
  trigger: `
    select tgname || ' on ' || tgrelid::regclass as name, pg_get_triggerdef(oid) as definition, tgenabled,
           obj_description(oid, 'pg_trigger') as comment
    from pg_trigger where tgrelid in ${OWN_RELATIONS} and not tgisinternal`,
  policy: `
    select polname || ' on ' || polrelid::regclass as name, polpermissive, polcmd, polroles::regrole[]::text as roles,
           pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as with_check,
           obj_description(oid, 'pg_policy') as comment
    from pg_policy where polrelid in ${OWN_RELATIONS}`,
  function: `
    select oid::regprocedure::text as name, proowner::regrole::text as owner, prokind,
           case when prokind <> 'a' then pg_get_functiondef(oid) end as definition,
           array(select unnest(coalesce(proacl, acldefault('f', proowner)))::text order by 1) as acl,
           obj_description(oid, 'pg_proc') as comment
    from pg_proc where pronamespace in ${OWN_SCHEMAS}`,
  type: `
    select oid::regtype::text as name, typtype, format_type(typbasetype, typtypmod) as base, typnotnull, typdefault,
           array(select enumlabel::text from pg_enum where enumtypid = t.oid order by enumsortorder) as labels,
           array(select unnest(coalesce(typacl, acldefault('T', typowner)))::text order by 1) as acl,
           obj_description(oid, 'pg_type') as comment
    from pg_type t where typnamespace in ${OWN_SCHEMAS} and typtype <> 'c' and typcategory <> 'A'`,
  sequence: `
    select seqrelid::regclass::text as name, seqtypid::regtype::text as type, seqstart, seqincrement, seqmax, seqmin,
           seqcache, seqcycle
    from pg_sequence where seqrelid in ${OWN_RELATIONS}`,
}

/** Catalogs whose objects belong to a schema, as far as there are any. */
const CATALOGS_IN_USE = `
  select distinct classid::regclass::text as name from pg_depend
  where refclassid = 'pg_namespace'::regclass and refobjid in ${OWN_SCHEMAS} order by 1`

interface CatalogEntry {
  name: string
}

/** The entries of the catalog by their kind and name. */
type Schema = ReadonlyMap<string, CatalogEntry>

async function readSchema(client: Pool | ClientBase): Promise<Schema> {
  const schema = new Map<string, CatalogEntry>()
  for (const [kind, query] of Object.entries(CATALOG)) {
    const { rows } = await client.query<CatalogEntry>(query)
    for (const row of rows) schema.set(`${kind} ${row.name}`, row)
  }
  return schema
}

/** The entries that are in one schema only, or differ: as they are in each. */
function differences(left: Schema, right: Schema) {
  const names = [...new Set([...left.keys(), ...right.keys()])].toSorted()
  const different = names.filter((name) => !isDeepStrictEqual(left.get(name), right.get(name)))
  const pick = (schema: Schema) => Object.fromEntries(different.map((name) => [name, schema.get(name)]))
  return { left: pick(left), right: pick(right) }
}

/** The schema after the files of a folder were applied to a database that has the tables of a Supabase project. */
async function applyFolder(folder: string, defaultGrants: string): Promise<Schema> {
  const database = await createEmptyDatabase()
  try {
    await applyFiles(database.pool, AUTH_FOLDER)
    await database.pool.query(defaultGrants)
    await applyFiles(database.pool, folder)
    return await readSchema(database.pool)
  } finally {
    await database.drop()
  }
}

async function applyFiles(pool: Pool, folder: string): Promise<void> {
  const entries = await readdir(join(PACKAGE_ROOT, folder))
  for (const fileName of entries.filter((entry) => entry.endsWith('.sql')).toSorted()) {
    const sql = await readFile(join(PACKAGE_ROOT, folder, fileName), 'utf8')
    await pool.query(sql).catch((cause: unknown) => {
      throw new Error(`${join(folder, fileName)} failed`, { cause })
    })
  }
}

describe('supabase/schemas', () => {
  it.each([
    ['our server', ''],
    ['Supabase', SUPABASE_GRANTS],
  ])('declares what the migrations lead to, with the default grants of %s', async (_, defaultGrants) => {
    const migrated = await applyFolder(APP_FOLDER, defaultGrants)
    const declared = await applyFolder(SCHEMA_FOLDER, defaultGrants)
    const { left, right } = differences(migrated, declared)
    const names = Object.keys(left).join(', ')
    expect(right, `supabase/migrations (-) and supabase/schemas (+) differ in: ${names}`).toEqual(left)
  })
})

describe('the comparison', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('covers every kind of object that there is', async () => {
    const { rows } = await database.pool.query<CatalogEntry>(CATALOGS_IN_USE)
    expect(rows.map(({ name }) => name)).toEqual(['pg_class', 'pg_proc', 'pg_type'])
  })

  it.each([
    ['schema private', 'grant create on schema private to authenticated'],
    ['relation prayers', 'alter table public.prayers disable row level security'],
    ['relation prayers', 'grant truncate on public.prayers to authenticated'],
    ['relation prayers', 'alter table public.prayers reset (autovacuum_vacuum_threshold)'],
    ['relation prayers', 'alter table public.prayers reset (toast.autovacuum_vacuum_threshold)'],
    ['relation prayers', `comment on table public.prayers is 'A comment'`],
    ['column prayers.note', `alter table public.prayers alter column note set default ''`],
    ['column prayers.note', 'alter table public.prayers alter column note set storage main'],
    ['column prayers.note', 'grant select (note) on public.prayers to anon'],
    [
      'constraint prayers_note_length on prayers',
      'alter table public.prayers drop constraint prayers_note_length',
    ],
    ['index prayers_category_id_idx', 'drop index public.prayers_category_id_idx'],
    ['trigger stamp_row on prayers', 'alter table public.prayers disable trigger stamp_row'],
    [
      'policy People read their own prayers on prayers',
      'alter policy "People read their own prayers" on public.prayers using (true)',
    ],
    [
      'function private.row_bytes()',
      `create or replace function private.row_bytes() returns integer
         language sql immutable parallel safe set search_path = '' as 'select 501'`,
    ],
    ['function private.row_bytes()', 'alter function private.row_bytes() volatile'],
    ['function private.row_bytes()', 'revoke execute on function private.row_bytes() from public'],
    [
      'function import_prayers(json,boolean)',
      'alter function public.import_prayers(json, boolean) reset statement_timeout',
    ],
  ])('notices a change of the %s: %s', async (name, change) => {
    const { before, after } = await tryChange(database.pool, change)
    expect(Object.keys(differences(before, after).left)).toEqual([name])
  })

  it('notices a missing table, with everything that belongs to it', async () => {
    const { before, after } = await tryChange(database.pool, 'drop table public.prayed_days')
    const { left, right } = differences(before, after)
    expect(Object.keys(left)).toEqual(
      expect.arrayContaining([
        'relation prayed_days',
        'column prayed_days.day',
        'index prayed_days_pkey',
        'constraint prayed_days_day_range on prayed_days',
      ]),
    )
    expect(Object.values(right).every((entry) => entry === undefined)).toBe(true)
  })
})

/** The schema before and after a statement, which is undone. */
async function tryChange(pool: Pool, change: string): Promise<{ before: Schema; after: Schema }> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const before = await readSchema(client)
    await client.query(change)
    const after = await readSchema(client)
    await client.query('rollback')
    return { before, after }
  } finally {
    client.release()
  }
}
