-- After a restore, devices have to tell what was in the backup from what it lacks.
alter table public.sync_state
  -- Each restore since the account began, oldest first: {"epoch": the one that it ended, "rev": the last number in the backup}. Rows that
  -- a device has received in that epoch were in the backup up to that number. Those of an epoch that is not listed were in none.
  add column restores jsonb not null default '[]';

-- To be called after the database was restored from a backup, before anyone uses it. Devices then fetch everything again.
--
-- The numbers go on beyond all that devices may have seen, also of other restores of the same backup. Those began with an earlier time
-- in milliseconds, and took less than a number per millisecond.
create function private.start_new_epoch() returns void
  language sql
  set search_path = ''
as $$
  update public.sync_state s
  set restores = s.restores || jsonb_build_object('epoch', s.epoch, 'rev', s.rev),
      epoch = gen_random_uuid(),
      rev = greatest(s.rev, floor(extract(epoch from clock_timestamp()) * 1000)::bigint) + 1000000000
$$;
revoke all on function private.start_new_epoch() from public, anon, authenticated;
