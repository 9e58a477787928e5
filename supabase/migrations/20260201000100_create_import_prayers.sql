-- Brings the categories and prayers of an exported file into the caller's account, all of them or none.
--
-- What is there already stays as it is and is not added again:
--   * a category or prayer under its id in the file, or under the id that importing it before has given it;
--   * a category by its name, too: prayers of the file's "Family" go into the caller's "Family";
--   * a prayer by person, note and moment of creation, too. Where the file has more of the same kind than the caller,
--     the difference is added.
-- What is added gets an id made of the caller's and its own. So a file of another account, or of one that was deleted,
-- never meets an id that is taken, and the same file imported twice is imported once.

create function private.imported_id(given uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  select encode(substr(sha256(convert_to(auth.uid()::text || ':' || given::text, 'UTF8')), 1, 16), 'hex')::uuid
$$;

-- `data` has `categories` and `prayers` as docs/export-format.md describes them; whatever else it has is ignored.
-- With `preview` nothing is written. Answers with how many categories and prayers were (or would be) added, and how many
-- were there already.
create function public.import_prayers(data jsonb, preview boolean) returns jsonb
  language plpgsql
  security invoker
  set search_path = ''
  -- PostgreSQL takes every JSON list for a short one, and would compare each given prayer with each of the caller's.
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

  -- Two imports of one person wait for each other, so that neither misses what the other adds.
  perform pg_advisory_xact_lock(hashtextextended('import_prayers:' || auth.uid()::text, 0));

  with given_categories as materialized (
    select given.id, private.imported_id(given.id) as imported_id, private.trim_whitespace(given.name) as name,
           given."order", given.is_visible, given.created_at, given.updated_at
    from jsonb_to_recordset(data -> 'categories') as given (
      id uuid, name text, "order" integer, is_visible boolean, created_at timestamptz, updated_at timestamptz
    )
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
  ), added_categories as (
    insert into public.categories (id, user_id, name, "order", is_visible, created_at, updated_at)
    select p.target_id, (select auth.uid()), p.name,
           -- Behind the caller's own, in the order of the file.
           least(
             coalesce((select max(o."order") from own_categories o), 0)
               + row_number() over (order by p."order", p.created_at, p.id),
             2147483647
           ),
           p.is_visible, p.created_at, p.updated_at
    from placed_categories p
    where p.is_new and not preview
  ), given_prayers as materialized (
    select given.id, private.imported_id(given.id) as imported_id, given.category_id,
           private.trim_whitespace(given.person_name) as person_name, given.note, given.resolved, given.created_at
    from jsonb_to_recordset(data -> 'prayers') as given (
      id uuid, category_id uuid, person_name text, note text, resolved boolean, created_at timestamptz
    )
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
    insert into public.prayers (id, user_id, category_id, person_name, note, resolved, created_at)
    select n.imported_id, (select auth.uid()), c.target_id, n.person_name, n.note, n.resolved, n.created_at
    from new_prayers n
    join placed_categories c on c.id = n.category_id
    where not preview
  )
  select jsonb_build_object(
    'categories_added', (select count(*) from placed_categories where is_new),
    'categories_known', (select count(*) from placed_categories where not is_new),
    'prayers_added', (select count(*) from new_prayers),
    'prayers_known', (select count(*) from given_prayers) - (select count(*) from new_prayers)
  ) into result;
  return result;
end
$$;

revoke all on function public.import_prayers(jsonb, boolean) from public, anon, authenticated;
grant execute on function public.import_prayers(jsonb, boolean) to authenticated;
