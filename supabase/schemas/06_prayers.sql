-- Prayers, each for a named person, each in a category of the same owner. Days are dates in the user's own time zone. Columns that
-- were added later have no defaults but null and 0, so that clients that do not know them keep working.
create table public.prayers (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  category_id uuid not null,
  person_name text not null,
  note text,
  resolved boolean not null default false,
  created_at timestamptz not null default now(),
  -- Set by a trigger, whatever a client sends.
  rev bigint not null default 1,
  -- The day of what is prayed for; the first one if it repeats.
  due_on date,
  -- Null, 'monthly' or 'yearly'. A month without the day of `due_on` uses its last day, so 29 February becomes 28.
  due_repeats text,
  -- The days of the week: 1 is Monday, 2 Tuesday, 4 Wednesday … 64 Sunday, 127 every day.
  pray_days smallint,
  -- Paused until then.
  resting_until date,
  -- The latest day on which it was prayed, and the number of days. Only `mark_prayed` and imports set them.
  last_prayed_on date,
  times_prayed integer not null default 0,
  -- When a resolved prayer was answered, and how. Null: unknown, as for all that were resolved before there was a date.
  answered_on date,
  answer text,
  -- The `rev` of the last write that has changed anything besides `last_prayed_on` and `times_prayed`, set by a trigger. Null: unknown,
  -- and not after `rev`. After a restore, devices tell by it which rows were written since.
  written_rev bigint,
  -- When the note was changed last. A client can say when that was on its device. Null: not since `created_at`, or unknown.
  note_changed_at timestamptz,
  -- The owner is part of the reference, so another person's category can never be named here.
  constraint prayers_category_id_fkey foreign key (category_id, user_id)
    references public.categories (id, user_id) on delete restrict,
  -- So that updates and prayed days can only belong to a prayer of the same owner.
  constraint prayers_id_user_id_key unique (id, user_id),
  constraint prayers_person_name_not_empty check (person_name <> ''),
  constraint prayers_person_name_length check (
    char_length(person_name) <= 200 or (char_length(person_name) <= 1169 and private.sealed_blocks(person_name) is not null)
  ),
  constraint prayers_note_length
    check (char_length(note) <= 10000 or (char_length(note) <= 53436 and private.sealed_blocks(note) is not null)),
  constraint prayers_created_at_range check (created_at >= '1900-01-01Z' and created_at < '2200-01-01Z'),
  constraint prayers_note_changed_at_range check (note_changed_at >= '1900-01-01Z' and note_changed_at < '2200-01-01Z'),
  constraint prayers_due_on_range check (due_on between '1900-01-01' and '2199-12-31'),
  constraint prayers_due_repeats_known check (due_repeats in ('monthly', 'yearly')),
  constraint prayers_due_repeats_dated check (due_repeats is null or due_on is not null),
  constraint prayers_pray_days_range check (pray_days between 1 and 127),
  constraint prayers_resting_until_range check (resting_until between '1900-01-01' and '2199-12-31'),
  constraint prayers_last_prayed_on_range check (last_prayed_on between '1900-01-01' and '2199-12-31'),
  constraint prayers_times_prayed_not_negative check (times_prayed >= 0),
  constraint prayers_answered_on_range check (answered_on between '1900-01-01' and '2199-12-31'),
  constraint prayers_answer_length
    check (char_length(answer) <= 10000 or (char_length(answer) <= 53436 and private.sealed_blocks(answer) is not null)),
  constraint prayers_answer_resolved check (resolved or (answer is null and answered_on is null))
)
-- Long texts are in a TOAST table.
with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000,
  toast.autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_threshold = 500, toast.autovacuum_vacuum_cost_limit = 2000
);

-- For the list of a user, newest first; for what has changed; for the reference: is this category still in use? And for reminders: when has
-- the user last prayed?
create index prayers_user_id_created_at_idx on public.prayers (user_id, created_at desc, id desc);
create index prayers_user_id_rev_idx on public.prayers (user_id, rev, id);
create index prayers_category_id_idx on public.prayers (category_id, user_id);
create index prayers_user_id_last_prayed_on_idx on public.prayers (user_id, last_prayed_on) where last_prayed_on is not null;

alter table public.prayers enable row level security;

create policy "People read their own prayers" on public.prayers
  for select to authenticated using (user_id = (select auth.uid()));
create policy "People add their own prayers" on public.prayers
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change their own prayers" on public.prayers
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "People delete their own prayers" on public.prayers
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second factor is given first" on public.prayers
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));

revoke all on public.prayers from anon, authenticated;
grant select, insert, update, delete on public.prayers to authenticated;

