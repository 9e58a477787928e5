-- When users want to be reminded to pray, by push message or email. Our server sends the reminders (server/reminders); in a Supabase
-- project, nothing does. Devices do not synchronise them.
create table public.reminders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  remind_at time not null,
  -- As `prayers.pray_days`: 1 is Monday, 2 Tuesday, 4 Wednesday … 64 Sunday, 127 every day.
  weekdays smallint not null,
  -- A name of the IANA database, such as 'Europe/Lisbon'.
  time_zone text not null,
  -- To all of the user's devices that have notifications turned on, and by email. Neither: the mail server has refused the address.
  by_push boolean not null default false,
  by_email boolean not null default false,
  -- False when the user has turned it off, here or in a message.
  enabled boolean not null default true,
  -- Whatever a client sends for these, the database and the server set them.
  created_at timestamptz not null default now(),
  -- Null while it is turned off, and for a time zone that this database does not know.
  next_at timestamptz,
  -- The user wants no more reminders on this day.
  skipped_on date,
  -- When the mail server refused the user's address for good. `by_email` has been false since.
  email_refused_at timestamptz,
  constraint reminders_remind_at_minute check (remind_at < '24:00' and extract(second from remind_at) = 0),
  constraint reminders_weekdays_range check (weekdays between 1 and 127),
  constraint reminders_created_at_range check (created_at >= '1900-01-01Z' and created_at < '2200-01-01Z'),
  constraint reminders_next_at_range check (next_at >= '1900-01-01Z' and next_at < '2200-01-01Z'),
  constraint reminders_skipped_on_range check (skipped_on between '1900-01-01' and '2199-12-31'),
  constraint reminders_email_refused_at_range check (email_refused_at >= '1900-01-01Z' and email_refused_at < '2200-01-01Z')
)
with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000);

create index reminders_user_id_idx on public.reminders (user_id);
create index reminders_next_at_idx on public.reminders (next_at);

alter table public.reminders enable row level security;

create policy "People read their own reminders" on public.reminders
  for select to authenticated using (user_id = (select auth.uid()));
create policy "People add their own reminders" on public.reminders
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change their own reminders" on public.reminders
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "People delete their own reminders" on public.reminders
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second factor is given first" on public.reminders
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));

revoke all on public.reminders from anon, authenticated;
grant select, insert, update, delete on public.reminders to authenticated;

-- The browsers to which push messages are sent. A subscription ends with the session that made it.
create table private.push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  -- The browser's names for these: where messages are sent, its public key, and a shared secret.
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  constraint push_subscriptions_session_id_key unique (session_id),
  constraint push_subscriptions_endpoint_key unique (endpoint)
);
create index push_subscriptions_user_id_idx on private.push_subscriptions (user_id);

-- Reminders that are due and not sent yet: one row for each browser, and one for an email. A row is made in the transaction that
-- moves the reminder on to its next time, so each is made once.
create table private.reminder_deliveries (
  id uuid primary key default gen_random_uuid(),
  reminder_id uuid not null references public.reminders (id) on delete cascade,
  due_at timestamptz not null,
  -- The day of the reminder, in its time zone.
  day date not null,
  -- Null for an email.
  subscription_id uuid references private.push_subscriptions (id) on delete cascade,
  attempts smallint not null default 0,
  -- When a server may take it: a later time while one is sending it, or before it is tried again.
  try_at timestamptz not null,
  constraint reminder_deliveries_once unique nulls not distinct (reminder_id, due_at, subscription_id)
);
create index reminder_deliveries_try_at_idx on private.reminder_deliveries (try_at);
create index reminder_deliveries_subscription_id_idx on private.reminder_deliveries (subscription_id);

-- Row level security without a policy: only the server reaches them.
alter table private.push_subscriptions enable row level security;
alter table private.reminder_deliveries enable row level security;
revoke all on private.push_subscriptions, private.reminder_deliveries from public, anon, authenticated;

-- When clocks of a time zone show a time. One that daylight saving skips is moved to the first minute that exists; of two moments at
-- which clocks show the same, PostgreSQL takes the second.
create function private.moment_of(local_time timestamp, time_zone text) returns timestamptz
  language plpgsql stable
  set search_path = ''
as $$
declare
  shown timestamp := local_time;
begin
  -- Some have skipped a whole day.
  for minute in 0 .. 24 * 60 loop
    exit when shown at time zone time_zone at time zone time_zone = shown;
    shown := shown + interval '1 minute';
  end loop;
  return shown at time zone time_zone;
end
$$;

-- The first moment after another one at which a reminder is due. Null if this database does not know the time zone, which may have been
-- moved here from another one.
create function private.next_reminder(remind_at time, weekdays smallint, time_zone text, after timestamptz) returns timestamptz
  language plpgsql stable
  set search_path = ''
as $$
declare
  today date;
  moment timestamptz;
begin
  today := (after at time zone time_zone)::date;
  for day in 0 .. 7 loop
    continue when weekdays & (1 << (extract(isodow from today + day)::integer - 1)) = 0;
    moment := private.moment_of(today + day + remind_at, time_zone);
    if moment > after then return moment; end if;
  end loop;
  return null;
