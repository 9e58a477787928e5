-- A user's own categories. Ownership is decided here and nowhere else: row level security ties every row to the caller, and
-- (id, user_id) is unique so that a prayer can only refer to a category of its owner.
create table public.categories (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  "order" integer not null,
  is_visible boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Set by a trigger, whatever a client sends.
  rev bigint not null default 1,
  -- The days of the week on which its prayers are in turn: 1 is Monday, 2 Tuesday, 4 Wednesday … 64 Sunday. Null: every day.
  pray_days smallint,
  constraint categories_id_user_id_key unique (id, user_id),
  constraint categories_name_not_empty check (name <> ''),
  -- Here and in other tables: the longest sealed form of such a text is allowed, too.
  constraint categories_name_length
    check (char_length(name) <= 100 or (char_length(name) <= 614 and private.sealed_blocks(name) is not null)),
  constraint categories_order_positive check ("order" >= 1),
  constraint categories_pray_days_range check (pray_days between 1 and 127),
  -- Every date and time lies between 1900 and 2199, so that each client can read it: no "infinity", no "BC".
  constraint categories_created_at_range check (created_at >= '1900-01-01Z' and created_at < '2200-01-01Z'),
  constraint categories_updated_at_range check (updated_at >= '1900-01-01Z' and updated_at < '2200-01-01Z')
)
with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000);

-- For the list of a user, in its order; and for what has changed.
create index categories_user_id_order_idx on public.categories (user_id, "order", created_at, id);
create index categories_user_id_rev_idx on public.categories (user_id, rev, id);

alter table public.categories enable row level security;

create policy "People read their own categories" on public.categories
  for select to authenticated using (user_id = (select auth.uid()));
create policy "People add their own categories" on public.categories
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change their own categories" on public.categories
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "People delete their own categories" on public.categories
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second factor is given first" on public.categories
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));

revoke all on public.categories from anon, authenticated;
grant select, insert, update, delete on public.categories to authenticated;

create function private.before_category_write() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    if new.user_id is distinct from old.user_id then
      raise exception 'user_id of a category cannot be changed' using errcode = '42501';
    end if;
    if current_setting('intercede.replacing_texts', true) is distinct from 'on' then new.updated_at := now(); end if;
  end if;
  new.name := private.trim_whitespace(new.name);
  return new;
end
$$;

-- What has happened already cannot be later than now. A row that is too late comes from a device whose clock is wrong: it gets the
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

-- All texts of a category. Transition tables have rows without a type: `row(n.*)::public.categories` gives it to them.
create function private.category_text_bytes(category public.categories) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select private.text_bytes(category.name)
$$;

-- A statement without rows of a kind has no transition table of that name, so each event selects its own part; PL/pgSQL plans a
-- statement only when it is reached.
create function private.track_category_usage() returns trigger
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

revoke all on function private.limit_times(), private.track_category_usage() from public, anon, authenticated;

-- Triggers of a kind run in the order of their names.
create trigger lock_changes before insert or update or delete on public.categories
  for each statement execute function private.lock_changes();
create trigger before_category_write before insert or update on public.categories
  for each row execute function private.before_category_write();
create trigger limit_changed_rows before update of name on public.categories
  for each row execute function private.limit_changed_rows();
create trigger limit_dates before insert or update on public.categories
  for each row execute function private.limit_times();
create trigger stamp_row before insert or update on public.categories
  for each row execute function private.stamp_row();
create trigger log_deletions after delete on public.categories
  referencing old table as old_rows for each statement execute function private.log_deletions();
create trigger track_inserted_categories after insert on public.categories
  referencing new table as new_rows for each statement execute function private.track_category_usage();
create trigger track_updated_categories after update on public.categories
  referencing old table as old_rows new table as new_rows for each statement execute function private.track_category_usage();
create trigger track_deleted_categories after delete on public.categories
  referencing old table as old_rows for each statement execute function private.track_category_usage();

-- One atomic renumbering of the caller's categories to 1..n.
--
-- Takes the complete ordered list of ids. Ids that no longer exist (or were never the caller's) are ignored; categories missing
-- from the list keep their relative order after the listed ones. Only "order" is written, and only where it changes, so a rename
-- or hide made meanwhile on another device stays as it is.
create function public.reorder_categories(category_ids uuid[]) returns void
  language plpgsql
  security invoker
  set search_path = ''
as $$
begin
  perform private.lock_changes_of_caller();

  with ranked as (
    select c.id,
           row_number() over (order by listed.position nulls last, c."order", c.created_at, c.id) as position
    from public.categories c
    left join (
      select id, min(ordinality) as position
      from unnest(category_ids) with ordinality as given (id, ordinality)
      group by id
    ) listed on listed.id = c.id
    where c.user_id = (select auth.uid())
  )
  update public.categories c
  set "order" = ranked.position
  from ranked
  where c.id = ranked.id and c."order" <> ranked.position;
end
$$;

revoke all on function public.reorder_categories(uuid[]) from public, anon;
grant execute on function public.reorder_categories(uuid[]) to authenticated;
