-- What one account may write: 200 MB within an hour. The quota limits what an account holds, but rewriting it again and again fills the
-- disk as well, with rows that PostgreSQL has yet to remove.
alter table private.account_usage
  -- Bytes that were written since then; zero once an hour has passed.
  add column written_bytes bigint not null default 0,
  add column written_since timestamptz not null default '-infinity';
-- Every write of a user updates the row: leaves room for its next version on the same page.
alter table private.account_usage set (fillfactor = 50);

-- Bytes that a row takes without its texts, with its entries in the indexes; also for a deletion, which is logged.
create function private.row_bytes() returns integer
  language sql immutable parallel safe
  set search_path = ''
as 'select 500';

drop function private.add_account_usage(uuid, integer, integer, bigint, integer, integer);

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

-- All texts of a category. Transition tables have rows without a type: `row(n.*)::public.categories` gives it to them.
create function private.category_text_bytes(category public.categories) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select private.text_bytes(category.name)
$$;

-- A statement without rows of a kind has no transition table of that name, so each event selects its own part; PL/pgSQL plans a
-- statement only when it is reached.
create or replace function private.track_category_usage() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_account_usage(
      c.user_id, count(*)::integer, 0, sum(c.bytes), 0, 0, sum(c.bytes) + count(*) * private.row_bytes()
    )
    from (select user_id, private.category_text_bytes(row(n.*)::public.categories) as bytes from new_rows n) as c group by c.user_id;
  elsif tg_op = 'DELETE' then
    perform private.add_account_usage(
      c.user_id, -count(*)::integer, 0, -sum(c.bytes), 0, 0, count(*) * private.row_bytes()
    )
    from (select user_id, private.category_text_bytes(row(o.*)::public.categories) as bytes from old_rows o) as c group by c.user_id;
  else
    perform private.add_account_usage(
      c.user_id, 0, 0, sum(c.new_bytes) - sum(c.old_bytes), 0, 0, sum(c.new_bytes) + sum(c.rows) * private.row_bytes()
    )
    from (
      select user_id, private.category_text_bytes(row(n.*)::public.categories) as new_bytes, 0 as old_bytes, 1 as rows from new_rows n
      union all
      select user_id, 0, private.category_text_bytes(row(o.*)::public.categories), 0 from old_rows o
    ) as c group by c.user_id;
  end if;
  return null;
end
$$;

-- All texts of a prayer.
create function private.prayer_text_bytes(prayer public.prayers) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select private.text_bytes(prayer.person_name) + private.text_bytes(prayer.note) + private.text_bytes(prayer.answer)
$$;

create or replace function private.track_prayer_usage() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_account_usage(
      c.user_id, 0, count(*)::integer, sum(c.bytes), 0, sum(c.times_prayed)::integer,
      sum(c.bytes) + count(*) * private.row_bytes()
    )
    from (
      select user_id, times_prayed, private.prayer_text_bytes(row(n.*)::public.prayers) as bytes from new_rows n
    ) as c group by c.user_id;
  elsif tg_op = 'DELETE' then
    perform private.add_account_usage(
      c.user_id, 0, -count(*)::integer, -sum(c.bytes), 0, -sum(c.times_prayed)::integer,
      count(*) * private.row_bytes()
    )
    from (
      select user_id, times_prayed, private.prayer_text_bytes(row(o.*)::public.prayers) as bytes from old_rows o
    ) as c group by c.user_id;
  else
    perform private.add_account_usage(
      c.user_id, 0, 0, sum(c.new_bytes) - sum(c.old_bytes), 0, sum(c.days)::integer,
      sum(c.new_bytes) + sum(c.rows) * private.row_bytes()
    )
    from (
      select user_id, times_prayed as days, 1 as rows, 0 as old_bytes,
             private.prayer_text_bytes(row(n.*)::public.prayers) as new_bytes
      from new_rows n
      union all
      select user_id, -times_prayed, 0, private.prayer_text_bytes(row(o.*)::public.prayers), 0 from old_rows o
    ) as c group by c.user_id;
  end if;
  return null;
end
$$;

-- All texts of an update.
create function private.update_text_bytes(written public.prayer_updates) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select private.text_bytes(written.body)
$$;

create or replace function private.track_prayer_update_usage() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_account_usage(
      c.user_id, 0, 0, sum(c.bytes), count(*)::integer, 0, sum(c.bytes) + count(*) * private.row_bytes()
    )
    from (select user_id, private.update_text_bytes(row(n.*)::public.prayer_updates) as bytes from new_rows n) as c group by c.user_id;
  elsif tg_op = 'DELETE' then
    perform private.add_account_usage(
      c.user_id, 0, 0, -sum(c.bytes), -count(*)::integer, 0, count(*) * private.row_bytes()
    )
    from (select user_id, private.update_text_bytes(row(o.*)::public.prayer_updates) as bytes from old_rows o) as c group by c.user_id;
  else
    perform private.add_account_usage(
      c.user_id, 0, 0, sum(c.new_bytes) - sum(c.old_bytes), 0, 0, sum(c.new_bytes) + sum(c.rows) * private.row_bytes()
    )
    from (
      select user_id, private.update_text_bytes(row(n.*)::public.prayer_updates) as new_bytes, 0 as old_bytes, 1 as rows from new_rows n
      union all
      select user_id, 0, private.update_text_bytes(row(o.*)::public.prayer_updates), 0 from old_rows o
    ) as c group by c.user_id;
  end if;
  return null;
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

create trigger limit_changed_rows before update of name on public.categories
  for each row execute function private.limit_changed_rows();
create trigger limit_changed_rows before update of person_name, note, answer on public.prayers
  for each row execute function private.limit_changed_rows();
create trigger limit_changed_rows before update of body on public.prayer_updates
  for each row execute function private.limit_changed_rows();

-- The first statement of an account did not count its updates.
update private.account_usage u set updates = counted.updates
from (
  select a.user_id, count(w.user_id) as updates
  from private.account_usage a left join public.prayer_updates w on w.user_id = a.user_id
  group by a.user_id
) as counted
where counted.user_id = u.user_id and counted.updates <> u.updates;

-- Space of removed rows is used again sooner: after a twentieth of a table has changed instead of a fifth, and without long pauses. Long
-- texts are in TOAST tables.
alter table public.categories set (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000
);
alter table public.prayers set (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000,
  toast.autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_threshold = 500, toast.autovacuum_vacuum_cost_limit = 2000
);
alter table public.prayer_updates set (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000,
  toast.autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_threshold = 500, toast.autovacuum_vacuum_cost_limit = 2000
);
alter table public.prayed_days set (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000
);
alter table public.deletions set (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000
);
