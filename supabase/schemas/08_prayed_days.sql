-- The days on which a prayer was prayed. Devices have `last_prayed_on` and `times_prayed` of the prayers instead. The days let a prayer
-- count once a day however often, and in whatever order, devices report it; the export has them, and devices ask for their numbers.
create table public.prayed_days (
  prayer_id uuid not null,
  user_id uuid not null,
  day date not null,
  primary key (prayer_id, day),
  constraint prayed_days_prayer_id_fkey foreign key (prayer_id, user_id)
    references public.prayers (id, user_id) on delete cascade,
  constraint prayed_days_day_range check (day between '1900-01-01' and '2199-12-31')
)
with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000);

-- Row level security without a policy: callers reach the table only through the functions below that run with their owner's rights.
alter table public.prayed_days enable row level security;
revoke all on public.prayed_days from public, anon, authenticated;

-- Records that the caller prayed each prayer on the day at the same position. Ids that are not a prayer of the caller are skipped.
-- More days than an account can hold are rejected before any is written: a file lists them in 13 characters each, and they take ten
-- times as much.
create function private.record_prayed_days(prayer_ids uuid[], days date[]) returns void
  language plpgsql
  security definer
  set search_path = ''
  -- PostgreSQL cannot know how many rows are added, and would compare each of them with each prayer.
  set enable_nestloop = off
  -- A connection keeps its plan for checking to which prayer a day belongs. Made while there are few prayers, it would read all of
  -- them for each day of an import.
  set enable_seqscan = off
as $$
declare
  -- It is tomorrow already somewhere. A later day comes from a wrong clock.
  latest date := (now() at time zone 'UTC')::date + 1;
begin
  -- Before any row is read, so that no other device can delete a prayer meanwhile.
  perform private.lock_changes_of_caller();

  if cardinality(days) > 150000 then
    raise exception 'Your account is full: it can hold at most 150,000 prayed days.' using errcode = 'PT413';
  end if;
  with added as (
    insert into public.prayed_days (prayer_id, user_id, day)
    select distinct p.id, p.user_id, case when given.day > latest then latest else given.day end
    from unnest(prayer_ids, days) as given (prayer_id, day)
    join public.prayers p on p.id = given.prayer_id and p.user_id = auth.uid()
    on conflict do nothing
    returning prayer_id, day
  )
  update public.prayers p
  set times_prayed = p.times_prayed + a.days, last_prayed_on = greatest(p.last_prayed_on, a.latest)
  from (select prayer_id, count(*) as days, max(day) as latest from added group by prayer_id) a
  where p.id = a.prayer_id and p.user_id = auth.uid();
end
$$;

-- Records that the caller prayed these prayers on that day.
create function public.mark_prayed(prayer_ids uuid[], prayed_on date) returns void
  language sql
  security invoker
  set search_path = ''
as $$
  select private.record_prayed_days(prayer_ids, (select array_agg(prayed_on) from unnest(prayer_ids)))
$$;

-- Takes back that the caller prayed these prayers on that day. Ids that are not a prayer of the caller, or that were not prayed on that
-- day, are skipped.
create function private.remove_prayed_day(prayer_ids uuid[], day date) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  -- As it was recorded.
  removed_day date := least(remove_prayed_day.day, (now() at time zone 'UTC')::date + 1);
begin
  perform private.lock_changes_of_caller();

  if remove_prayed_day.day is null or removed_day < '1900-01-01' then
    raise exception 'The day must be a date, and not before 1900-01-01.' using errcode = '22023';
  end if;
  with removed as (
    delete from public.prayed_days d
    where d.prayer_id = any (prayer_ids) and d.day = removed_day and d.user_id = auth.uid()
    returning d.prayer_id
  )
  update public.prayers p
  set times_prayed = p.times_prayed - 1,
      -- The statement still sees the day that it removes.
      last_prayed_on = (select max(d.day) from public.prayed_days d where d.prayer_id = p.id and d.day <> removed_day)
  from removed r
  where p.id = r.prayer_id;
