-- A plain note that a device seals because the user asks for it is not a new one.
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
  -- Not where the note stays as it is, or only gets another form. A device that seals a plain one, because the user asks for it, gives no
  -- other date.
  if tg_op = 'UPDATE' then
    new.note_changed_at := case
      when new.note is not distinct from old.note or current_setting('intercede.replacing_texts', true) is not distinct from 'on'
      then old.note_changed_at
      when nullif(new.note_changed_at, old.note_changed_at) is not null then new.note_changed_at
      when old.note <> '' and private.sealed_blocks(old.note) is null and private.sealed_blocks(new.note) is not null
      then old.note_changed_at
      else now()
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
