-- An account may have two keys in use that are both lost. A category that the first one has sealed, with prayers of the second one, could
-- not be renamed: that the name is plain was refused, and so neither key could be given up.
create or replace function public.abandon_encryption_key(key_id text, counter bigint, category_names jsonb) returns void
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
