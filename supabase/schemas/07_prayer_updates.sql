-- Dated notes on a prayer, deleted with it. Devices fetch them like categories and prayers.
create table public.prayer_updates (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  prayer_id uuid not null,
  body text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Set by a trigger, whatever a client sends.
  rev bigint not null default 1,
  -- The date of a former answer, so that it can be put back as it was. Null: not a former answer, or the date was not known.
  answered_on date,
  -- The owner is part of the reference, so an update can only belong to a prayer of its own owner. It goes with the account, too.
  constraint prayer_updates_prayer_id_fkey foreign key (prayer_id, user_id)
    references public.prayers (id, user_id) on delete cascade,
  constraint prayer_updates_body_not_empty check (private.trim_whitespace(body) <> ''),
  constraint prayer_updates_body_length
    check (char_length(body) <= 10000 or (char_length(body) <= 53436 and private.sealed_blocks(body) is not null)),
  constraint prayer_updates_created_at_range check (created_at >= '1900-01-01Z' and created_at < '2200-01-01Z'),
  constraint prayer_updates_updated_at_range check (updated_at >= '1900-01-01Z' and updated_at < '2200-01-01Z'),
  constraint prayer_updates_answered_on_range check (answered_on between '1900-01-01' and '2199-12-31')
)
with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000,
  toast.autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_threshold = 500, toast.autovacuum_vacuum_cost_limit = 2000
);

-- For the list of a user, newest first; for what has changed; and for the reference.
create index prayer_updates_user_id_created_at_idx on public.prayer_updates (user_id, created_at desc, id desc);
create index prayer_updates_user_id_rev_idx on public.prayer_updates (user_id, rev, id);
create index prayer_updates_prayer_id_idx on public.prayer_updates (prayer_id, user_id);

alter table public.prayer_updates enable row level security;

create policy "Users read their own updates" on public.prayer_updates
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Users add their own updates" on public.prayer_updates
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "Users change their own updates" on public.prayer_updates
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "Users delete their own updates" on public.prayer_updates
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second factor is given first" on public.prayer_updates
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));

revoke all on public.prayer_updates from anon, authenticated;
grant select, insert, update, delete on public.prayer_updates to authenticated;

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
    if current_setting('intercede.replacing_texts', true) is distinct from 'on' then new.updated_at := now(); end if;
  end if;
  return new;
end
$$;

-- As `limit_prayer_dates` for prayers.
create function private.limit_update_dates() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  tomorrow date := (now() at time zone 'UTC')::date + 1;
begin
  if new.created_at > now() then new.created_at := now(); end if;
  if new.updated_at > now() then new.updated_at := now(); end if;
  if new.answered_on > tomorrow then new.answered_on := tomorrow; end if;
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
  -- Then the text is the same, in another form.
  if current_setting('intercede.replacing_texts', true) is not distinct from 'on' then return null; end if;
  -- One owner after the other: in a condition, PostgreSQL might take numbers for other rows, too.
  for owner in select distinct c.user_id from changed_rows c loop
    number := private.next_rev(owner);
    update public.prayers p set rev = p.rev
    where p.user_id = owner and p.rev <> number and p.id in (select c.prayer_id from changed_rows c);
  end loop;
  return null;
end
$$;

-- All texts of an update.
create function private.update_text_bytes(written public.prayer_updates) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select private.text_bytes(written.body)
$$;

create function private.track_prayer_update_usage() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_account_usage(
      c.user_id, 0, 0, sum(c.bytes), count(*)::integer, 0, sum(c.bytes) + count(*) * private.row_bytes()
    )
    from (select user_id, private.update_text_bytes(row(n.*)::public.prayer_updates) as bytes from new_rows n) as c group by c.user_id;
  elsif tg_op = 'DELETE' then
    perform private.add_account_usage(
      c.user_id, 0, 0, -sum(c.bytes), -count(*)::integer, 0, count(*) * private.row_bytes()
    )
    from (select user_id, private.update_text_bytes(row(o.*)::public.prayer_updates) as bytes from old_rows o) as c group by c.user_id;
  else
    perform private.add_account_usage(
      c.user_id, 0, 0, sum(c.new_bytes) - sum(c.old_bytes), 0, 0, sum(c.new_bytes) + sum(c.rows) * private.row_bytes()
    )
    from (
      select user_id, private.update_text_bytes(row(n.*)::public.prayer_updates) as new_bytes, 0 as old_bytes, 1 as rows from new_rows n
      union all
      select user_id, 0, private.update_text_bytes(row(o.*)::public.prayer_updates), 0 from old_rows o
    ) as c group by c.user_id;
  end if;
  return null;
end
$$;

revoke all on function
  private.before_prayer_update_write(),
  private.limit_update_dates(),
  private.raise_rev_of_prayers(),
  private.track_prayer_update_usage()
