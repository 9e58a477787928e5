-- The caller's account and everything that belongs to it, gone for good. Prayers, categories, identities, sessions,
-- refresh tokens and mailed links go with the account, by their foreign keys.

-- Whether the token's owner has proved who they are within the last five minutes before `at`, by whatever means. Renewing
-- a session leaves these times as they are, so a token says so however new it is itself. A clock that runs ahead of the
-- database's by up to a minute is forgiven.
create function private.signed_in_lately(claims jsonb, at timestamptz) returns boolean
  language sql immutable
  set search_path = ''
as $$
  select coalesce(bool_or(
    (method ->> 'timestamp')::double precision
      between extract(epoch from at) - 300 and extract(epoch from at) + 60
  ), false)
  from jsonb_array_elements(
    case when jsonb_typeof(claims -> 'amr') = 'array' then claims -> 'amr' else '[]' end
  ) as listed (method)
  where jsonb_typeof(method -> 'timestamp') = 'number'
    and method ->> 'method' is distinct from 'token_refresh'
$$;

-- What deleting the account would take along, and whether the caller may do it without signing in again.
create function public.preview_account_deletion() returns jsonb
  language sql stable
  security invoker
  set search_path = ''
as $$
  select jsonb_build_object(
    'prayers', (select count(*) from public.prayers p where p.user_id = (select auth.uid())),
    'categories', (select count(*) from public.categories c where c.user_id = (select auth.uid())),
    'signed_in_lately', private.signed_in_lately((select auth.jwt()), now())
  )
$$;

revoke all on function public.preview_account_deletion() from public, anon, authenticated;
grant execute on function public.preview_account_deletion() to authenticated;

-- Runs with the rights of its owner, since callers have none in schema `auth`. It lives in `private`, which the API does
-- not reach, takes no argument, and asks for the fresh sign-in itself: there is no way around that.
create function private.delete_account_of_caller() returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if not private.signed_in_lately(auth.jwt(), now()) then
    raise exception 'To delete your account, please sign in again first.' using errcode = 'PT403';
  end if;
  delete from auth.users where id = auth.uid();
end
$$;

revoke all on function private.delete_account_of_caller() from public, anon, authenticated;
grant execute on function private.delete_account_of_caller() to authenticated;

create function public.delete_account() returns void
  language sql
  security invoker
  set search_path = ''
as $$
  select private.delete_account_of_caller()
$$;

revoke all on function public.delete_account() from public, anon, authenticated;
grant execute on function public.delete_account() to authenticated;
