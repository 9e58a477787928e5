-- After a restore, devices send again what the server has lost, unless it was written since. Nothing but what users write may count as
-- that, and no device may write before it knows of the restore.
alter table public.sync_state
  -- Each restore since the account began, oldest first: {"epoch": the one that it ended, "rev": the last number in the backup}. Rows that
  -- a device has received in that epoch were in the backup up to that number. Those of an epoch that is not listed were in none.
  add column restores jsonb not null default '[]';

alter table public.prayers
  -- The `rev` of the last write that has changed anything besides `last_prayed_on` and `times_prayed`, set by a trigger. Null: unknown,
  -- and not after `rev`. After a restore, devices tell by it which rows were written since.
  add column written_rev bigint;

alter table public.deletions
  -- The number of the row when it was deleted: after a restore, a device may have a newer version of it.
  add column row_rev bigint;
-- For older entries, the number of the deletion, which is higher.
update public.deletions set row_rev = rev;
alter table public.deletions alter column row_rev set not null;

-- Keeps the newest 20,000 entries of a user. Older ones are dropped a thousand at a time, because finding them takes a while. There is
-- no join: with statistics from when the table had a single row, PostgreSQL would compare each of the old entries with all 21,000.
create or replace function private.drop_old_deletions(owner uuid, added bigint) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  total integer;
  last_dropped record;
begin
  update private.account_usage as u set deletions = u.deletions + added
  where u.user_id = owner
  returning u.deletions into total;
  if coalesce(total, 0) <= 21000 then return; end if;

  select d.rev, d.row_id into last_dropped from public.deletions d
  where d.user_id = owner
  order by d.rev desc, d.row_id desc
  offset 20000 limit 1;
  if found then
    delete from public.deletions d
    where d.user_id = owner and (d.rev, d.row_id) <= (last_dropped.rev, last_dropped.row_id);
    update public.sync_state s set floor = greatest(s.floor, last_dropped.rev) where s.user_id = owner;
  end if;

  update private.account_usage u set deletions = (select count(*) from public.deletions d where d.user_id = owner)
  where u.user_id = owner;
end
$$;

-- As before, with the number of the row.
create or replace function private.log_deletions() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into public.deletions as d (user_id, table_name, row_id, rev, row_rev)
  select o.user_id, tg_table_name, o.id, taken.number, o.rev
  from old_rows o cross join lateral private.next_rev(o.user_id) as taken (number)
  -- Otherwise the account is being deleted, with everything that belongs to it.
  where taken.number is not null
  on conflict (user_id, table_name, row_id) do update set rev = excluded.rev, row_rev = excluded.row_rev;

  perform private.drop_old_deletions(o.user_id, count(*)) from old_rows o group by o.user_id;
  return null;
end
$$;

-- To be called after the database was restored from a backup, before anyone uses it. Devices then fetch everything again.
--
-- The numbers go on beyond all that devices may have seen, also of other restores of the same backup. Those began with an earlier
-- time in milliseconds, and took less than a number per millisecond.
create function private.start_new_epoch() returns void
  language sql
  set search_path = ''
as $$
  update public.sync_state s
  set restores = s.restores || jsonb_build_object('epoch', s.epoch, 'rev', s.rev),
      epoch = gen_random_uuid(),
      rev = greatest(s.rev, floor(extract(epoch from clock_timestamp()) * 1000)::bigint) + 1000000000
$$;

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

-- As before, with the second factor, the limit of what is written, and the epoch.
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

revoke all on function
  private.start_new_epoch(),
  private.require_known_epoch(uuid),
  private.stamp_written_prayer()
from public, anon, authenticated;

create trigger stamp_written before insert or update on public.prayers
  for each row execute function private.stamp_written_prayer();
