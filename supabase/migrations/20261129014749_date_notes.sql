-- Today shows the newest update of a prayer only if it is newer than the note. Without a default, clients that do not know the column keep
-- working, and the notes that exist are as old as their prayers.
alter table public.prayers
  -- When the note was changed last. A client can say when that was on its device. Null: not since `created_at`, or unknown.
  add column note_changed_at timestamptz,
  add constraint prayers_note_changed_at_range check (note_changed_at >= '1900-01-01Z' and note_changed_at < '2200-01-01Z');

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
  -- Not where the note stays as it is, or only gets another form.
  if tg_op = 'UPDATE' then
    new.note_changed_at := case
      when new.note is not distinct from old.note or current_setting('intercede.replacing_texts', true) is not distinct from 'on'
      then old.note_changed_at
      else coalesce(nullif(new.note_changed_at, old.note_changed_at), now())
    end;
  end if;

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
        -- Whether it is sealed was checked when it was written.
        if kept_answer = old.answer then perform set_config('intercede.moving_text', 'on', true); end if;
        insert into public.prayer_updates (user_id, prayer_id, body, answered_on)
        values (new.user_id, new.id, kept_answer, kept_date);
        perform set_config('intercede.moving_text', 'off', true);
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

create or replace function private.limit_prayer_dates() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  tomorrow date := (now() at time zone 'UTC')::date + 1;
begin
  if new.created_at > now() then new.created_at := now(); end if;
  if new.note_changed_at > now() then new.note_changed_at := now(); end if;
  if new.answered_on > tomorrow then new.answered_on := tomorrow; end if;
  if new.last_prayed_on > tomorrow then new.last_prayed_on := tomorrow; end if;
  return new;
end
$$;
