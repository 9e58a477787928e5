-- What one account may hold (500 categories, 20,000 prayers, 20,000 updates, 150,000 prayed days, which are 13 years with 30 a
-- day, and 10 MB of text) and what it may write (200 MB within an hour). Without limits, one user could fill the disk, even by
-- rewriting the same rows, or make every export exhaust the memory of the server.
--
-- Usage is tracked in one row per user, by triggers that run once per statement, so that no write has to count rows. Only
-- growth beyond a limit is rejected: an account above it can still delete, resolve, move and shorten.
create table private.account_usage (
  user_id uuid primary key references auth.users (id) on delete cascade,
  categories integer not null default 0,
  prayers integer not null default 0,
  -- Bytes of names, notes, answers and updates, as `private.text_bytes` counts them.
  text_bytes bigint not null default 0,
  -- An upper bound for the user's entries in `deletions`, so that logging a deletion does not have to count them.
  deletions integer not null default 0,
  updates integer not null default 0,
  prayed_days integer not null default 0,
  -- Bytes that were written since `written_since`; they no longer count once an hour has passed.
  written_bytes bigint not null default 0,
  written_since timestamptz not null default '-infinity'
)
-- Every write of a user updates the row: leaves room for its next version on the same page.
with (fillfactor = 50);

-- Row level security without a policy: only functions that run with their owner's rights reach it.
alter table private.account_usage enable row level security;
revoke all on private.account_usage from public, anon, authenticated;

-- How many blocks of 32 bytes the padded text in a sealed one has, which is at least 1; null if it is not sealed (docs/encryption.md).
-- Sealed are `enc1.`, the id of a key, `.`, and in base64url 12 bytes, the padded text and 16 bytes.
create function private.sealed_blocks(value text) returns integer
  -- In language sql, a call takes three times as long, and each write of a text makes several.
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
declare
  bytes integer := (octet_length(value) - 22) * 3 / 4;
begin
  if bytes >= 60 and (bytes - 28) % 32 = 0 and (bytes * 4 + 2) / 3 = octet_length(value) - 22
    and value ~ '^enc1\.[0-9A-HJKMNP-TV-Z]{16}\.[A-Za-z0-9_-]+$' then
    return (bytes - 28) / 32;
  end if;
  return null;
end
$$;

-- Bytes of a text as JSON, in which exports and lists carry it: a control character takes six. A sealed text counts as the shortest one
-- that it can contain.
create function private.text_bytes(value text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select coalesce(
    case when starts_with(value, 'enc1.') then (private.sealed_blocks(value) - 1) * 32 + 2 end,
    octet_length(to_json(value)::text),
    0
  )
$$;

-- Bytes that a row takes without its texts, with its entries in the indexes; also for a deletion, which is logged.
create function private.row_bytes() returns integer
  language sql immutable parallel safe
  set search_path = ''
as 'select 500';

-- Counts what one statement has changed. Called by the trigger functions `track_…_usage` of each table. Prayed days are counted by
-- `times_prayed` of their prayers, so they need no triggers of their own. An import adds rows of every kind in one statement, and
-- PostgreSQL may count any of them first.
create function private.add_account_usage(
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
  -- Texts count more as plain text than sealed: by up to 31 bytes, and by their escapes in JSON.
  most_text_bytes bigint := 1024 * 1024
    * case when current_setting('intercede.replacing_texts', true) is not distinct from 'on' then 14 else 10 end;
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
  elsif text_bytes > 0 and used.text_bytes > most_text_bytes then
    raise exception 'Your account is full: it can hold at most 10 MB of text.' using errcode = 'PT413';
  end if;
end
$$;

-- Rejects a statement of an account that has used up its hour. Called before the statement writes or locks anything. A statement is
-- counted once it has run, so all that an account holds can be imported at once; it counts as 60 MB. What this transaction has
-- written itself does not count: an import that has begun is completed.
create function private.require_unused_hour(owner uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  seconds integer;
  minutes integer;
begin
  select ceil(extract(epoch from u.written_since + interval '1 hour' - now())) into seconds
  from private.account_usage u
  where u.user_id = owner
    and u.written_bytes >= 200 * 1000 * 1000
    and u.written_since > now() - interval '1 hour'
    and u.xmin is distinct from pg_current_xact_id_if_assigned()::xid;
  if not found then return; end if;
  minutes := ceil(seconds / 60.0);

  -- PostgREST turns the two JSON texts of this error into the response.
  raise sqlstate 'PGRST' using
    message = json_build_object(
      'code', 'PT429',
      'message', format(
        'Your account has changed too much within an hour. Try again in %s %s.',
        minutes, case minutes when 1 then 'minute' else 'minutes' end
      )
    )::text,
    detail = json_build_object('status', 429, 'headers', json_build_object('Retry-After', seconds::text))::text;
end
$$;

-- A statement that fails may have written as much as one that succeeds, and its count is undone with it. So one that changes texts
-- is stopped after 250 kB of rows; otherwise, it could write one long text to all rows of an account.
create function private.limit_changed_rows() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  bytes bigint := coalesce(nullif(current_setting('intercede.changed_bytes', true), ''), '0')::bigint
    + private.row_bytes() + pg_column_size(new);
begin
  -- An administrator writes without the token of a user.
  if auth.uid() is null then return new; end if;
  if bytes > 250 * 1000 then
    raise exception 'One request can change the texts of at most 250 kB of rows. Change fewer rows at a time.' using errcode = 'PT413';
  end if;
  perform set_config('intercede.changed_bytes', bytes::text, true);
  return new;
end
$$;

-- Counts a statement of the caller that has failed, as the most that it can have written. An insert writes the rows that were sent:
-- 500 bytes for one of at least 25. Anything else may write all rows of the account, texts as far as `limit_changed_rows` allows,
-- and twice what was sent. Our server calls it; PostgREST has nothing that runs after a failure.
create function private.count_failed_write(sent_bytes integer, is_insert boolean) returns void
  language sql
  security definer
  set search_path = ''
as $$
  insert into private.account_usage as u (user_id, written_bytes, written_since)
  select id, case when is_insert then 20 * sent_bytes::bigint else 250 * 1000 + 2 * sent_bytes::bigint end, now()
  from auth.users where id = (select private.require_second_factor()) and sent_bytes >= 0
  on conflict (user_id) do update
  set written_bytes = excluded.written_bytes
        + case when is_insert then 0 else u.text_bytes + (u.categories + u.prayers + u.updates) * private.row_bytes() end
        + case when u.written_since > now() - interval '1 hour' then u.written_bytes else 0 end,
      written_since = case when u.written_since > now() - interval '1 hour' then u.written_since else now() end
$$;

revoke all on function
  private.add_account_usage(uuid, integer, integer, bigint, integer, integer, bigint),
  private.require_unused_hour(uuid),
  private.limit_changed_rows(),
  private.count_failed_write(integer, boolean)
from public, anon, authenticated;
grant execute on function private.count_failed_write(integer, boolean) to authenticated;
