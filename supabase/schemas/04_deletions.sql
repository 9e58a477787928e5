-- What was deleted, so that other devices delete it too, and so that a late retry of an insert does not bring it back.
create table public.deletions (
  user_id uuid not null references auth.users (id) on delete cascade,
  table_name text not null,
  row_id uuid not null,
  rev bigint not null,
  -- The number of the row when it was deleted: after a restore, a device may have a newer version of it.
  row_rev bigint not null,
  primary key (user_id, table_name, row_id)
)
-- As for all tables that grow: space of removed rows is used again after a twentieth of the table has changed instead of a fifth,
-- and without long pauses.
with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000);

create index deletions_user_id_rev_idx on public.deletions (user_id, rev, row_id);

alter table public.deletions enable row level security;
create policy "Users read their own deletions" on public.deletions
  for select to authenticated using (user_id = (select auth.uid()));
create policy "A second factor is given first" on public.deletions
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));

-- Only functions that run with their owner's rights write it.
revoke all on public.deletions from anon, authenticated;
grant select on public.deletions to authenticated;

-- Numbers a row that is written. For every table whose rows devices fetch: such a table has the columns id, user_id, created_at
-- and rev.
create function private.stamp_row() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
begin
  -- Row level security rejects another user's row right after this. It must not change their state, nor reveal anything.
  if new.user_id <> caller then
    new.rev := 0;
    return new;
  end if;

  if tg_op = 'INSERT' then
    if exists (
      select from public.deletions d
      where d.user_id = new.user_id and d.table_name = tg_table_name and d.row_id = new.id
    ) then
      -- Ignored, except in an import, and for an administrator, who writes without the token of a user.
      if caller is not null and current_setting('intercede.recreate_rows', true) is distinct from 'on' then
        return null;
      end if;
      delete from public.deletions d
      where d.user_id = new.user_id and d.table_name = tg_table_name and d.row_id = new.id;
    end if;
    -- The clock of a device can be wrong by years.
    if new.created_at > now() then new.created_at := now(); end if;
  elsif new.id <> old.id then
    raise exception 'id of a row cannot be changed' using errcode = '42501';
  end if;

  -- If there is no such account, the foreign key rejects the row.
  new.rev := coalesce(private.next_rev(new.user_id), 0);
  return new;
end
$$;

-- Keeps the newest 20,000 entries of a user. Older ones are dropped a thousand at a time, because finding them takes a while. There is
-- no join: with statistics from when the table had a single row, PostgreSQL would compare each of the old entries with all 21,000.
create function private.drop_old_deletions(owner uuid, added bigint) returns void
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

-- Logs the rows that a statement deletes. For the same tables as `stamp_row`.
create function private.log_deletions() returns trigger
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

revoke all on function
  private.stamp_row(),
  private.drop_old_deletions(uuid, bigint),
  private.log_deletions()
from public, anon, authenticated;
