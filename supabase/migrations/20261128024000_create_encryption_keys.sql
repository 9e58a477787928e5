-- Encryption (docs/encryption.md): prayer keys, and texts that are sealed with them. Without a key, an account stays as it is.

alter table public.sync_state
  -- The id of the current prayer key, or `none`, and the highest counter of the account's keys. Every step of encryption changes it.
  add column key text not null default 'none.0';

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
create or replace function private.text_bytes(value text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select coalesce(
    case when starts_with(value, 'enc1.') then (private.sealed_blocks(value) - 1) * 32 + 2 end,
    octet_length(to_json(value)::text),
    0
  )
$$;

-- Counts what one statement has changed. Called by the trigger functions `track_…_usage` of each table. Prayed days are counted by
-- `times_prayed` of their prayers, so they need no triggers of their own. An import adds rows of every kind in one statement, and
-- PostgreSQL may count any of them first.
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

-- The longest sealed form of a text that is allowed is allowed, too.
alter table public.categories
  drop constraint categories_name_length,
  add constraint categories_name_length
    check (char_length(name) <= 100 or (char_length(name) <= 614 and private.sealed_blocks(name) is not null));
alter table public.prayers
  drop constraint prayers_person_name_length,
  drop constraint prayers_note_length,
  drop constraint prayers_answer_length,
  add constraint prayers_person_name_length
    check (char_length(person_name) <= 200 or (char_length(person_name) <= 1169 and private.sealed_blocks(person_name) is not null)),
  add constraint prayers_note_length
    check (char_length(note) <= 10000 or (char_length(note) <= 53436 and private.sealed_blocks(note) is not null)),
  add constraint prayers_answer_length
    check (char_length(answer) <= 10000 or (char_length(answer) <= 53436 and private.sealed_blocks(answer) is not null));
alter table public.prayer_updates
  drop constraint prayer_updates_body_length,
  add constraint prayer_updates_body_length
    check (char_length(body) <= 10000 or (char_length(body) <= 53436 and private.sealed_blocks(body) is not null));

-- Called after the number is taken, under the lock. A device that has not heard of a restore must receive before it changes anything:
-- otherwise, the rows that it changes would seem newer than what it and others have to send again. Nor may one that has not heard of
-- another prayer key. Its requests name the epoch and the key that it knows, as preferences, which PostgREST leaves to the database. Other
-- clients name none.
create function private.require_known_state(owner uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  -- Empty where an earlier transaction of the connection had headers.
  headers json := nullif(current_setting('request.headers', true), '');
  known_epoch text := substring(headers ->> 'prefer' from '(?:^|,)\s*epoch=([^,;\s]*)');
  known_key text := substring(headers ->> 'prefer' from '(?:^|,)\s*key=([^,;\s]*)');
  current record;
begin
  if known_epoch is null and known_key is null then return; end if;
  select s.epoch::text as epoch, s.key into current from public.sync_state s where s.user_id = owner;
  if current.epoch <> known_epoch then
    raise exception 'The server was restored from a backup: its changes have to be received first.' using errcode = 'PT412';
  elsif current.key <> known_key then
    raise exception 'Encryption was changed on another device: its keys have to be received first.' using errcode = 'PT412';
  end if;
end
$$;

-- For functions that run with the rights of their caller and read the rows that they are going to change.
create or replace function private.lock_changes_of_caller() returns void
  language sql
  security definer
  set search_path = ''
as $$
  select private.require_second_factor();
  select private.require_unused_hour(auth.uid());
  select private.next_rev(auth.uid());
  select private.require_known_state(auth.uid())
$$;

-- Called before a statement locks any row, so that the writes of one user follow one another and cannot deadlock.
create or replace function private.lock_changes() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
begin
  if caller is null then return null; end if;
  perform private.require_second_factor();
  -- Not where a row is deleted with the account, or with another row.
  if pg_trigger_depth() = 1 then perform private.require_unused_hour(caller); end if;
  perform private.next_rev(caller);
  perform private.require_known_state(caller);
  -- Once per statement, for `require_sealed`.
  perform set_config('intercede.has_keys', case when exists (
    select from public.encryption_keys k where k.user_id = caller
  ) then 'yes' else 'no' end, true);
  return null;
end
$$;

drop function private.require_known_epoch(uuid);
revoke all on function private.require_known_state(uuid) from public, anon, authenticated;

create or replace function private.before_category_write() returns trigger
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

-- A prayer that is resolved gets the date of its answer, and nothing that the user wrote is lost when any client reopens it by an
-- update of its row (`reopen_prayer` does it with an id that the client knows).
create or replace function private.before_prayer_write() returns trigger
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

-- Updates that are added, columns that only the database computes, and texts that are replaced by their sealed form or the other way
-- round, raise the number of a prayer, but change nothing that its owner has written. Runs after `stamp_row`, because of its name.
create or replace function private.stamp_written_prayer() returns trigger
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

create or replace function private.before_prayer_update_write() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    if new.user_id is distinct from old.user_id then
      raise exception 'user_id of an update cannot be changed' using errcode = '42501';
    elsif new.prayer_id is distinct from old.prayer_id then
      raise exception 'prayer_id of an update cannot be changed' using errcode = '42501';
    end if;
    if current_setting('intercede.replacing_texts', true) is distinct from 'on' then new.updated_at := now(); end if;
  end if;
  return new;
end
$$;

-- A device must not delete a prayer, or overwrite its texts, without having seen its latest updates. So writing an update raises
-- the number of its prayer, unless this transaction has done so already.
create or replace function private.raise_rev_of_prayers() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  owner uuid;
  number bigint;
begin
  -- Then the text is the same, in another form.
  if current_setting('intercede.replacing_texts', true) is not distinct from 'on' then return null; end if;
  -- One owner after the other: in a condition, PostgreSQL might take numbers for other rows, too.
  for owner in select distinct c.user_id from changed_rows c loop
    number := private.next_rev(owner);
    update public.prayers p set rev = p.rev
    where p.user_id = owner and p.rev <> number and p.id in (select c.prayer_id from changed_rows c);
  end loop;
  return null;
end
$$;

-- Reopens a prayer of the caller whose answer becomes the update `update_id`, with the answer's text and date.
--
-- The caller chooses the id and the time, so a device can show the update, and let it be edited, before it has sent this. The text
-- is the answer as it is here, which another device may have changed. Nothing happens if the prayer is not resolved (any more), or
-- if the update exists or was deleted: then this call was made already. Without an answer, the prayer is only reopened. If an update
-- keeps the same answer of the same date already, this one replaces it.
create or replace function public.reopen_prayer(prayer_id uuid, update_id uuid, reopened_at timestamptz) returns void
  language plpgsql
  security invoker
  set search_path = ''
as $$
declare
  prayer public.prayers;
begin
  perform private.lock_changes_of_caller();

  select p.* into prayer
  from public.prayers p
  where p.id = reopen_prayer.prayer_id and p.user_id = (select auth.uid()) and p.resolved
    and not exists (select from public.prayer_updates u where u.id = update_id)
    and not exists (
      select from public.deletions d
      where d.user_id = (select auth.uid()) and d.table_name = 'prayer_updates' and d.row_id = update_id
    );
  if not found then return; end if;

  if private.trim_whitespace(prayer.answer) <> '' then
    -- First, so that the trigger has no answer to keep, and the text is not counted twice.
    update public.prayers p set answer = null where p.id = prayer.id;
    delete from public.prayer_updates u
    where u.prayer_id = prayer.id and u.body = prayer.answer and u.answered_on = prayer.answered_on;
    perform set_config('intercede.moving_text', 'on', true);
    insert into public.prayer_updates (id, user_id, prayer_id, body, answered_on, created_at, updated_at)
    values (
      update_id, prayer.user_id, prayer.id, prayer.answer, prayer.answered_on, least(reopened_at, now()),
      least(reopened_at, now())
    );
    perform set_config('intercede.moving_text', 'off', true);
  end if;
  update public.prayers p set resolved = false where p.id = prayer.id;
end
$$;

-- Undoes `reopen_prayer`: resolves the prayer again, with the text and the date of the update `update_id` as its answer, and
-- deletes the update.
--
-- Nothing happens if there is no such update of the prayer (any more): then this call was made already, or another device had
-- reopened the prayer first. If the prayer has another answer by now, that one stays, and the update too.
create or replace function public.undo_reopen_prayer(prayer_id uuid, update_id uuid) returns void
  language plpgsql
  security invoker
  set search_path = ''
as $$
declare
  former_answer public.prayer_updates;
begin
  perform private.lock_changes_of_caller();

  delete from public.prayer_updates u
  using public.prayers p
  where u.id = update_id and u.prayer_id = undo_reopen_prayer.prayer_id and u.user_id = (select auth.uid())
    and p.id = u.prayer_id and coalesce(private.trim_whitespace(p.answer), '') = ''
  returning u.* into former_answer;
  if not found then return; end if;

  -- A prayer that gets resolved also gets a date. The former one follows, because it may be unknown.
  update public.prayers p set resolved = true where p.id = former_answer.prayer_id and not p.resolved;
  perform set_config('intercede.moving_text', 'on', true);
  update public.prayers p set answer = former_answer.body, answered_on = former_answer.answered_on
  where p.id = former_answer.prayer_id;
  perform set_config('intercede.moving_text', 'off', true);
end
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

create function public.prayed_prayers() returns jsonb
  language sql stable
  security invoker
  set search_path = ''
as $$
  select private.prayed_prayers_of_caller()
$$;

revoke all on function private.prayed_prayers_of_caller(), public.prayed_prayers() from public, anon, authenticated;
grant execute on function private.prayed_prayers_of_caller(), public.prayed_prayers() to authenticated;

-- What the database does with sealed texts, which it cannot read: it sees to it that no plain text is stored while encryption is on, and no
-- sealed one while it is off.
create table public.encryption_keys (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- 16 random characters of Crockford's base32. A device chooses them.
  key_id text not null,
  -- 'encrypting', 'on' and 'decrypting' are keys in use, of which the one with the highest counter is the current one: while the key is
  -- changed, the old one is 'on' and the new one 'encrypting'. Those that have ended stay.
  state text not null,
  -- Each step of any key of the account has a higher one, so that devices can tell an old state from a new one.
  counter bigint not null,
  -- The device's proof of key, state and counter, which the database cannot check. Nobody can prove that a key is lost.
  proof text,
  primary key (user_id, key_id),
  constraint encryption_keys_key_id_format check (key_id ~ '^[0-9A-HJKMNP-TV-Z]{16}$'),
  constraint encryption_keys_state_known
    check (state in ('encrypting', 'on', 'decrypting', 'off', 'replaced', 'abandoned')),
  constraint encryption_keys_counter_range check (counter between 1 and 9007199254740991),
  constraint encryption_keys_proof_format check (proof ~ '^[A-Za-z0-9_-]{43}$'),
  constraint encryption_keys_proof_given check ((proof is null) = (state = 'abandoned'))
)
with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_limit = 2000);

alter table public.encryption_keys enable row level security;
create policy "Users read their own encryption keys" on public.encryption_keys
  for select to authenticated using (user_id = (select auth.uid()));
create policy "A second factor is given first" on public.encryption_keys
  as restrictive to authenticated using (user_id = (select private.require_second_factor()));

-- Only functions that run with their owner's rights write it.
revoke all on public.encryption_keys from anon, authenticated;
grant select on public.encryption_keys to authenticated;

-- The key in use with which texts are written, or none.
create function private.current_key(owner uuid) returns public.encryption_keys
  language sql stable
  set search_path = ''
as $$
  select k from public.encryption_keys k
  where k.user_id = owner and k.state in ('encrypting', 'on', 'decrypting')
  order by k.counter desc
  limit 1
$$;

-- Refuses a text that is written in the wrong form. The trigger's arguments are the columns with texts. What stays as it is passes, and so
-- does a text that only moves, because both were checked when they were written.
create function private.require_sealed() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  key public.encryption_keys;
  column_name text;
  given text;
  former text;
  given_blocks integer;
begin
  -- Row level security rejects another user's row right after this. It must not reveal anything.
  if new.user_id <> auth.uid() then return new; end if;
  perform from public.encryption_keys k where k.user_id = new.user_id;
  if not found or current_setting('intercede.moving_text', true) is not distinct from 'on' then return new; end if;

  key := private.current_key(new.user_id);
  foreach column_name in array tg_argv loop
    given := to_jsonb(new) ->> column_name;
    former := case when tg_op = 'UPDATE' then to_jsonb(old) ->> column_name end;
    continue when coalesce(given, '') = '' or given = former;

    given_blocks := private.sealed_blocks(given);
    if key.state in ('encrypting', 'on') then
      if given_blocks is null or not starts_with(given, 'enc1.' || key.key_id || '.') then
        raise exception 'This account is encrypted. Enter its prayer key on this device, then try again.'
          using errcode = 'IC001', detail = tg_table_name || '.' || column_name;
      end if;
    elsif given_blocks is not null then
      raise exception 'Encryption was turned off for this account. Enter its prayer key on this device, then try again.'
        using errcode = 'IC001', detail = tg_table_name || '.' || column_name;
    end if;

    -- Otherwise, an account could grow beyond its limits.
    if current_setting('intercede.replacing_texts', true) is not distinct from 'on'
      and coalesce((given_blocks - 1) * 32, octet_length(given))
        > coalesce(private.sealed_blocks(former) * 32 - 1, nullif(octet_length(former), 0), -1) then
      raise exception 'A text can only be replaced by another form of the same text.'
        using errcode = '22023', detail = tg_table_name || '.' || column_name;
    end if;
  end loop;
  return new;
end
$$;

-- Between `limit_dates` and `stamp_row`, because of their names. `lock_changes` has looked whether the caller has keys.
create trigger require_sealed before insert or update of name on public.categories
  for each row when (current_setting('intercede.has_keys', true) is distinct from 'no')
  execute function private.require_sealed('name');
create trigger require_sealed before insert or update of person_name, note, answer on public.prayers
  for each row when (current_setting('intercede.has_keys', true) is distinct from 'no')
  execute function private.require_sealed('person_name', 'note', 'answer');
create trigger require_sealed before insert or update of body on public.prayer_updates
  for each row when (current_setting('intercede.has_keys', true) is distinct from 'no')
  execute function private.require_sealed('body');

-- Called under the lock of the account and its changes.
create function private.store_key_state(key_id text, state text, counter bigint, proof text) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  highest bigint := coalesce((select max(k.counter) from public.encryption_keys k where k.user_id = auth.uid()), 0);
begin
  -- Whoever has stolen a token must not use up the numbers: the owner's devices could make no further step.
  if counter not between highest + 1 and highest + 1000 then
    raise exception 'Encryption was changed on another device. Try again.' using errcode = 'IC002';
  end if;
  insert into public.encryption_keys as k (user_id, key_id, state, counter, proof)
  values (auth.uid(), store_key_state.key_id, store_key_state.state, store_key_state.counter, store_key_state.proof)
  on conflict on constraint encryption_keys_pkey do update
  set state = excluded.state, counter = excluded.counter, proof = excluded.proof;
  if (select count(*) from public.encryption_keys k where k.user_id = auth.uid()) > 100 then
    raise exception 'Your account is full: it can have had at most 100 prayer keys.' using errcode = 'PT413';
  end if;

  update public.sync_state s
  set key = coalesce((private.current_key(s.user_id)).key_id, 'none') || '.' || store_key_state.counter
  where s.user_id = auth.uid();
  perform private.add_account_usage(auth.uid(), 0, 0, 0, 0, 0, private.row_bytes());
end
$$;

-- Takes a key of the caller to its next state, which devices decide and prove. Repeating a step does nothing.
create function private.set_key_of_caller(given_id text, next_state text, next_counter bigint, given_proof text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  key public.encryption_keys;
  other_states text[];
  is_next boolean;
  texts_left integer := 0;
begin
  perform private.lock_account_of_caller();
  perform private.lock_changes_of_caller();
  select k.* into key from public.encryption_keys k where k.user_id = auth.uid() and k.key_id = given_id;
  if (key.state, key.counter, key.proof) = (next_state, next_counter, given_proof) then return; end if;

  other_states := array(
    select k.state from public.encryption_keys k
    where k.user_id = auth.uid() and k.key_id <> given_id and k.state in ('encrypting', 'on', 'decrypting')
  );
  is_next := case next_state
    when 'encrypting' then (key.state is null and other_states <@ '{on}') or key.state = 'decrypting'
    when 'on' then key.state = 'encrypting' and other_states = '{}'
    when 'decrypting' then key.state in ('encrypting', 'on') and other_states = '{}'
    when 'off' then key.state = 'decrypting'
    when 'replaced' then key.state = 'on' and other_states = '{encrypting}'
  end;
  if is_next is not true then
    raise exception 'Encryption was changed on another device. Try again.' using errcode = 'IC002';
  elsif key.state is null and not private.caller_signed_in_lately() then
    raise exception 'To change your prayer key, please sign in again first.' using errcode = 'PT403';
  end if;

  if next_state in ('on', 'off', 'replaced') then
    select count(*) into texts_left
    from (
      select c.name as text from public.categories c where c.user_id = auth.uid()
      union all
      select listed.text from public.prayers p cross join unnest(array[p.person_name, p.note, p.answer]) as listed (text)
      where p.user_id = auth.uid()
      union all
      select u.body from public.prayer_updates u where u.user_id = auth.uid()
    ) as written
    where written.text <> '' and case next_state
      when 'on' then not starts_with(written.text, 'enc1.' || given_id || '.') or private.sealed_blocks(written.text) is null
      when 'replaced' then starts_with(written.text, 'enc1.' || given_id || '.')
      else starts_with(written.text, 'enc1.') and private.sealed_blocks(written.text) is not null
    end;
  end if;
  if texts_left > 0 then
    raise exception 'Some texts have to be replaced first.' using errcode = 'IC003', detail = texts_left::text;
  end if;
  perform private.store_key_state(given_id, next_state, next_counter, given_proof);
end
$$;

create function public.set_encryption_key(key_id text, state text, counter bigint, proof text) returns void
  language sql
  security invoker
  set search_path = ''
as $$
  select private.set_key_of_caller(key_id, state, counter, proof)
$$;

-- Replaces texts of the caller by their sealed form, by that of another key, or by the plain one. `rows` lists rows with `table`, `id`,
-- `rev` and the texts; those that are missing stay. A row that has another `rev` by now is skipped. Only the texts and `rev` change, not
-- the times of a row, because to its owner it stays the same.
create function public.replace_texts(rows json) returns jsonb
  language plpgsql
  security invoker
  set search_path = ''
as $$
declare
  replaced uuid[];
begin
  perform private.lock_changes_of_caller();
  if json_typeof(rows) is distinct from 'array' then
    raise exception 'The rows to replace are not a list.' using errcode = '22023';
  elsif json_array_length(rows) > 500 or octet_length(rows::text) > 500 * 1000 then
    raise exception 'One request can replace the texts of at most 500 rows, and 500 kB.' using errcode = 'PT413';
  elsif not exists (
    select from public.encryption_keys k
    where k.user_id = (select auth.uid()) and k.state in ('encrypting', 'on', 'decrypting')
  ) then
    raise exception 'Encryption was changed on another device. Try again.' using errcode = 'IC002';
  end if;
  perform set_config('intercede.replacing_texts', 'on', true);
  -- The limit of `limit_changed_rows` is lower.
  perform set_config('intercede.changed_bytes', (-1000 * 1000 * 1000)::text, true);

  with given as materialized (
    select given.* from json_to_recordset(rows) as given (
      "table" text, id uuid, rev bigint, name text, person_name text, note text, answer text, body text
    )
  ), replaced_categories as (
    update public.categories c set name = coalesce(g.name, c.name)
    from given g
    where g."table" = 'categories' and c.id = g.id and c.rev = g.rev and c.user_id = (select auth.uid())
    returning c.id
  ), replaced_prayers as (
    update public.prayers p
    set person_name = coalesce(g.person_name, p.person_name), note = coalesce(g.note, p.note), answer = coalesce(g.answer, p.answer)
    from given g
    where g."table" = 'prayers' and p.id = g.id and p.rev = g.rev and p.user_id = (select auth.uid())
    returning p.id
  ), replaced_updates as (
    update public.prayer_updates u set body = coalesce(g.body, u.body)
    from given g
    where g."table" = 'prayer_updates' and u.id = g.id and u.rev = g.rev and u.user_id = (select auth.uid())
    returning u.id
  )
  select array(
    select id from replaced_categories union all select id from replaced_prayers union all select id from replaced_updates
  ) into replaced;

  perform set_config('intercede.replacing_texts', 'off', true);
  perform set_config('intercede.changed_bytes', '', true);
  return jsonb_build_object(
    'rev', (select s.rev from public.sync_state s where s.user_id = (select auth.uid())),
    'replaced', to_jsonb(replaced),
    'skipped', coalesce((
      select jsonb_agg(given.id) from json_to_recordset(rows) as given (id uuid) where given.id <> all (replaced)
    ), '[]')
  );
end
$$;

-- For a key that is lost on every device: nobody can read what it has sealed.
create function private.abandon_key_of_caller(given_id text, next_counter bigint) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform private.lock_account_of_caller();
  perform private.lock_changes_of_caller();
  if not exists (
    select from public.encryption_keys k
    where k.user_id = auth.uid() and k.key_id = given_id and k.state in ('encrypting', 'on', 'decrypting')
  ) then
    raise exception 'Encryption was changed on another device. Try again.' using errcode = 'IC002';
  elsif not private.caller_signed_in_lately() then
    raise exception 'To change your prayer key, please sign in again first.' using errcode = 'PT403';
  end if;
  perform private.store_key_state(given_id, 'abandoned', next_counter, null);
end
$$;

-- Gives a key up, and deletes what it has sealed: prayers by their name, with all that belongs to them, updates, notes and answers, and
-- categories in which no prayer is left. The others are renamed: to the name given for their id, or to "Category".
create function public.abandon_encryption_key(key_id text, counter bigint, category_names jsonb) returns void
  language plpgsql
  security invoker
  set search_path = ''
  -- It may delete all that an account can hold.
  set statement_timeout = '50s'
as $$
declare
  sealed text := 'enc1.' || key_id || '.';
begin
  perform private.abandon_key_of_caller(key_id, counter);
  -- As much as an account can hold: `limit_changed_rows` must not stop it.
  perform set_config('intercede.changed_bytes', (-1000 * 1000 * 1000)::text, true);

  delete from public.prayers p where p.user_id = (select auth.uid()) and starts_with(p.person_name, sealed);
  delete from public.prayer_updates u where u.user_id = (select auth.uid()) and starts_with(u.body, sealed);
  update public.prayers p
  set note = case when not starts_with(p.note, sealed) then p.note end,
      answer = case when not starts_with(p.answer, sealed) then p.answer end
  where p.user_id = (select auth.uid()) and (starts_with(p.note, sealed) or starts_with(p.answer, sealed));
  delete from public.categories c
  where c.user_id = (select auth.uid()) and starts_with(c.name, sealed)
    and not exists (select from public.prayers p where p.category_id = c.id);
  update public.categories c set name = coalesce(category_names ->> c.id::text, 'Category')
  where c.user_id = (select auth.uid()) and starts_with(c.name, sealed);
  perform set_config('intercede.changed_bytes', '', true);
end
$$;

revoke all on function
  private.current_key(uuid),
  private.require_sealed(),
  private.store_key_state(text, text, bigint, text),
  private.set_key_of_caller(text, text, bigint, text),
  public.set_encryption_key(text, text, bigint, text),
  public.replace_texts(json),
  private.abandon_key_of_caller(text, bigint),
  public.abandon_encryption_key(text, bigint, jsonb)
from public, anon, authenticated;
grant execute on function
  private.set_key_of_caller(text, text, bigint, text),
  public.set_encryption_key(text, text, bigint, text),
  public.replace_texts(json),
  private.abandon_key_of_caller(text, bigint),
  public.abandon_encryption_key(text, bigint, jsonb)
to authenticated;

-- Runs with the rights of its owner, since callers have none in schema `auth`. Columns are named one by one, so that a secret which a
-- later version of the auth server keeps there is not handed out by accident.
create or replace function private.account_of_caller() returns json
  language sql stable
  security definer
  set search_path = ''
as $$
  select json_build_object(
    'id', u.id,
    'email', u.email,
    'email_confirmed_at', u.email_confirmed_at,
    'phone', u.phone,
    'created_at', u.created_at,
    'updated_at', u.updated_at,
    'last_sign_in_at', u.last_sign_in_at,
    'confirmation_sent_at', u.confirmation_sent_at,
    'recovery_sent_at', u.recovery_sent_at,
    'banned_until', u.banned_until,
    'app_metadata', u.raw_app_meta_data,
    'user_metadata', u.raw_user_meta_data,
    'identities', coalesce((
      select json_agg(json_build_object(
        'id', i.id,
        'provider', i.provider,
        'provider_id', i.provider_id,
        'identity_data', i.identity_data,
        'created_at', i.created_at,
        'updated_at', i.updated_at,
        'last_sign_in_at', i.last_sign_in_at
      ) order by i.created_at, i.id)
      from auth.identities i where i.user_id = u.id
    ), '[]'),
    'factors', coalesce((
      select json_agg(json_build_object(
        'id', f.id,
        'factor_type', f.factor_type,
        'friendly_name', f.friendly_name,
        'status', f.status,
        'created_at', f.created_at,
        'updated_at', f.updated_at,
        'last_challenged_at', f.last_challenged_at
      ) order by f.created_at, f.id)
      from auth.mfa_factors f where f.user_id = u.id
    ), '[]'),
    'sessions', coalesce((
      select json_agg(json_build_object(
        'id', s.id,
        'created_at', s.created_at,
        'last_used_at', coalesce(s.refreshed_at at time zone 'UTC', s.created_at),
        'ends_at', s.not_after,
        'user_agent', s.user_agent,
        'ip', host(s.ip),
        'signed_in_by', coalesce((
          select json_agg(m.authentication_method order by m.created_at, m.authentication_method)
          from auth.mfa_amr_claims m where m.session_id = s.id
        ), '[]')
      ) order by s.created_at, s.id)
      from auth.sessions s where s.user_id = u.id
    ), '[]'),
    'reminders', coalesce((
      select json_agg(to_jsonb(r) - 'user_id' order by r.remind_at, r.id) from public.reminders r where r.user_id = u.id
    ), '[]'),
    'push_subscriptions', coalesce((
      select json_agg(json_build_object(
        'session_id', p.session_id,
        'service', split_part(p.endpoint, '/', 3),
        'created_at', p.created_at
      ) order by p.created_at, p.id)
      from private.push_subscriptions p where p.user_id = u.id
    ), '[]'),
    'encryption_keys', coalesce((
      select json_agg(json_build_object('key_id', k.key_id, 'state', k.state, 'counter', k.counter) order by k.counter)
      from public.encryption_keys k where k.user_id = u.id
    ), '[]')
  )
  from auth.users u
  where u.id = (select private.require_second_factor())
$$;

-- `import_prayers` for an encrypted account, whose names and notes only its devices can compare. A device has looked for what is there already,
-- and has sealed the texts for the ids that the rows will have, which it knows: `data` has these ids. What exists under its id stays as
-- it is, so several calls can bring the parts of one file.
create function public.import_sealed(data json) returns jsonb
  language plpgsql
  security invoker
  set search_path = ''
  -- As for `import_prayers`.
  set enable_nestloop = off
  set work_mem = '1MB'
  set statement_timeout = '50s'
  set plan_cache_mode = force_generic_plan
  set enable_hashagg = off
as $$
declare
  categories json := data -> 'categories';
  prayers json := data -> 'prayers';
  result jsonb;
  prayers_of_days uuid[];
  days date[];
begin
  perform private.require_second_factor();
  if json_typeof(categories) is distinct from 'array' or json_typeof(prayers) is distinct from 'array' then
    raise exception 'The data to import has no lists of categories and prayers.' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('import_prayers:' || auth.uid()::text, 0));
  perform set_config('intercede.recreate_rows', 'on', true);

  with own_categories as materialized (
    select c.id, c."order" from public.categories c where c.user_id = (select auth.uid())
  ), new_categories as materialized (
    select jsonb_populate_record(given, jsonb_build_object(
      'user_id', (select auth.uid()),
      'order', least(
        coalesce((select max(o."order") from own_categories o), 0)
          + row_number() over (order by given."order", given.created_at, given.id),
        2147483647
      )
    )) as category
    from json_populate_recordset(null::public.categories, categories) as given
    where not exists (select from own_categories o where o.id = given.id)
  ), added_categories as (
    insert into public.categories select (n.category).* from new_categories n
  ), given_prayers as materialized (
    select given as fields, given.id, listed.prayer -> 'updates' as updates, listed.prayer -> 'prayed_days' as prayed_days
    from json_array_elements(prayers) as listed (prayer)
    cross join lateral json_populate_record(null::public.prayers, listed.prayer) as given
  ), new_prayers as materialized (
    select g.fields from given_prayers g
    where not exists (select from public.prayers p where p.id = g.id and p.user_id = (select auth.uid()))
  ), added_prayers as (
    insert into public.prayers
    select prayer.*
    from new_prayers n
    cross join lateral jsonb_populate_record(
      n.fields, jsonb_build_object('user_id', (select auth.uid()), 'last_prayed_on', null, 'times_prayed', 0)
    ) as prayer
  ), new_updates as materialized (
    select given as fields, g.id as prayer_id
    from given_prayers g
    cross join lateral json_populate_recordset(null::public.prayer_updates, coalesce(g.updates, '[]')) as given
    where not exists (select from public.prayer_updates u where u.id = given.id and u.user_id = (select auth.uid()))
  ), added_updates as (
    insert into public.prayer_updates
    select written.*
    from new_updates n
    cross join lateral jsonb_populate_record(
      n.fields, jsonb_build_object('user_id', (select auth.uid()), 'prayer_id', n.prayer_id)
    ) as written
  ), new_days as materialized (
    select g.id as prayer_id, listed.day::date as day
    from given_prayers g
    cross join lateral json_array_elements_text(coalesce(g.prayed_days, '[]')) as listed (day)
    except
    select own.prayer_id, own.day from private.prayed_days_of_caller() own
  )
  select jsonb_build_object(
    'categories_added', (select count(*) from new_categories),
    'prayers_added', (select count(*) from new_prayers),
    'updates_added', (select count(*) from new_updates),
    'prayed_days_added', (select count(*) from new_days)
  ), (select array_agg(d.prayer_id) from new_days d), (select array_agg(d.day) from new_days d)
  into result, prayers_of_days, days;

  perform private.record_prayed_days(prayers_of_days, days);
  perform set_config('intercede.recreate_rows', 'off', true);
  return result;
end
$$;

revoke all on function public.import_sealed(json) from public, anon, authenticated;
grant execute on function public.import_sealed(json) to authenticated;