exception when invalid_parameter_value then
  return null;
end
$$;

-- When a user has last prayed.
create index prayers_user_id_last_prayed_on_idx on public.prayers (user_id, last_prayed_on) where last_prayed_on is not null;

-- The last day until today on which the date of a prayer has come. Null if it has not, or if there is none.
create function private.latest_due(due_on date, due_repeats text, today date) returns date
  language plpgsql immutable
  set search_path = ''
as $$
declare
  step integer := case due_repeats when 'monthly' then 1 when 'yearly' then 12 end;
  months integer := (extract(year from today) - extract(year from due_on)) * 12
    + extract(month from today) - extract(month from due_on);
  latest date;
begin
  if due_on > today then return null; end if;
  if step is null then return due_on; end if;
  -- Counted from the first day: a month that lacks it uses its last day, and the month after that one does not.
  months := months - months % step;
  latest := due_on + make_interval(months => months);
  if latest > today then latest := due_on + make_interval(months => months - step); end if;
  return latest;
end
$$;

-- How many people are planned for a day, as the app counts them (web/data/plan.ts): in visible categories, and not paused. Prayers with the
-- same name count as one person. Where more than `most` prayers are planned, it stops and returns `most` + 1; elsewhere, it reads all
-- prayers of the account, of which there are at most 20,000. `latest_due` is the slow part, so it is asked last.
create function private.count_planned_people(owner uuid, today date, most integer) returns integer
  language sql stable
  set search_path = ''
as $$
  select (case when count(*) > most then count(*) else count(distinct planned.person_name) end)::integer
  from (
    select p.person_name
    from public.prayers p
    join public.categories c on c.id = p.category_id
    -- A day after tomorrow comes from a wrong clock.
    cross join lateral (
      select coalesce(case when p.last_prayed_on <= today + 1 then p.last_prayed_on end, '-infinity') as prayed_on
    ) as known
    where p.user_id = owner and c.is_visible and not p.resolved and coalesce(p.resting_until <= today, true)
      and (
        (p.pray_days & (1 << (extract(isodow from today)::integer - 1)) <> 0 and known.prayed_on <> today)
        or (p.due_on <= today and known.prayed_on < p.due_on)
        or (p.due_repeats is not null and known.prayed_on < private.latest_due(p.due_on, p.due_repeats, today))
      )
    limit most + 1
  ) as planned
$$;

create function private.before_reminder_write() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  is_new boolean := tg_op = 'INSERT';
begin
  if not is_new and new.user_id is distinct from old.user_id then
    raise exception 'user_id of a reminder cannot be changed' using errcode = '42501';
  end if;

  -- Ignored rather than rejected, as in prayers.
  if current_user = 'authenticated' then
    new.created_at := case when is_new then now() else old.created_at end;
    new.next_at := case when is_new then null else old.next_at end;
    new.skipped_on := case when is_new then null else old.skipped_on end;
    new.email_refused_at := case when is_new or new.by_email then null else old.email_refused_at end;
  end if;

  if is_new and (select count(*) from public.reminders r where r.user_id = new.user_id and r.id <> new.id) >= 3 then
    raise exception 'You can have at most three reminders.' using errcode = 'PT413';
  end if;

  if is_new or new.time_zone is distinct from old.time_zone then
    begin
      -- PostgreSQL also takes rules in numbers, such as 'X5', for time zones. These names have numbers, too.
      if new.time_zone ~ '[0-9]'
        and new.time_zone !~ '^(Etc/GMT[+-]?[0-9]{1,2}|GMT[+-]?0|EST5EDT|CST6CDT|MST7MDT|PST8PDT)$' then
        raise invalid_parameter_value;
      end if;
      perform now() at time zone new.time_zone;
    exception when invalid_parameter_value then
      raise exception 'The time zone “%” is not known.', left(new.time_zone, 100) using errcode = '22023';
    end;
  end if;

  if is_new or (old.remind_at, old.weekdays, old.time_zone, old.enabled)
    is distinct from (new.remind_at, new.weekdays, new.time_zone, new.enabled) then
    new.next_at := case when new.enabled
      then private.next_reminder(new.remind_at, new.weekdays, new.time_zone, now()) end;
  end if;
  return new;
end
$$;

-- Counts what a user writes within the hour. There may be no row of usage yet; when the account is being deleted, there is none any more.
create function private.track_reminder_usage() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into private.account_usage (user_id)
  select u.id from auth.users u where u.id = auth.uid()
  on conflict do nothing;
  perform private.add_account_usage(auth.uid(), 0, 0, 0, 0, 0, private.row_bytes());
  return null;
end
$$;

revoke all on function private.track_reminder_usage() from public, anon, authenticated;

-- Takes a number of changes that no row gets: what a user writes is limited, and happens one after the other.
create trigger lock_changes before insert or update or delete on public.reminders
  for each statement execute function private.lock_changes();
create trigger before_reminder_write before insert or update on public.reminders
  for each row execute function private.before_reminder_write();
create trigger track_reminder_usage after insert or update or delete on public.reminders
  for each row when (auth.uid() is not null) execute function private.track_reminder_usage();