from public, anon, authenticated;

-- Triggers of a kind run in the order of their names. Those with a condition do not run where another trigger writes an update:
-- then its prayer is being deleted, or changed, which locks and numbers it anyway.
create trigger lock_changes before insert or update or delete on public.prayer_updates
  for each statement when (pg_trigger_depth() = 0) execute function private.lock_changes();
create trigger before_prayer_update_write before insert or update on public.prayer_updates
  for each row execute function private.before_prayer_update_write();
create trigger limit_changed_rows before update of body on public.prayer_updates
  for each row execute function private.limit_changed_rows();
create trigger limit_dates before insert or update on public.prayer_updates
  for each row execute function private.limit_update_dates();
create trigger stamp_row before insert or update on public.prayer_updates
  for each row execute function private.stamp_row();
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
create trigger track_inserted_updates after insert on public.prayer_updates
  referencing new table as new_rows for each statement execute function private.track_prayer_update_usage();
create trigger track_changed_updates after update on public.prayer_updates
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.track_prayer_update_usage();
create trigger track_deleted_updates after delete on public.prayer_updates
  referencing old table as old_rows for each statement execute function private.track_prayer_update_usage();

-- Reopens a prayer of the caller whose answer becomes the update `update_id`, with the answer's text and date.
--
-- The caller chooses the id and the time, so a device can show the update, and let it be edited, before it has sent this. The text
-- is the answer as it is here, which another device may have changed. Nothing happens if the prayer is not resolved (any more), or
-- if the update exists or was deleted: then this call was made already. Without an answer, the prayer is only reopened. If an update
-- keeps the same answer of the same date already, this one replaces it.
create function public.reopen_prayer(prayer_id uuid, update_id uuid, reopened_at timestamptz) returns void
  language plpgsql
  security invoker
  set search_path = ''
as $$
declare
  prayer public.prayers;
begin
  perform private.lock_changes_of_caller();

  select p.* into prayer
  from public.prayers p
  where p.id = reopen_prayer.prayer_id and p.user_id = (select auth.uid()) and p.resolved
    and not exists (select from public.prayer_updates u where u.id = update_id)
    and not exists (
      select from public.deletions d
      where d.user_id = (select auth.uid()) and d.table_name = 'prayer_updates' and d.row_id = update_id
    );
  if not found then return; end if;

  if private.trim_whitespace(prayer.answer) <> '' then
    -- First, so that the trigger has no answer to keep, and the text is not counted twice.
    update public.prayers p set answer = null where p.id = prayer.id;
    delete from public.prayer_updates u
    where u.prayer_id = prayer.id and u.body = prayer.answer and u.answered_on = prayer.answered_on;
    perform set_config('intercede.moving_text', 'on', true);
    insert into public.prayer_updates (id, user_id, prayer_id, body, answered_on, created_at, updated_at)
    values (
      update_id, prayer.user_id, prayer.id, prayer.answer, prayer.answered_on, least(reopened_at, now()),
      least(reopened_at, now())
    );
    perform set_config('intercede.moving_text', 'off', true);
  end if;
  update public.prayers p set resolved = false where p.id = prayer.id;
end
$$;

-- Undoes `reopen_prayer`: resolves the prayer again, with the text and the date of the update `update_id` as its answer, and
-- deletes the update.
--
-- Nothing happens if there is no such update of the prayer (any more): then this call was made already, or another device had
-- reopened the prayer first. If the prayer has another answer by now, that one stays, and the update too.
create function public.undo_reopen_prayer(prayer_id uuid, update_id uuid) returns void
  language plpgsql
  security invoker
  set search_path = ''
as $$
declare
  former_answer public.prayer_updates;
begin
  perform private.lock_changes_of_caller();

  delete from public.prayer_updates u
  using public.prayers p
  where u.id = update_id and u.prayer_id = undo_reopen_prayer.prayer_id and u.user_id = (select auth.uid())
    and p.id = u.prayer_id and coalesce(private.trim_whitespace(p.answer), '') = ''
  returning u.* into former_answer;
  if not found then return; end if;

  -- A prayer that gets resolved also gets a date. The former one follows, because it may be unknown.
  update public.prayers p set resolved = true where p.id = former_answer.prayer_id and not p.resolved;
  perform set_config('intercede.moving_text', 'on', true);
  update public.prayers p set answer = former_answer.body, answered_on = former_answer.answered_on
  where p.id = former_answer.prayer_id;
  perform set_config('intercede.moving_text', 'off', true);
end
$$;

revoke all on function
  public.reopen_prayer(uuid, uuid, timestamptz),
  public.undo_reopen_prayer(uuid, uuid)
from public, anon, authenticated;
grant execute on function
  public.reopen_prayer(uuid, uuid, timestamptz),
  public.undo_reopen_prayer(uuid, uuid)
to authenticated;
