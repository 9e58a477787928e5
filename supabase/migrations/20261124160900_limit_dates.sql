-- Every date and time of a user lies between 1900 and 2199, so that each client can read it: no "infinity", no "BC". What has
-- happened already (all but plans) cannot be later than now either, or than tomorrow for a day: it is tomorrow already somewhere.
--
-- Only the limits that never change are constraints. A row that is too late comes from a device whose clock is wrong: it gets the
-- current time instead of being rejected, so that such a device can save.
create function private.limit_times() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if new.created_at > now() then new.created_at := now(); end if;
  if new.updated_at > now() then new.updated_at := now(); end if;
  return new;
end
$$;

-- As `limit_times` for categories. Plans may be in the future; other days may be tomorrow, because it is tomorrow already somewhere.
create function private.limit_prayer_dates() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  tomorrow date := (now() at time zone 'UTC')::date + 1;
begin
  if new.created_at > now() then new.created_at := now(); end if;
  if new.answered_on > tomorrow then new.answered_on := tomorrow; end if;
  if new.last_prayed_on > tomorrow then new.last_prayed_on := tomorrow; end if;
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

revoke all on function
  private.limit_times(),
  private.limit_prayer_dates(),
  private.limit_update_dates()
from public, anon, authenticated;

-- Writes wait until the limits are in place.
lock table public.categories, public.prayers, public.prayer_updates, public.prayed_days in share row exclusive mode;

-- After the triggers `before_…_write`, whose names come first. Prayed days are limited by the function that records them.
create trigger limit_dates before insert or update on public.categories
  for each row execute function private.limit_times();
create trigger limit_dates before insert or update on public.prayers
  for each row execute function private.limit_prayer_dates();
create trigger limit_dates before insert or update on public.prayer_updates
  for each row execute function private.limit_update_dates();

-- Existing values are moved to the nearest limit: those that are too late by the triggers. Devices fetch these rows again.
update public.categories set created_at = greatest(created_at, '1900-01-01Z'), updated_at = greatest(updated_at, '1900-01-01Z')
where least(created_at, updated_at) < '1900-01-01Z' or greatest(created_at, updated_at) > now();
update public.prayer_updates set created_at = greatest(created_at, '1900-01-01Z'), updated_at = greatest(updated_at, '1900-01-01Z')
where least(created_at, updated_at) < '1900-01-01Z' or greatest(created_at, updated_at) > now();
update public.prayers set created_at = greatest(created_at, '1900-01-01Z')
where created_at < '1900-01-01Z' or created_at > now();
update public.prayers set answered_on = greatest(answered_on, '1900-01-01')
where answered_on < '1900-01-01' or answered_on > current_date + 1;
update public.prayers set last_prayed_on = greatest(last_prayed_on, '1900-01-01')
where last_prayed_on < '1900-01-01' or last_prayed_on > current_date + 1;
update public.prayers set due_on = least(greatest(due_on, '1900-01-01'), '2199-12-31')
where due_on not between '1900-01-01' and '2199-12-31';
update public.prayers set resting_until = least(greatest(resting_until, '1900-01-01'), '2199-12-31')
where resting_until not between '1900-01-01' and '2199-12-31';

-- Several days of a prayer may become one.
insert into public.prayed_days (prayer_id, user_id, day)
select distinct prayer_id, user_id, date '1900-01-01' from public.prayed_days where day < '1900-01-01'
on conflict do nothing;
delete from public.prayed_days where day < '1900-01-01';
update public.prayers p set times_prayed = d.days
from (select prayer_id, count(*) as days from public.prayed_days group by prayer_id) d
where d.prayer_id = p.id and d.days <> p.times_prayed;

alter table public.categories
  add constraint categories_created_at_range check (created_at >= '1900-01-01Z' and created_at < '2200-01-01Z'),
  add constraint categories_updated_at_range check (updated_at >= '1900-01-01Z' and updated_at < '2200-01-01Z');
alter table public.prayer_updates
  add constraint prayer_updates_created_at_range check (created_at >= '1900-01-01Z' and created_at < '2200-01-01Z'),
  add constraint prayer_updates_updated_at_range check (updated_at >= '1900-01-01Z' and updated_at < '2200-01-01Z');
alter table public.prayers
  drop constraint prayers_due_on_range,
  drop constraint prayers_resting_until_range,
  drop constraint prayers_answered_on_range,
  add constraint prayers_created_at_range check (created_at >= '1900-01-01Z' and created_at < '2200-01-01Z'),
  add constraint prayers_due_on_range check (due_on between '1900-01-01' and '2199-12-31'),
  add constraint prayers_resting_until_range check (resting_until between '1900-01-01' and '2199-12-31'),
  add constraint prayers_last_prayed_on_range check (last_prayed_on between '1900-01-01' and '2199-12-31'),
  add constraint prayers_answered_on_range check (answered_on between '1900-01-01' and '2199-12-31');
alter table public.prayed_days
  drop constraint prayed_days_day_range,
  add constraint prayed_days_day_range check (day between '1900-01-01' and '2199-12-31');
