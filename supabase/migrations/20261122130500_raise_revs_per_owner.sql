-- As in 20261122130100_create_prayer_updates.sql, but a number is taken only for the owners of the updates: PostgreSQL may evaluate a
-- function in a condition for rows that another condition excludes.
drop trigger raise_rev_of_inserted on public.prayer_updates;
drop trigger raise_rev_of_updated on public.prayer_updates;
drop trigger raise_rev_of_deleted on public.prayer_updates;

create or replace function private.raise_rev_of_prayers() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  owner uuid;
  number bigint;
begin
  for owner in select distinct c.user_id from changed_rows c loop
    number := private.next_rev(owner);
    update public.prayers p set rev = p.rev
    where p.user_id = owner and p.rev <> number and p.id in (select c.prayer_id from changed_rows c);
  end loop;
  return null;
end
$$;

create trigger raise_rev_of_inserted after insert on public.prayer_updates
  referencing new table as changed_rows
  for each statement when (pg_trigger_depth() = 0) execute function private.raise_rev_of_prayers();
create trigger raise_rev_of_updated after update on public.prayer_updates
  referencing new table as changed_rows
  for each statement when (pg_trigger_depth() = 0) execute function private.raise_rev_of_prayers();
create trigger raise_rev_of_deleted after delete on public.prayer_updates
  referencing old table as changed_rows
  for each statement when (pg_trigger_depth() = 0) execute function private.raise_rev_of_prayers();
