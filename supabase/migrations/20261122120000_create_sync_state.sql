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
  epoch uuid not null default gen_random_uuid()
)
-- Every write of a user updates the row: leaves room for its next version on the same page.
with (fillfactor = 50);

-- What was deleted, so that other devices delete it too, and so that a late retry of an insert does not bring it back.
create table public.deletions (
  user_id uuid not null references auth.users (id) on delete cascade,
  table_name text not null,
  row_id uuid not null,
  rev bigint not null,
  primary key (user_id, table_name, row_id)
);
create index deletions_user_id_rev_idx on public.deletions (user_id, rev, row_id);

alter table public.sync_state enable row level security;
alter table public.deletions enable row level security;
create policy "Users read their own sync state" on public.sync_state
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Users read their own deletions" on public.deletions
  for select to authenticated using (user_id = (select auth.uid()));
-- Only the triggers below, which run with their owner's rights, write them.
revoke all on public.sync_state, public.deletions from anon, authenticated;
grant select on public.sync_state, public.deletions to authenticated;

-- Existing rows get 1 without being rewritten. All others get theirs from a trigger, whatever a client sends.
alter table public.categories add column rev bigint not null default 1;
alter table public.prayers add column rev bigint not null default 1;
create index categories_user_id_rev_idx on public.categories (user_id, rev, id);
create index prayers_user_id_rev_idx on public.prayers (user_id, rev, id);
insert into public.sync_state (user_id, rev)
select user_id, 1 from public.categories union select user_id, 1 from public.prayers;

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

-- For functions that run with the rights of their caller and read the rows that they are going to change.
create function private.lock_changes_of_caller() returns void
  language sql
  security definer
  set search_path = ''
as $$
  select private.next_rev(auth.uid())
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
  if caller is not null then perform private.next_rev(caller); end if;
  return null;
end
$$;

-- For every table whose rows devices fetch. Such a table has the columns id, user_id, created_at and rev.
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

-- An upper bound for the number of a user's entries in `deletions`, so that logging a deletion does not have to count them.
alter table private.account_usage add column deletions integer not null default 0;

-- Keeps the newest 20,000 entries of a user. Older ones are dropped a thousand at a time, because finding them takes a while.
create function private.drop_old_deletions(owner uuid, added bigint) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  total integer;
begin
  update private.account_usage as u set deletions = u.deletions + added
  where u.user_id = owner
  returning u.deletions into total;
  if coalesce(total, 0) <= 21000 then return; end if;

  with old as (
    select d.table_name, d.row_id from public.deletions d
    where d.user_id = owner
    order by d.rev desc, d.row_id desc
    offset 20000
  ), dropped as (
    delete from public.deletions d using old
    where d.user_id = owner and d.table_name = old.table_name and d.row_id = old.row_id
    returning d.rev
  )
  update public.sync_state s set floor = greatest(s.floor, (select max(rev) from dropped)) where s.user_id = owner;

  update private.account_usage u set deletions = (select count(*) from public.deletions d where d.user_id = owner)
  where u.user_id = owner;
end
$$;

create function private.log_deletions() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into public.deletions as d (user_id, table_name, row_id, rev)
  select o.user_id, tg_table_name, o.id, taken.number
  from old_rows o cross join lateral private.next_rev(o.user_id) as taken (number)
  -- Otherwise the account is being deleted, with everything that belongs to it.
  where taken.number is not null
  on conflict (user_id, table_name, row_id) do update set rev = excluded.rev;

  perform private.drop_old_deletions(o.user_id, count(*)) from old_rows o group by o.user_id;
  return null;
end
$$;

revoke all on function
  private.next_rev(uuid),
  private.lock_changes_of_caller(),
  private.lock_changes(),
  private.stamp_row(),
  private.drop_old_deletions(uuid, bigint),
  private.log_deletions()
from public, anon, authenticated;
grant execute on function private.lock_changes_of_caller() to authenticated;

create trigger lock_changes before insert or update or delete on public.categories
  for each statement execute function private.lock_changes();
create trigger lock_changes before insert or update or delete on public.prayers
  for each statement execute function private.lock_changes();
-- Triggers of a kind run in the order of their names: this one after `before_category_write` and `before_prayer_write`.
create trigger stamp_row before insert or update on public.categories
  for each row execute function private.stamp_row();
create trigger stamp_row before insert or update on public.prayers
  for each row execute function private.stamp_row();
create trigger log_deletions after delete on public.categories
  referencing old table as old_rows for each statement execute function private.log_deletions();
create trigger log_deletions after delete on public.prayers
  referencing old table as old_rows for each statement execute function private.log_deletions();

-- As before, but it waits for the lock that all writes wait for, instead of locking the categories.
create or replace function public.reorder_categories(category_ids uuid[]) returns void
  language plpgsql
  security invoker
  set search_path = ''
as $$
begin
  perform private.lock_changes_of_caller();

  with ranked as (
    select c.id,
           row_number() over (order by listed.position nulls last, c."order", c.created_at, c.id) as position
    from public.categories c
    left join (
      select id, min(ordinality) as position
      from unnest(category_ids) with ordinality as given (id, ordinality)
      group by id
    ) listed on listed.id = c.id
    where c.user_id = (select auth.uid())
  )
  update public.categories c
  set "order" = ranked.position
  from ranked
  where c.id = ranked.id and c."order" <> ranked.position;
end
$$;
