-- After a restore, devices send again what the server has lost, unless it was written since. Nothing but what users write may count as
-- that, and no device may write before it knows of the restore.

-- Called after the number is taken, under the lock. A device that has not heard of a restore must receive before it changes anything:
-- otherwise, the rows that it changes would seem newer than what it and others have to send again. Its requests name the epoch that it
-- knows, as a preference, which PostgREST leaves to the database. Other clients name none.
create function private.require_known_epoch(owner uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  -- Empty where an earlier transaction of the connection had headers.
  headers json := nullif(current_setting('request.headers', true), '');
  known text := substring(headers ->> 'prefer' from '(?:^|,)\s*epoch=([^,;\s]*)');
begin
  if known is not null and exists (
    select from public.sync_state s where s.user_id = owner and s.epoch::text <> known
  ) then
    raise exception 'The server was restored from a backup: its changes have to be received first.' using errcode = 'PT412';
  end if;
end
$$;

revoke all on function private.require_known_epoch(uuid) from public, anon, authenticated;

-- As before, with the epoch.
create or replace function private.lock_changes_of_caller() returns void
  language sql
  security definer
  set search_path = ''
as $$
  select private.require_second_factor();
  select private.require_unused_hour(auth.uid());
  select private.next_rev(auth.uid());
  select private.require_known_epoch(auth.uid())
$$;

-- As before, with the epoch.
create or replace function private.lock_changes() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
begin
  if caller is null then return null; end if;
  perform private.require_second_factor();
  -- Not where a row is deleted with the account, or with another row.
  if pg_trigger_depth() = 1 then perform private.require_unused_hour(caller); end if;
  perform private.next_rev(caller);
  perform private.require_known_epoch(caller);
  return null;
end
$$;

alter table public.prayers
  -- The `rev` of the last write that has changed anything besides `last_prayed_on` and `times_prayed`, set by a trigger. Null: unknown,
  -- and not after `rev`. After a restore, devices tell by it which rows were written since.
  add column written_rev bigint;

-- Updates that are added, and columns that only the database computes, raise the number of a prayer, but change nothing that its owner
-- has written. Runs after `stamp_row`, because of its name.
create function private.stamp_written_prayer() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  written bigint := new.rev;
begin
  if tg_op = 'UPDATE' then
    written := coalesce(old.written_rev, old.rev);
    new.written_rev := old.written_rev;
    old.rev := new.rev;
    old.last_prayed_on := new.last_prayed_on;
    old.times_prayed := new.times_prayed;
    if new is distinct from old then written := new.rev; end if;
  end if;
  new.written_rev := written;
  return new;
end
$$;

revoke all on function private.stamp_written_prayer() from public, anon, authenticated;

create or replace trigger stamp_written before insert or update on public.prayers
  for each row execute function private.stamp_written_prayer();

-- As before, without the new number.
create or replace function public.export_account() returns json
  language sql stable
  security invoker
  set search_path = ''
  -- PostgreSQL assumes that few prayers have updates or days, and would look for those of each prayer one by one.
  set enable_nestloop = off
as $$
  select json_build_object(
    'format', 'intercede-export',
    'version', 3,
    'exported_at', now(),
    'account', private.account_of_caller(),
    'categories', coalesce((
      select json_agg(to_jsonb(c) - '{user_id,rev}'::text[] order by c."order", c.created_at, c.id)
      from public.categories c where c.user_id = (select auth.uid())
    ), '[]'),
    'prayers', coalesce((
      select json_agg(
        to_jsonb(p) - '{user_id,rev,written_rev}'::text[] || jsonb_build_object(
          'updates', coalesce(written.updates, '[]'), 'prayed_days', coalesce(prayed.days, '[]')
        ) order by p.created_at desc, p.id desc
      )
      from public.prayers p
      left join (
        select u.prayer_id, jsonb_agg(
          to_jsonb(u) - '{user_id,rev,prayer_id}'::text[] order by u.created_at desc, u.id desc
        ) as updates
        from public.prayer_updates u where u.user_id = (select auth.uid()) group by u.prayer_id
      ) written on written.prayer_id = p.id
      left join (
        select d.prayer_id, jsonb_agg(d.day order by d.day) as days
        from private.prayed_days_of_caller() d group by d.prayer_id
      ) prayed on prayed.prayer_id = p.id
      where p.user_id = (select auth.uid())
    ), '[]')
  )
$$;
