-- Brings the categories and prayers of an exported file into the caller's account, all of them or none.
--
-- What is there already stays as it is and is not added again:
--   * a category or prayer under its id in the file, or under the id that importing it before has given it;
--   * a category by its name, too: prayers of the file's "Family" go into the caller's "Family";
--   * a prayer by person, note and moment of creation, too. Where the file has more of the same kind than the caller, the
--     difference is added;
--   * an update under its id in the file or the one derived from it, or with the same text and time on the same prayer.
-- Prayers that exist get the updates and prayed days that they lack.

-- What is added gets an id made of the caller's and its own. So a file of another account, or of one that was deleted, never meets an
-- id that is taken, and the same file imported twice is imported once.
create function private.imported_id(given uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  select encode(substr(sha256(convert_to(auth.uid()::text || ':' || given::text, 'UTF8')), 1, 16), 'hex')::uuid
$$;

-- `data` has `categories` and `prayers` as docs/export-format.md describes them; whatever else it has is ignored. With `preview`
-- nothing is written. Returns how many rows of each kind were (or would be) added, and how many were there already.
--
-- The data is `json` instead of `jsonb`, so that PostgreSQL parses one prayer at a time: it takes a third less memory. Columns are not
-- listed, so that one added later is included by itself; the owner is always the caller.
create function public.import_prayers(data json, preview boolean) returns jsonb
  language plpgsql
  security invoker
  set search_path = ''
  -- PostgreSQL assumes that every JSON list is short, and would compare each given prayer with each of the caller's.
  set enable_nestloop = off
  -- The statement has some twenty steps, each of which may take as much, or twice that: the rest goes to temporary files.
  set work_mem = '1MB'
  -- An import of all that an account can hold takes 6 seconds of one processor, several times as long on a busy machine. PostgreSQL
  -- itself does not apply the setting to the call in which it is made; PostgREST and our server set it before they call the function.
  set statement_timeout = '50s'
  -- PostgreSQL would plan the import anew for each file, and keep two more copies of the file in the plan.
  set plan_cache_mode = force_generic_plan
  -- Unlike a sort, the hash table that finds the new prayed days cannot go to temporary files.
  set enable_hashagg = off
as $$
declare
  categories json := data -> 'categories';
  prayers json := data -> 'prayers';
  result jsonb;
  has_unknown_category boolean;
  prayers_of_days uuid[];
  days date[];
begin
  perform private.require_second_factor();
  if json_typeof(categories) is distinct from 'array' or json_typeof(prayers) is distinct from 'array' then
    raise exception 'The data to import has no lists of categories and prayers.' using errcode = '22023';
  end if;

  -- Concurrent imports of one user wait for each other, so that neither misses what the other adds.
  perform pg_advisory_xact_lock(hashtextextended('import_prayers:' || auth.uid()::text, 0));
  -- A row that was deleted is recreated, where other inserts of it are ignored.
  perform set_config('intercede.recreate_rows', 'on', true);

  with given_categories as materialized (
    select given.id, private.imported_id(given.id) as imported_id, private.trim_whitespace(given.name) as name,
           given."order", given.created_at, given as fields
    from json_populate_recordset(null::public.categories, categories) as given
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
    select p.fields, jsonb_build_object(
      'id', p.target_id,
      'user_id', (select auth.uid()),
      -- After the caller's own, in the order of the file.
      'order', least(
        coalesce((select max(o."order") from own_categories o), 0)
          + row_number() over (order by p."order", p.created_at, p.id),
        2147483647
      )
    ) as changes
    from placed_categories p
    where p.is_new and not preview
  ), added_categories as (
    insert into public.categories
    select category.*
    from new_categories n
    cross join lateral jsonb_populate_record(n.fields, n.changes) as category
  ), given_prayers as materialized (
    select given.id, private.imported_id(given.id) as imported_id, given.category_id,
           private.trim_whitespace(given.person_name) as person_name, given.note, given.created_at,
           given as fields, listed.prayer -> 'updates' as updates, listed.prayer -> 'prayed_days' as prayed_days
    from json_array_elements(prayers) as listed (prayer)
    cross join lateral json_populate_record(null::public.prayers, listed.prayer) as given
  ), own_prayers as materialized (
    select p.id, p.person_name, p.note, p.created_at from public.prayers p where p.user_id = (select auth.uid())
  ), known_by_id as materialized (
    select distinct g.id, coalesce(same.id, imported.id) as own_id
    from given_prayers g
    left join own_prayers same on same.id = g.id
    left join own_prayers imported on imported.id = g.imported_id
    where same.id is not null or imported.id is not null
  ), alike_given as materialized (
    select g.id, g.person_name, g.note, g.created_at,
           row_number() over (partition by g.person_name, g.note, g.created_at order by g.id) as number
    from given_prayers g
    where not exists (select from known_by_id k where k.id = g.id)
  ), alike_own as materialized (
    select o.*, row_number() over (partition by o.person_name, o.note, o.created_at order by o.id) as number
    from own_prayers o
    where not exists (select from known_by_id k where k.own_id = o.id)
  ), known_alike as materialized (
    select g.id, o.id as own_id
    from alike_given g
    join alike_own o
      on o.created_at = g.created_at and o.person_name = g.person_name and o.number = g.number
     and o.note is not distinct from g.note
  ), placed_prayers as materialized (
    select g.*, coalesce(k.own_id, a.own_id, g.imported_id) as target_id,
           coalesce(k.own_id, a.own_id) is null as is_new
    from given_prayers g
    left join known_by_id k on k.id = g.id
    left join known_alike a on a.id = g.id
  ), added_prayers as (
    insert into public.prayers
    select prayer.*
    from placed_prayers p
    join placed_categories c on c.id = p.category_id
    cross join lateral jsonb_populate_record(
      p.fields,
      jsonb_build_object(
        'id', p.target_id, 'user_id', (select auth.uid()), 'category_id', c.target_id, 'person_name', p.person_name,
        'last_prayed_on', null, 'times_prayed', 0
      )
    ) as prayer
    where p.is_new and not preview
  ), given_updates as materialized (
    select p.target_id as prayer_id, given.id, private.imported_id(given.id) as imported_id, given.body, given.created_at,
           given as fields
    from placed_prayers p
    cross join lateral json_populate_recordset(null::public.prayer_updates, coalesce(p.updates, '[]')) as given
  ), own_updates as materialized (
    select u.id, u.prayer_id, u.body, u.created_at from public.prayer_updates u where u.user_id = (select auth.uid())
  ), new_updates as materialized (
    select g.*
    from given_updates g
    where not exists (select from own_updates o where o.id = g.id)
      and not exists (select from own_updates o where o.id = g.imported_id)
      and not exists (
        select from own_updates o where o.prayer_id = g.prayer_id and o.created_at = g.created_at and o.body = g.body
      )
  ), added_updates as (
    insert into public.prayer_updates
    select written.*
    from new_updates n
    cross join lateral jsonb_populate_record(
      n.fields,
      jsonb_build_object('id', n.imported_id, 'user_id', (select auth.uid()), 'prayer_id', n.prayer_id)
    ) as written
    where not preview
  ), new_days as materialized (
    select p.target_id as prayer_id, listed.day::date as day
    from placed_prayers p
    cross join lateral json_array_elements_text(coalesce(p.prayed_days, '[]')) as listed (day)
    except
    select own.prayer_id, own.day from private.prayed_days_of_caller() own
  )
  select jsonb_build_object(
    'categories_added', (select count(*) from placed_categories where is_new),
    'categories_known', (select count(*) from placed_categories where not is_new),
    'prayers_added', (select count(*) from placed_prayers where is_new),
    'prayers_known', (select count(*) from placed_prayers where not is_new),
    'updates_added', (select count(*) from new_updates),
    'prayed_days_added', (select count(*) from new_days)
  ), exists (
    select from given_prayers g where not exists (select from given_categories c where c.id = g.category_id)
  ), (select array_agg(d.prayer_id) from new_days d), (select array_agg(d.day) from new_days d)
  into result, has_unknown_category, prayers_of_days, days;

  if has_unknown_category then
    raise exception 'A prayer to import stands in a category that is not in the data.' using errcode = '22023';
  end if;
  if not preview then perform private.record_prayed_days(prayers_of_days, days); end if;
  perform set_config('intercede.recreate_rows', 'off', true);
  return result;
end
$$;

-- The same for an encrypted account, whose names and notes only its devices can compare. A device has looked for what is there already,
-- and has sealed the texts for the ids that the rows will have, which it knows: `data` has these ids. What exists under its id stays as
-- it is, so several calls can bring the parts of one file.
create function public.import_sealed(data json) returns jsonb
  language plpgsql
  security invoker
  set search_path = ''
  -- As for `import_prayers`.
  set enable_nestloop = off
  set work_mem = '1MB'
  set statement_timeout = '50s'
  set plan_cache_mode = force_generic_plan
  set enable_hashagg = off
as $$
declare
  categories json := data -> 'categories';
  prayers json := data -> 'prayers';
  result jsonb;
  prayers_of_days uuid[];
  days date[];
begin
  perform private.require_second_factor();
  if json_typeof(categories) is distinct from 'array' or json_typeof(prayers) is distinct from 'array' then
    raise exception 'The data to import has no lists of categories and prayers.' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('import_prayers:' || auth.uid()::text, 0));
  perform set_config('intercede.recreate_rows', 'on', true);

  with own_categories as materialized (
    select c.id, c."order" from public.categories c where c.user_id = (select auth.uid())
  ), new_categories as materialized (
    select jsonb_populate_record(given, jsonb_build_object(
      'user_id', (select auth.uid()),
      'order', least(
        coalesce((select max(o."order") from own_categories o), 0)
          + row_number() over (order by given."order", given.created_at, given.id),
        2147483647
      )
    )) as category
    from json_populate_recordset(null::public.categories, categories) as given
    where not exists (select from own_categories o where o.id = given.id)
  ), added_categories as (
    insert into public.categories select (n.category).* from new_categories n
  ), given_prayers as materialized (
    select given as fields, given.id, listed.prayer -> 'updates' as updates, listed.prayer -> 'prayed_days' as prayed_days
    from json_array_elements(prayers) as listed (prayer)
    cross join lateral json_populate_record(null::public.prayers, listed.prayer) as given
  ), new_prayers as materialized (
    select g.fields from given_prayers g
    where not exists (select from public.prayers p where p.id = g.id and p.user_id = (select auth.uid()))
  ), added_prayers as (
    insert into public.prayers
    select prayer.*
    from new_prayers n
    cross join lateral jsonb_populate_record(
      n.fields, jsonb_build_object('user_id', (select auth.uid()), 'last_prayed_on', null, 'times_prayed', 0)
    ) as prayer
  ), new_updates as materialized (
    select given as fields, g.id as prayer_id
    from given_prayers g
    cross join lateral json_populate_recordset(null::public.prayer_updates, coalesce(g.updates, '[]')) as given
    where not exists (select from public.prayer_updates u where u.id = given.id and u.user_id = (select auth.uid()))
  ), added_updates as (
    insert into public.prayer_updates
    select written.*
    from new_updates n
    cross join lateral jsonb_populate_record(
      n.fields, jsonb_build_object('user_id', (select auth.uid()), 'prayer_id', n.prayer_id)
    ) as written
  ), new_days as materialized (
    select g.id as prayer_id, listed.day::date as day
    from given_prayers g
    cross join lateral json_array_elements_text(coalesce(g.prayed_days, '[]')) as listed (day)
    except
    select own.prayer_id, own.day from private.prayed_days_of_caller() own
  )
  select jsonb_build_object(
    'categories_added', (select count(*) from new_categories),
    'prayers_added', (select count(*) from new_prayers),
    'updates_added', (select count(*) from new_updates),
    'prayed_days_added', (select count(*) from new_days)
  ), (select array_agg(d.prayer_id) from new_days d), (select array_agg(d.day) from new_days d)
  into result, prayers_of_days, days;

  perform private.record_prayed_days(prayers_of_days, days);
  perform set_config('intercede.recreate_rows', 'off', true);
  return result;
end
$$;

revoke all on function public.import_prayers(json, boolean), public.import_sealed(json) from public, anon, authenticated;
grant execute on function public.import_prayers(json, boolean), public.import_sealed(json) to authenticated;
