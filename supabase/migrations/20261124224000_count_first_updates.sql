-- As before, but updates count in the first statement of an account as well: an import adds categories, prayers and updates at once, and
-- PostgreSQL may count the updates first. So a new account could hold four times as many as others.
create or replace function private.add_account_usage(
  owner uuid, categories integer, prayers integer, text_bytes bigint, updates integer, prayed_days integer, written_bytes bigint
) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  hour_ago timestamptz := now() - interval '1 hour';
  -- A prayed day is a row as well, but a short one.
  written bigint := written_bytes + 100 * greatest(prayed_days, 0);
  used private.account_usage;
begin
  update private.account_usage as u
  set categories = u.categories + add_account_usage.categories,
      prayers = u.prayers + add_account_usage.prayers,
      text_bytes = u.text_bytes + add_account_usage.text_bytes,
      updates = u.updates + add_account_usage.updates,
      prayed_days = u.prayed_days + add_account_usage.prayed_days,
      written_bytes = case when u.written_since > hour_ago then u.written_bytes + written else written end,
      written_since = case when u.written_since > hour_ago then u.written_since else now() end
  where u.user_id = owner
  returning * into used;

  if not found then
    -- The account is being deleted, and its rows go with it.
    if categories <= 0 and prayers <= 0 and text_bytes <= 0 then return; end if;
    insert into private.account_usage as u
      (user_id, categories, prayers, text_bytes, updates, prayed_days, written_bytes, written_since)
    values (
      owner, add_account_usage.categories, add_account_usage.prayers, add_account_usage.text_bytes, add_account_usage.updates,
      add_account_usage.prayed_days, written, now()
    )
    on conflict (user_id) do update
    set categories = u.categories + excluded.categories,
        prayers = u.prayers + excluded.prayers,
        text_bytes = u.text_bytes + excluded.text_bytes,
        updates = u.updates + excluded.updates,
        prayed_days = u.prayed_days + excluded.prayed_days,
        written_bytes = u.written_bytes + excluded.written_bytes
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

update private.account_usage u set updates = counted.updates
from (
  select a.user_id, count(w.user_id) as updates
  from private.account_usage a left join public.prayer_updates w on w.user_id = a.user_id
  group by a.user_id
) as counted
where counted.user_id = u.user_id and counted.updates <> u.updates;
