-- A former answer is an update that keeps the date of the answer, so that it can be put back as it was.
alter table public.prayer_updates
  -- Null: not a former answer, or the date was not known.
  add column answered_on date,
  add constraint prayer_updates_answered_on_range check (answered_on between '1900-01-01' and '2199-12-31');

-- As before, but the update that an answer becomes keeps its date, and an answer of the same text and date is kept once. A prayer without a
-- date has none that repeats.
--
-- Only the updates of a prayer that has an answer are searched for it: `coalesce`, because `and` with null evaluates its other side as well.
create or replace function private.before_prayer_write() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  kept_answer text;
  kept_date date;
begin
  if tg_op = 'UPDATE' and new.user_id is distinct from old.user_id then
    raise exception 'user_id of a prayer cannot be changed' using errcode = '42501';
  end if;
  new.person_name := private.trim_whitespace(new.person_name);
  -- Another device may have removed the date, or one whose app does not know that dates can repeat.
  if new.due_on is null then new.due_repeats := null; end if;

  -- Ignored rather than rejected: devices send whole rows.
  if current_user = 'authenticated' then
    if tg_op = 'UPDATE' then
      new.last_prayed_on := old.last_prayed_on;
      new.times_prayed := old.times_prayed;
    else
      new.last_prayed_on := null;
      new.times_prayed := 0;
    end if;
  end if;

  if not new.resolved then
    if tg_op = 'UPDATE' then
      -- The prayer is reopened, perhaps by a client that removes the answer itself. Or it was reopened before the answer arrives
      -- from another device. Both may have been sent before, by a client that did not get the response, or by another tab.
      kept_answer := case when private.trim_whitespace(new.answer) <> '' then new.answer else old.answer end;
      kept_date := coalesce(new.answered_on, old.answered_on);
      if coalesce(private.trim_whitespace(kept_answer), '') <> '' and not exists (
        select from public.prayer_updates u
        where u.prayer_id = new.id and u.body = kept_answer and (u.answered_on = kept_date or not old.resolved)
      ) then
        insert into public.prayer_updates (user_id, prayer_id, body, answered_on)
        values (new.user_id, new.id, kept_answer, kept_date);
      end if;
      new.answer := null;
    end if;
    new.answered_on := null;
  elsif tg_op = 'UPDATE' and not old.resolved then
    new.answered_on := coalesce(new.answered_on, (now() at time zone 'UTC')::date);
  end if;
  return new;
end
$$;

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
    insert into public.prayer_updates (id, user_id, prayer_id, body, answered_on, created_at, updated_at)
    values (
      update_id, prayer.user_id, prayer.id, prayer.answer, prayer.answered_on, least(reopened_at, now()),
      least(reopened_at, now())
    );
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
  update public.prayers p set answer = former_answer.body, answered_on = former_answer.answered_on
  where p.id = former_answer.prayer_id;
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
