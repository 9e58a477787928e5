-- Devices fetch what has changed since they last did. Each transaction that writes rows of a user takes the next number of that
-- user, `rev`, and stamps these rows with it. The user's row in `sync_state` is locked until the transaction ends, so that for
-- each user the order of the numbers is the order of the commits: whoever reads a number can read all rows with lower ones.
create table public.sync_state (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- The latest number. A transaction that changes no row may take one as well.
  rev bigint not null,
  -- Deletions up to this number may be missing from `deletions`.
  floor bigint not null default 0,
  -- Changed when the database is restored from a backup: numbers that devices have seen before then mean nothing.
  epoch uuid not null default gen_random_uuid(),
  -- Each restore since the account began, oldest first: {"epoch": the one that it ended, "rev": the last number in the backup}. Rows
  -- that a device has received in that epoch were in the backup up to that number. Those of an epoch that is not listed were in none.
  restores jsonb not null default '[]',
  -- The id of the current prayer key, or `none`, and the highest counter of the account's keys. Every step of encryption changes it.
  key text not null default 'none.0'
)
-- Every write of a user updates the row: leaves room for its next version on the same page.
with (fillfactor = 50);

alter table public.sync_state enable row level security;
create policy "Users read their own sync state" on public.sync_state
  for select to authenticated using (user_id = (select auth.uid()));
create policy "A second factor is given first" on public.sync_state
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));

-- Only functions that run with their owner's rights write it.
revoke all on public.sync_state from anon, authenticated;
grant select on public.sync_state to authenticated;

-- The number of the current transaction for a user, whose other writers wait from then on. Null if there is no such account.
create function private.next_rev(owner uuid) returns bigint
  language plpgsql
  set search_path = ''
as $$
declare
  number bigint;
begin
  -- `xmin` is the transaction that wrote the row. If it is this one, it has taken its number already.
  select s.rev into number from public.sync_state s where s.user_id = owner and s.xmin = pg_current_xact_id()::xid;
  if found then return number; end if;

  -- Deleting an account locks it before the rows that belong to it. In the same order, the two cannot deadlock.
  perform from auth.users u where u.id = owner for key share;
  if not found then return null; end if;

  update public.sync_state s set rev = s.rev + 1 where s.user_id = owner returning s.rev into number;
  if found then return number; end if;

  -- The first write. Another device may be making it at the same moment.
  insert into public.sync_state as s (user_id, rev) values (owner, 1)
  on conflict (user_id) do update set rev = s.rev + 1
  returning s.rev into number;
  return number;
end
$$;

-- Called after the number is taken, under the lock. A device that has not heard of a restore must receive before it changes anything:
-- otherwise, the rows that it changes would seem newer than what it and others have to send again. Nor may one that has not heard of
-- another prayer key. Its requests name the epoch and the key that it knows, as preferences, which PostgREST leaves to the database. Other
-- clients name none.
create function private.require_known_state(owner uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  -- Empty where an earlier transaction of the connection had headers.
  headers json := nullif(current_setting('request.headers', true), '');
  known_epoch text := substring(headers ->> 'prefer' from '(?:^|,)\s*epoch=([^,;\s]*)');
  known_key text := substring(headers ->> 'prefer' from '(?:^|,)\s*key=([^,;\s]*)');
  current record;
begin
  if known_epoch is null and known_key is null then return; end if;
  select s.epoch::text as epoch, s.key into current from public.sync_state s where s.user_id = owner;
  if current.epoch <> known_epoch then
    raise exception 'The server was restored from a backup: its changes have to be received first.' using errcode = 'PT412';
  elsif current.key <> known_key then
    raise exception 'Encryption was changed on another device: its keys have to be received first.' using errcode = 'PT412';
  end if;
end
$$;

-- For functions that run with the rights of their caller and read the rows that they are going to change.
create function private.lock_changes_of_caller() returns void
  language sql
  security definer
  set search_path = ''
as $$
  select private.require_second_factor();
  select private.require_unused_hour(auth.uid());
  select private.next_rev(auth.uid());
  select private.require_known_state(auth.uid())
$$;

-- Called before a statement locks any row, so that the writes of one user follow one another and cannot deadlock.
create function private.lock_changes() returns trigger
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
  perform private.require_known_state(caller);
  -- Once per statement, for `require_sealed`.
  perform set_config('intercede.has_keys', case when exists (
    select from public.encryption_keys k where k.user_id = caller
  ) then 'yes' else 'no' end, true);
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

revoke all on function
  private.next_rev(uuid),
  private.require_known_state(uuid),
  private.lock_changes_of_caller(),
  private.lock_changes(),
  private.start_new_epoch()
from public, anon, authenticated;
grant execute on function private.lock_changes_of_caller() to authenticated;
