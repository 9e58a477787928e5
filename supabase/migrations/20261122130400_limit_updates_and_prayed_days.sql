-- The limits of 20261122000100_create_account_quota.sql, extended: 20,000 updates, 150,000 prayed days (13 years with 30 a day), and
-- the 10 MB of text include answers and updates. Prayed days are counted by `times_prayed` of their prayers, so they need no
-- triggers of their own.
alter table private.account_usage
  add column updates integer not null default 0,
  add column prayed_days integer not null default 0;

drop function private.add_account_usage(uuid, integer, integer, bigint);
create function private.add_account_usage(
  owner uuid, categories integer, prayers integer, text_bytes bigint, updates integer default 0, prayed_days integer default 0
) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  used private.account_usage;
begin
  if categories = 0 and prayers = 0 and text_bytes = 0 and updates = 0 and prayed_days = 0 then return; end if;

  update private.account_usage as u
  set categories = u.categories + add_account_usage.categories,
      prayers = u.prayers + add_account_usage.prayers,
      text_bytes = u.text_bytes + add_account_usage.text_bytes,
      updates = u.updates + add_account_usage.updates,
      prayed_days = u.prayed_days + add_account_usage.prayed_days
  where u.user_id = owner
  returning * into used;

  if not found then
    -- The account is being deleted, and its rows go with it.
    if categories <= 0 and prayers <= 0 and text_bytes <= 0 then return; end if;
    -- An account begins with a category: it has no updates and prayed days yet.
    insert into private.account_usage as u (user_id, categories, prayers, text_bytes)
    values (owner, add_account_usage.categories, add_account_usage.prayers, add_account_usage.text_bytes)
    on conflict (user_id) do update
    set categories = u.categories + excluded.categories,
        prayers = u.prayers + excluded.prayers,
        text_bytes = u.text_bytes + excluded.text_bytes
    returning * into used;
  end if;

  if categories > 0 and used.categories > 500 then
    raise exception 'Your account is full: it can hold at most 500 categories.' using errcode = 'PT413';
  elsif prayers > 0 and used.prayers > 20000 then
    raise exception 'Your account is full: it can hold at most 20,000 prayers.' using errcode = 'PT413';
  elsif updates > 0 and used.updates > 20000 then
    raise exception 'Your account is full: it can hold at most 20,000 updates.' using errcode = 'PT413';
  elsif prayed_days > 0 and used.prayed_days > 150000 then
    raise exception 'Your account is full: it can hold at most 150,000 prayed days.' using errcode = 'PT413';
  elsif text_bytes > 0 and used.text_bytes > 10 * 1024 * 1024 then
    raise exception 'Your account is full: it can hold at most 10 MB of text.' using errcode = 'PT413';
  end if;
end
$$;

create or replace function private.track_prayer_usage() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_account_usage(
      user_id, 0, count(*)::integer,
      sum(private.text_bytes(person_name) + private.text_bytes(note) + private.text_bytes(answer)),
      0, sum(times_prayed)::integer
    )
    from new_rows group by user_id;
  elsif tg_op = 'DELETE' then
    perform private.add_account_usage(
      user_id, 0, -count(*)::integer,
      -sum(private.text_bytes(person_name) + private.text_bytes(note) + private.text_bytes(answer)),
      0, -sum(times_prayed)::integer
    )
    from old_rows group by user_id;
  else
    perform private.add_account_usage(user_id, 0, 0, sum(bytes)::bigint, 0, sum(days)::integer)
    from (
      select user_id, times_prayed as days,
             private.text_bytes(person_name) + private.text_bytes(note) + private.text_bytes(answer) as bytes
      from new_rows
      union all
      select user_id, -times_prayed,
             -private.text_bytes(person_name) - private.text_bytes(note) - private.text_bytes(answer)
      from old_rows
    ) as changes group by user_id;
  end if;
  return null;
end
$$;

create function private.track_prayer_update_usage() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_account_usage(user_id, 0, 0, sum(private.text_bytes(body)), count(*)::integer)
    from new_rows group by user_id;
  elsif tg_op = 'DELETE' then
    perform private.add_account_usage(user_id, 0, 0, -sum(private.text_bytes(body)), -count(*)::integer)
    from old_rows group by user_id;
  else
    perform private.add_account_usage(user_id, 0, 0, sum(bytes)::bigint)
    from (
      select user_id, private.text_bytes(body) as bytes from new_rows
      union all
      select user_id, -private.text_bytes(body) from old_rows
    ) as changes group by user_id;
  end if;
  return null;
end
$$;

revoke all on function private.add_account_usage(uuid, integer, integer, bigint, integer, integer) from public, anon, authenticated;
revoke all on function private.track_prayer_update_usage() from public, anon, authenticated;

create trigger track_inserted_updates after insert on public.prayer_updates
  referencing new table as new_rows for each statement execute function private.track_prayer_update_usage();
create trigger track_changed_updates after update on public.prayer_updates
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.track_prayer_update_usage();
create trigger track_deleted_updates after delete on public.prayer_updates
  referencing old table as old_rows for each statement execute function private.track_prayer_update_usage();
