-- After a restore, a device may have a newer version of a row than the one that was deleted.
alter table public.deletions
  -- The number of the row when it was deleted.
  add column row_rev bigint;
-- For older entries, the number of the deletion, which is higher.
update public.deletions set row_rev = rev;
alter table public.deletions alter column row_rev set not null;

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
