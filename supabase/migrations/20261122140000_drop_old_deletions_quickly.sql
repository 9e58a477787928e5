-- As before, but without a join: with statistics from when the table had a single row, PostgreSQL compared each of the old
-- entries with all 21,000, and the user's deletion ran into the limit of 15 s. Entries are found by the index on
-- (user_id, rev, row_id) instead.
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