-- A prayer that is resolved gets the date of its answer, and nothing that the user wrote is lost when any client reopens it by an
-- update of its row (`reopen_prayer` does it with an id that the client knows).
create function private.before_prayer_write() returns trigger
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
  -- Not where the note stays as it is, or only gets another form. A device that seals a plain one, because the user asks for it, gives no
  -- other date.
  if tg_op = 'UPDATE' then
    new.note_changed_at := case
      when new.note is not distinct from old.note or current_setting('intercede.replacing_texts', true) is not distinct from 'on'
      then old.note_changed_at
      when nullif(new.note_changed_at, old.note_changed_at) is not null then new.note_changed_at
      when old.note <> '' and private.sealed_blocks(old.note) is null and private.sealed_blocks(new.note) is not null
      then old.note_changed_at
      else now()
    end;
  end if;

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
      -- from another device. Both may have been sent before, by a client that did not get the response, or by another tab.
      kept_answer := case when private.trim_whitespace(new.answer) <> '' then new.answer else old.answer end;
      kept_date := coalesce(new.answered_on, old.answered_on);
      if coalesce(private.trim_whitespace(kept_answer), '') <> '' and not exists (
        select from public.prayer_updates u
        where u.prayer_id = new.id and u.body = kept_answer and (u.answered_on = kept_date or not old.resolved)
      ) then
        -- Whether it is sealed was checked when it was written.
        if kept_answer = old.answer then perform set_config('intercede.moving_text', 'on', true); end if;
        insert into public.prayer_updates (user_id, prayer_id, body, answered_on)
        values (new.user_id, new.id, kept_answer, kept_date);
        perform set_config('intercede.moving_text', 'off', true);
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

-- As `limit_times` for categories. Plans may be in the future; other days may be tomorrow, because it is tomorrow already somewhere.
create function private.limit_prayer_dates() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  tomorrow date := (now() at time zone 'UTC')::date + 1;
begin
  if new.created_at > now() then new.created_at := now(); end if;
  if new.note_changed_at > now() then new.note_changed_at := now(); end if;
  if new.answered_on > tomorrow then new.answered_on := tomorrow; end if;
  if new.last_prayed_on > tomorrow then new.last_prayed_on := tomorrow; end if;
  return new;
end
$$;

-- Updates that are added, columns that only the database computes, and texts that are replaced by their sealed form or the other way
-- round, raise the number of a prayer, but change nothing that its owner has written. Runs after `stamp_row`, because of its name.
create function private.stamp_written_prayer() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  written bigint := new.rev;
begin
  if tg_op = 'UPDATE' then
    written := coalesce(old.written_rev, old.rev);
    new.written_rev := old.written_rev;
    old.rev := new.rev;
    old.last_prayed_on := new.last_prayed_on;
    old.times_prayed := new.times_prayed;
    if new is distinct from old and current_setting('intercede.replacing_texts', true) is distinct from 'on' then
      written := new.rev;
    end if;
  end if;
  new.written_rev := written;
  return new;
end
$$;

-- All texts of a prayer.
create function private.prayer_text_bytes(prayer public.prayers) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select private.text_bytes(prayer.person_name) + private.text_bytes(prayer.note) + private.text_bytes(prayer.answer)
$$;

create function private.track_prayer_usage() returns trigger
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

revoke all on function
  private.limit_prayer_dates(),
  private.stamp_written_prayer(),
  private.track_prayer_usage()
from public, anon, authenticated;

-- Triggers of a kind run in the order of their names.
create trigger lock_changes before insert or update or delete on public.prayers
  for each statement execute function private.lock_changes();
create trigger before_prayer_write before insert or update on public.prayers
  for each row execute function private.before_prayer_write();
create trigger limit_changed_rows before update of person_name, note, answer on public.prayers
  for each row execute function private.limit_changed_rows();
create trigger limit_dates before insert or update on public.prayers
  for each row execute function private.limit_prayer_dates();
create trigger stamp_row before insert or update on public.prayers
  for each row execute function private.stamp_row();
create trigger stamp_written before insert or update on public.prayers
  for each row execute function private.stamp_written_prayer();
create trigger log_deletions after delete on public.prayers
  referencing old table as old_rows for each statement execute function private.log_deletions();
create trigger track_inserted_prayers after insert on public.prayers
  referencing new table as new_rows for each statement execute function private.track_prayer_usage();
create trigger track_updated_prayers after update on public.prayers
  referencing old table as old_rows new table as new_rows for each statement execute function private.track_prayer_usage();
create trigger track_deleted_prayers after delete on public.prayers
  referencing old table as old_rows for each statement execute function private.track_prayer_usage();
