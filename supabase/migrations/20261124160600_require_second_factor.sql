-- Two-factor sign-in: a user with a verified authenticator app needs a token for which a code was given (`aal2`). Returns the caller, and
-- raises an error instead of hiding rows, because a device that is sent no rows takes the server for emptied. Every table with a user's data
-- has it in a restrictive policy, and every function that runs with its owner's rights calls it.
--
-- The policies compare it with the owner of a row, as the others do with `auth.uid()`. PostgreSQL then compares the two once per statement,
-- before it looks for rows: otherwise, the error would tell whether any were found.
create function private.require_second_factor() returns uuid
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  if exists (
    select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified'
  ) and (auth.jwt() ->> 'aal' is distinct from 'aal2' or not exists (
    select from auth.sessions s
    where s.id = nullif(auth.jwt() ->> 'session_id', '')::uuid and s.user_id = auth.uid() and s.aal = 'aal2'
  )) then
    raise exception 'This account needs the code from your authenticator app.' using errcode = 'PT401';
  end if;
  return auth.uid();
end
$$;

revoke all on function private.require_second_factor() from public, anon, authenticated;
grant execute on function private.require_second_factor() to authenticated;

-- Called before a change of the caller's account: whatever else changes the account waits until the transaction has ended. What allows
-- the change is asked under this lock, because it may have changed since the request arrived: two-factor sign-in may have been turned
-- on, or the session ended. Its owner's rights are those of the functions that call it.
create function private.lock_account_of_caller() returns void
  language plpgsql
  set search_path = ''
as $$
declare
  session uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
begin
  perform from auth.users u where u.id = auth.uid() for no key update;
  perform private.require_second_factor();
  perform from auth.sessions s where s.id = session and s.user_id = auth.uid() for no key update;
  if session is not null and not found then
    raise exception 'The session has ended' using errcode = 'PT401';
  end if;
end
$$;

revoke all on function private.lock_account_of_caller() from public, anon, authenticated;

create policy "A second factor is given first" on public.sync_state
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));
create policy "A second factor is given first" on public.deletions
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));
create policy "A second factor is given first" on public.categories
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));
create policy "A second factor is given first" on public.prayers
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));
create policy "A second factor is given first" on public.prayer_updates
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));

-- As before, with the second factor.
create or replace function private.prayed_days_of_caller() returns table (prayer_id uuid, day date)
  language sql stable
  security definer
  set search_path = ''
as $$
  select d.prayer_id, d.day
  from public.prayers p join public.prayed_days d on d.prayer_id = p.id
  where p.user_id = (select private.require_second_factor())
$$;

-- Whether the claims state a sign-in within the five minutes before `at`. Neither renewing a session nor a link to set a new password
-- counts: the session of such a link is for nothing else. Nor does a second factor, which whoever holds a stolen token may have added. A clock
-- that is ahead of the database's by up to a minute is accepted.
create or replace function private.signed_in_lately(claims jsonb, at timestamptz) returns boolean
  language sql immutable
  set search_path = ''
as $$
  select coalesce(bool_or(
    (method ->> 'timestamp')::double precision
      between extract(epoch from at) - 300 and extract(epoch from at) + 60
  ), false)
  from jsonb_array_elements(
    case when jsonb_typeof(claims -> 'amr') = 'array' then claims -> 'amr' else '[]' end
  ) as listed (method)
  where jsonb_typeof(method -> 'timestamp') = 'number'
    and coalesce(method ->> 'method', '') not in (
      'token_refresh', 'recovery', 'totp', 'mfa/phone', 'mfa/webauthn', 'recovery_code'
    )
$$;

-- As before, with the second factor.
create or replace function private.caller_signed_in_lately() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform private.require_second_factor();
  if private.states_sign_in(auth.jwt()) then
    return private.signed_in_lately(auth.jwt(), now());
  end if;
  return exists (
    select from auth.sessions s
    where s.user_id = auth.uid() and s.id::text = auth.jwt() ->> 'session_id'
      and s.created_at between now() - interval '5 minutes' and now() + interval '1 minute'
  );
end
$$;

-- As before, but under the lock.
create or replace function private.delete_account_of_caller() returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform private.lock_account_of_caller();
  if not private.caller_signed_in_lately() then
    raise exception 'To delete your account, please sign in again first.' using errcode = 'PT403';
  end if;
  delete from auth.users where id = auth.uid();
end
$$;

-- As before, with the second factor.
create or replace function public.import_prayers(data json, preview boolean) returns jsonb
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
