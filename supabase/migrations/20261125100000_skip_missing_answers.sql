-- As before, but only the updates of a prayer that has an answer are searched for it. `and` with null evaluates its other side as well,
-- so every update of a prayer did. With a plan from when there were few updates, an import compared each of its prayers with all of them.
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
      -- from another device, which sends it again if it does not get the response.
      kept_answer := case when private.trim_whitespace(new.answer) <> '' then new.answer else old.answer end;
      kept_date := coalesce(new.answered_on, old.answered_on);
      if coalesce(private.trim_whitespace(kept_answer), '') <> '' and (old.resolved or not exists (
        select from public.prayer_updates u where u.prayer_id = new.id and u.body = kept_answer
      )) then
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