end
$$;

-- Takes back that the caller prayed these prayers on that day: of this and `mark_prayed`, the call that arrives last counts.
create function public.unmark_prayed(prayer_ids uuid[], prayed_on date) returns void
  language sql
  security invoker
  set search_path = ''
as $$
  select private.remove_prayed_day(prayer_ids, prayed_on)
$$;

-- For the export and the import.
create function private.prayed_days_of_caller() returns table (prayer_id uuid, day date)
  language sql stable
  security definer
  set search_path = ''
as $$
  select d.prayer_id, d.day
  from public.prayers p join public.prayed_days d on d.prayer_id = p.id
  where p.user_id = (select private.require_second_factor())
$$;

-- On how many days of each month the caller prayed a prayer: {"2026-02": 12, "2026-03": 1}. Empty if it is not the caller's.
create function private.prayed_months_of_caller(prayer_id uuid) returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select private.require_second_factor();
  select coalesce(jsonb_object_agg(counted.month, counted.days), '{}')
  from (
    select to_char(d.day, 'YYYY-MM') as month, count(*) as days
    from public.prayed_days d
    where d.prayer_id = prayed_months_of_caller.prayer_id and d.user_id = (select auth.uid())
    group by 1
  ) as counted
$$;

-- For how many people the caller prayed in each year: {"2025": 31, "2026": 48}. Prayers with the same name count as one person.
create function private.prayed_years_of_caller() returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(jsonb_object_agg(counted.year, counted.people), '{}')
  from (
    select prayed.year, count(*) as people
    from (
      select distinct extract(year from d.day)::integer as year, p.person_name
      from public.prayers p join public.prayed_days d on d.prayer_id = p.id
      where p.user_id = (select private.require_second_factor())
    ) as prayed
    group by prayed.year
  ) as counted
$$;

-- The ids of the prayers that the caller prayed in each year: {"2026": ["…"]}. Devices count people by them where names are sealed.
create function private.prayed_prayers_of_caller() returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(jsonb_object_agg(listed.year, listed.prayers), '{}')
  from (
    select prayed.year, jsonb_agg(prayed.prayer_id order by prayed.prayer_id) as prayers
    from (
      select distinct extract(year from d.day)::integer as year, d.prayer_id
      from public.prayers p join public.prayed_days d on d.prayer_id = p.id
      where p.user_id = (select private.require_second_factor())
    ) as prayed
    group by prayed.year
  ) as listed
$$;

create function public.prayed_months(prayer_id uuid) returns jsonb
  language sql stable
  security invoker
  set search_path = ''
as $$
  select private.prayed_months_of_caller(prayer_id)
$$;

create function public.prayed_years() returns jsonb
  language sql stable
  security invoker
  set search_path = ''
as $$
  select private.prayed_years_of_caller()
$$;

create function public.prayed_prayers() returns jsonb
  language sql stable
  security invoker
  set search_path = ''
as $$
  select private.prayed_prayers_of_caller()
$$;

revoke all on function
  private.record_prayed_days(uuid[], date[]),
  public.mark_prayed(uuid[], date),
  private.remove_prayed_day(uuid[], date),
  public.unmark_prayed(uuid[], date),
  private.prayed_days_of_caller(),
  private.prayed_months_of_caller(uuid),
  private.prayed_years_of_caller(),
  private.prayed_prayers_of_caller(),
  public.prayed_months(uuid),
  public.prayed_years(),
  public.prayed_prayers()
from public, anon, authenticated;
grant execute on function
  private.record_prayed_days(uuid[], date[]),
  public.mark_prayed(uuid[], date),
  private.remove_prayed_day(uuid[], date),
  public.unmark_prayed(uuid[], date),
  private.prayed_days_of_caller(),
  private.prayed_months_of_caller(uuid),
  private.prayed_years_of_caller(),
  private.prayed_prayers_of_caller(),
  public.prayed_months(uuid),
  public.prayed_years(),
  public.prayed_prayers()
to authenticated;
