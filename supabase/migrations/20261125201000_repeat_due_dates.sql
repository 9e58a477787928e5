-- A date can repeat every month or every year.
alter table public.prayers
  -- Null, 'monthly' or 'yearly'. A month without the day of `due_on` uses its last day, so 29 February becomes 28.
  add column due_repeats text,
  add constraint prayers_due_repeats_known check (due_repeats in ('monthly', 'yearly')),
  add constraint prayers_due_repeats_dated check (due_repeats is null or due_on is not null);

-- As before, but a prayer without a date has none that repeats.
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

-- As before, with the next version: an older app would take a date that repeats for a single one.
create or replace function public.export_account() returns json
  language sql stable
  security invoker
  set search_path = ''
  -- PostgreSQL assumes that few prayers have updates or days, and would look for those of each prayer one by one.
  set enable_nestloop = off
as $$
  select json_build_object(
    'format', 'intercede-export',
    'version', 3,
    'exported_at', now(),
    'account', private.account_of_caller(),
    'categories', coalesce((
      select json_agg(to_jsonb(c) - '{user_id,rev}'::text[] order by c."order", c.created_at, c.id)
      from public.categories c where c.user_id = (select auth.uid())
    ), '[]'),
    'prayers', coalesce((
      select json_agg(
        to_jsonb(p) - '{user_id,rev}'::text[] || jsonb_build_object(
          'updates', coalesce(written.updates, '[]'), 'prayed_days', coalesce(prayed.days, '[]')
        ) order by p.created_at desc, p.id desc
      )
      from public.prayers p
      left join (
        select u.prayer_id, jsonb_agg(
          to_jsonb(u) - '{user_id,rev,prayer_id}'::text[] order by u.created_at desc, u.id desc
        ) as updates
        from public.prayer_updates u where u.user_id = (select auth.uid()) group by u.prayer_id
      ) written on written.prayer_id = p.id
      left join (
        select d.prayer_id, jsonb_agg(d.day order by d.day) as days
        from private.prayed_days_of_caller() d group by d.prayer_id
      ) prayed on prayed.prayer_id = p.id
      where p.user_id = (select auth.uid())
    ), '[]')
  )
$$;
