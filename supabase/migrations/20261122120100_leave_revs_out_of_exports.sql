-- Export and import leave out `rev`, as they do the owner: the numbers of one account and server mean nothing elsewhere. Otherwise
-- both are as in 20261122000000_derive_exported_columns.sql.

create or replace function public.export_account() returns json
  language sql stable
  security invoker
  set search_path = ''
as $$
  select json_build_object(
    'format', 'intercede-export',
    'version', 1,
    'exported_at', now(),
    'account', private.account_of_caller(),
    'categories', coalesce((
      select json_agg(to_jsonb(c) - '{user_id,rev}'::text[] order by c."order", c.created_at, c.id)
      from public.categories c where c.user_id = (select auth.uid())
    ), '[]'),
    'prayers', coalesce((
      select json_agg(to_jsonb(p) - '{user_id,rev}'::text[] order by p.created_at desc, p.id desc)
      from public.prayers p where p.user_id = (select auth.uid())
    ), '[]')
  )
$$;

-- The rules of the import are those of 20260201000100_create_import_prayers.sql: what exists already stays as it is, and what
-- is added gets an id derived from the caller's and its own.
create or replace function public.import_prayers(data jsonb, preview boolean) returns jsonb
  language plpgsql
  security invoker
  set search_path = ''
  -- PostgreSQL assumes that every JSON list is short, and would compare each given prayer with each of the caller's.
  set enable_nestloop = off
as $$
declare
  result jsonb;
begin
  if jsonb_typeof(data -> 'categories') is distinct from 'array'
     or jsonb_typeof(data -> 'prayers') is distinct from 'array' then
    raise exception 'The data to import has no lists of categories and prayers.' using errcode = '22023';
  end if;
  if exists (
    select from jsonb_array_elements(data -> 'prayers') as p(prayer)
    where not exists (
      select from jsonb_array_elements(data -> 'categories') as c(category)
      where c.category ->> 'id' = p.prayer ->> 'category_id'
    )
  ) then
    raise exception 'A prayer to import stands in a category that is not in the data.' using errcode = '22023';
  end if;

  -- Concurrent imports of one user wait for each other, so that neither misses what the other adds.
  perform pg_advisory_xact_lock(hashtextextended('import_prayers:' || auth.uid()::text, 0));
  -- A row that was deleted is recreated, where other inserts of it are ignored.
  perform set_config('intercede.recreate_rows', 'on', true);

  with given_categories as materialized (
    select given.id, private.imported_id(given.id) as imported_id, private.trim_whitespace(given.name) as name,
           given."order", given.created_at, to_jsonb(given) as fields
    from jsonb_populate_recordset(null::public.categories, data -> 'categories') as given
  ), own_categories as materialized (
    select c.id, c.name, c."order", c.created_at from public.categories c where c.user_id = (select auth.uid())
  ), placed_categories as materialized (
    select g.*, coalesce(same.id, imported.id, named.id, g.imported_id) as target_id,
           coalesce(same.id, imported.id, named.id) is null as is_new
    from given_categories g
    left join own_categories same on same.id = g.id
    left join own_categories imported on imported.id = g.imported_id
    left join (
      select distinct on (name) name, id from own_categories order by name, "order", created_at, id
    ) named on named.name = g.name
  ), new_categories as (
    select p.fields || jsonb_build_object(
      'id', p.target_id,
      'user_id', (select auth.uid()),
      -- After the caller's own, in the order of the file.
      'order', least(
        coalesce((select max(o."order") from own_categories o), 0)
          + row_number() over (order by p."order", p.created_at, p.id),
        2147483647
      )
    ) as fields
    from placed_categories p
    where p.is_new and not preview
  ), added_categories as (
    insert into public.categories
    select category.*
    from new_categories n
    cross join lateral jsonb_populate_record(null::public.categories, n.fields) as category
  ), given_prayers as materialized (
    select given.id, private.imported_id(given.id) as imported_id, given.category_id,
           private.trim_whitespace(given.person_name) as person_name, given.note, given.created_at,
           to_jsonb(given) as fields
    from jsonb_populate_recordset(null::public.prayers, data -> 'prayers') as given
  ), own_prayers as materialized (
    select p.id, p.person_name, p.note, p.created_at from public.prayers p where p.user_id = (select auth.uid())
  ), known_by_id as materialized (
    select g.id, coalesce(same.id, imported.id) as own_id
    from given_prayers g
    left join own_prayers same on same.id = g.id
    left join own_prayers imported on imported.id = g.imported_id
    where same.id is not null or imported.id is not null
  ), alike_given as materialized (
    select g.*, row_number() over (partition by g.person_name, g.note, g.created_at order by g.id) as number
    from given_prayers g
    where not exists (select from known_by_id k where k.id = g.id)
  ), alike_own as materialized (
    select o.*, row_number() over (partition by o.person_name, o.note, o.created_at order by o.id) as number
    from own_prayers o
    where not exists (select from known_by_id k where k.own_id = o.id)
  ), new_prayers as materialized (
    select g.*
    from alike_given g
    where not exists (
      select from alike_own o
      where o.created_at = g.created_at and o.person_name = g.person_name and o.number = g.number
        and o.note is not distinct from g.note
    )
  ), added_prayers as (
    insert into public.prayers
    select prayer.*
    from new_prayers n
    join placed_categories c on c.id = n.category_id
    cross join lateral jsonb_populate_record(
      null::public.prayers,
      n.fields || jsonb_build_object(
        'id', n.imported_id, 'user_id', (select auth.uid()), 'category_id', c.target_id, 'person_name', n.person_name
      )
    ) as prayer
    where not preview
  )
  select jsonb_build_object(
    'categories_added', (select count(*) from placed_categories where is_new),
    'categories_known', (select count(*) from placed_categories where not is_new),
    'prayers_added', (select count(*) from new_prayers),
    'prayers_known', (select count(*) from given_prayers) - (select count(*) from new_prayers)
  ) into result;
  perform set_config('intercede.recreate_rows', 'off', true);
  return result;
end
$$;
