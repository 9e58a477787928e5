-- Encryption (docs/encryption.md): the prayer keys that an account has had, and what the database does with sealed texts, which it cannot
-- read. It sees to it that no plain text is stored while encryption is on, and no sealed one while it is off. An account without a key
-- is none of its business.
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
-- categories in which no prayer is left. The others get the name given for their id. Those without one become "Category" once no key is in
-- use: another one would have to seal that name, or may be given up next, with what is left in them.
create function public.abandon_encryption_key(key_id text, counter bigint, category_names jsonb) returns void
  language plpgsql
  security invoker
  set search_path = ''
  -- It may delete all that an account can hold.
  set statement_timeout = '50s'
as $$
declare
  sealed text := 'enc1.' || key_id || '.';
  all_sealed text[];
  is_last boolean;
begin
  perform private.abandon_key_of_caller(key_id, counter);
  select array_agg('enc1.' || k.key_id || '.') filter (where k.state = 'abandoned'),
         bool_and(k.state not in ('encrypting', 'on', 'decrypting'))
  into all_sealed, is_last
  from public.encryption_keys k where k.user_id = (select auth.uid());
  -- As much as an account can hold: `limit_changed_rows` must not stop it.
  perform set_config('intercede.changed_bytes', (-1000 * 1000 * 1000)::text, true);

  delete from public.prayers p where p.user_id = (select auth.uid()) and starts_with(p.person_name, sealed);
  delete from public.prayer_updates u where u.user_id = (select auth.uid()) and starts_with(u.body, sealed);
  update public.prayers p
  set note = case when not starts_with(p.note, sealed) then p.note end,
      answer = case when not starts_with(p.answer, sealed) then p.answer end
  where p.user_id = (select auth.uid()) and (starts_with(p.note, sealed) or starts_with(p.answer, sealed));
  delete from public.categories c
  where c.user_id = (select auth.uid()) and c.name ^@ any (all_sealed)
    and not exists (select from public.prayers p where p.category_id = c.id);
  update public.categories c set name = coalesce(category_names ->> c.id::text, 'Category')
  where c.user_id = (select auth.uid()) and c.name ^@ any (all_sealed)
    and (is_last or category_names ->> c.id::text is not null);
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
