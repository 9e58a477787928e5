-- Dated notes on a prayer, deleted with it. Devices fetch them like categories and prayers.
create table public.prayer_updates (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  prayer_id uuid not null,
  body text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  rev bigint not null default 1,
  -- The owner is part of the reference, so an update can only belong to a prayer of its own owner. It goes with the account, too.
  constraint prayer_updates_prayer_id_fkey foreign key (prayer_id, user_id)
    references public.prayers (id, user_id) on delete cascade,
  constraint prayer_updates_body_not_empty check (private.trim_whitespace(body) <> ''),
  constraint prayer_updates_body_length check (char_length(body) <= 10000)
);

-- For the list of a user, newest first; for what has changed; and for the reference.
create index prayer_updates_user_id_created_at_idx on public.prayer_updates (user_id, created_at desc, id desc);
create index prayer_updates_user_id_rev_idx on public.prayer_updates (user_id, rev, id);
create index prayer_updates_prayer_id_idx on public.prayer_updates (prayer_id, user_id);

create function private.before_prayer_update_write() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    if new.user_id is distinct from old.user_id then
      raise exception 'user_id of an update cannot be changed' using errcode = '42501';
    elsif new.prayer_id is distinct from old.prayer_id then
      raise exception 'prayer_id of an update cannot be changed' using errcode = '42501';
    end if;
    new.updated_at := now();
  end if;
  return new;
end
$$;

-- A device must not delete a prayer, or overwrite its texts, without having seen its latest updates. So writing an update raises
-- the number of its prayer, unless this transaction has done so already.
create function private.raise_rev_of_prayers() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  owner uuid;
  number bigint;
begin
  -- One owner after the other: in a condition, PostgreSQL might take numbers for other rows, too.
  for owner in select distinct c.user_id from changed_rows c loop
    number := private.next_rev(owner);
    update public.prayers p set rev = p.rev
    where p.user_id = owner and p.rev <> number and p.id in (select c.prayer_id from changed_rows c);
  end loop;
  return null;
end
$$;

revoke all on function private.before_prayer_update_write() from public, anon, authenticated;
revoke all on function private.raise_rev_of_prayers() from public, anon, authenticated;

create trigger before_prayer_update_write before insert or update on public.prayer_updates
  for each row execute function private.before_prayer_update_write();
create trigger stamp_row before insert or update on public.prayer_updates
  for each row execute function private.stamp_row();
-- Not where a trigger writes an update: then its prayer is being deleted, or changed, which locks and numbers it anyway.
create trigger lock_changes before insert or update or delete on public.prayer_updates
  for each statement when (pg_trigger_depth() = 0) execute function private.lock_changes();
create trigger log_deletions after delete on public.prayer_updates
  referencing old table as old_rows
  for each statement when (pg_trigger_depth() = 0) execute function private.log_deletions();
create trigger raise_rev_of_inserted after insert on public.prayer_updates
  referencing new table as changed_rows
  for each statement when (pg_trigger_depth() = 0) execute function private.raise_rev_of_prayers();
create trigger raise_rev_of_updated after update on public.prayer_updates
  referencing new table as changed_rows
  for each statement when (pg_trigger_depth() = 0) execute function private.raise_rev_of_prayers();
create trigger raise_rev_of_deleted after delete on public.prayer_updates
  referencing old table as changed_rows
  for each statement when (pg_trigger_depth() = 0) execute function private.raise_rev_of_prayers();

alter table public.prayer_updates enable row level security;

create policy "Users read their own updates" on public.prayer_updates
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Users add their own updates" on public.prayer_updates
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "Users change their own updates" on public.prayer_updates
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "Users delete their own updates" on public.prayer_updates
  for delete to authenticated using (user_id = (select auth.uid()));

revoke all on public.prayer_updates from anon, authenticated;
grant select, insert, update, delete on public.prayer_updates to authenticated;
