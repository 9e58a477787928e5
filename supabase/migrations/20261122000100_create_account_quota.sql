-- What one account may hold: 500 categories, 20,000 prayers and 10 MB of text. Without a limit, one user could fill the
-- disk or make every export exhaust the memory of the server.
--
-- Usage is tracked in one row per user, by triggers that run once per statement, so that no write has to count rows. Only
-- growth beyond a limit is rejected: an account above it can still delete, resolve, move and shorten.
create table private.account_usage (
  user_id uuid primary key references auth.users (id) on delete cascade,
  categories integer not null default 0,
  prayers integer not null default 0,
  -- Bytes of names and notes, as `private.text_bytes` counts them.
  text_bytes bigint not null default 0
);

-- Row level security without a policy: only the triggers below, which run with their owner's rights, reach it.
alter table private.account_usage enable row level security;
revoke all on private.account_usage from public, anon, authenticated;

-- Bytes of a text as JSON, in which exports and lists carry it: a control character takes six.
create function private.text_bytes(value text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select coalesce(octet_length(to_json(value)::text), 0)
$$;

create function private.add_account_usage(owner uuid, categories integer, prayers integer, text_bytes bigint) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  used private.account_usage;
begin
  if categories = 0 and prayers = 0 and text_bytes = 0 then return; end if;

  update private.account_usage as u
  set categories = u.categories + add_account_usage.categories,
      prayers = u.prayers + add_account_usage.prayers,
      text_bytes = u.text_bytes + add_account_usage.text_bytes
  where u.user_id = owner
  returning * into used;

  if not found then
    -- The account is being deleted, and its rows go with it.
    if categories <= 0 and prayers <= 0 and text_bytes <= 0 then return; end if;
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
  elsif text_bytes > 0 and used.text_bytes > 10 * 1024 * 1024 then
    raise exception 'Your account is full: it can hold at most 10 MB of text.' using errcode = 'PT413';
  end if;
end
$$;

revoke all on function private.add_account_usage(uuid, integer, integer, bigint) from public, anon, authenticated;

-- One function per table. A statement without rows of a kind has no transition table of that name, so each event selects
-- its own part; PL/pgSQL plans a statement only when it is reached.
create function private.track_category_usage() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_account_usage(user_id, count(*)::integer, 0, sum(private.text_bytes(name)))
    from new_rows group by user_id;
  elsif tg_op = 'DELETE' then
    perform private.add_account_usage(user_id, -count(*)::integer, 0, -sum(private.text_bytes(name)))
    from old_rows group by user_id;
  else
    perform private.add_account_usage(user_id, 0, 0, sum(bytes)::bigint)
    from (
      select user_id, private.text_bytes(name) as bytes from new_rows
      union all
      select user_id, -private.text_bytes(name) from old_rows
    ) as changes group by user_id;
  end if;
  return null;
end
$$;

create function private.track_prayer_usage() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_account_usage(
      user_id, 0, count(*)::integer, sum(private.text_bytes(person_name) + private.text_bytes(note))
    )
    from new_rows group by user_id;
  elsif tg_op = 'DELETE' then
    perform private.add_account_usage(
      user_id, 0, -count(*)::integer, -sum(private.text_bytes(person_name) + private.text_bytes(note))
    )
    from old_rows group by user_id;
  else
    perform private.add_account_usage(user_id, 0, 0, sum(bytes)::bigint)
    from (
      select user_id, private.text_bytes(person_name) + private.text_bytes(note) as bytes from new_rows
      union all
      select user_id, -private.text_bytes(person_name) - private.text_bytes(note) from old_rows
    ) as changes group by user_id;
  end if;
  return null;
end
$$;

revoke all on function private.track_category_usage() from public, anon, authenticated;
revoke all on function private.track_prayer_usage() from public, anon, authenticated;

-- Existing accounts keep all they have, even above a limit. Writes wait until the triggers are in place.
lock table public.categories, public.prayers in share row exclusive mode;

insert into private.account_usage (user_id, categories, prayers, text_bytes)
select user_id, sum(categories), sum(prayers), sum(bytes)
from (
  select user_id, 1 as categories, 0 as prayers, private.text_bytes(name) as bytes from public.categories
  union all
  select user_id, 0, 1, private.text_bytes(person_name) + private.text_bytes(note) from public.prayers
) as rows group by user_id;

create trigger track_inserted_categories after insert on public.categories
  referencing new table as new_rows for each statement execute function private.track_category_usage();
create trigger track_updated_categories after update on public.categories
  referencing old table as old_rows new table as new_rows for each statement execute function private.track_category_usage();
create trigger track_deleted_categories after delete on public.categories
  referencing old table as old_rows for each statement execute function private.track_category_usage();

create trigger track_inserted_prayers after insert on public.prayers
  referencing new table as new_rows for each statement execute function private.track_prayer_usage();
create trigger track_updated_prayers after update on public.prayers
  referencing old table as old_rows new table as new_rows for each statement execute function private.track_prayer_usage();
create trigger track_deleted_prayers after delete on public.prayers
  referencing old table as old_rows for each statement execute function private.track_prayer_usage();
