-- The caller's account and everything that belongs to it, gone for good. Prayers, categories, identities, sessions, refresh tokens and
-- mailed links go with the account, by their foreign keys.
--
-- It takes a sign-in of the last five minutes. Tokens do not always state when that was: a hook of a Supabase project can remove the
-- claim, and sessions that were moved from elsewhere have none. The start of the session counts then; otherwise their users would be
-- asked to sign in again and again.

-- Whether the claims state a sign-in within the five minutes before `at`. Neither renewing a session nor a link to set a new password
-- counts: the session of such a link is for nothing else. Nor does a second factor, which whoever holds a stolen token may have added. A clock
-- that is ahead of the database's by up to a minute is accepted.
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
    and coalesce(method ->> 'method', '') not in (
      'token_refresh', 'recovery', 'totp', 'mfa/phone', 'mfa/webauthn', 'recovery_code'
    )
$$;

-- Whether the claims state when their owner has signed in.
create function private.states_sign_in(claims jsonb) returns boolean
  language sql immutable
  set search_path = ''
as $$
  select exists (
    select from jsonb_array_elements(
      case when jsonb_typeof(claims -> 'amr') = 'array' then claims -> 'amr' else '[]' end
    ) as listed (method)
    where jsonb_typeof(method -> 'timestamp') = 'number'
  )
$$;

-- Runs with the rights of its owner, since callers have none in schema `auth`. Reads only the caller's own session.
create function private.caller_signed_in_lately() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  perform private.require_second_factor();
  if private.states_sign_in(auth.jwt()) then
    return private.signed_in_lately(auth.jwt(), now());
  end if;
  return exists (
    select from auth.sessions s
    where s.user_id = auth.uid() and s.id::text = auth.jwt() ->> 'session_id'
      and s.created_at between now() - interval '5 minutes' and now() + interval '1 minute'
  );
end
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
    'signed_in_lately', private.caller_signed_in_lately()
  )
$$;

-- Runs with the rights of its owner, since callers have none in schema `auth`. It requires the recent sign-in itself: there is no way
-- around that.
create function private.delete_account_of_caller() returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform private.lock_account_of_caller();
  if not private.caller_signed_in_lately() then
    raise exception 'To delete your account, please sign in again first.' using errcode = 'PT403';
  end if;
  delete from auth.users where id = auth.uid();
end
$$;

create function public.delete_account() returns void
  language sql
  security invoker
  set search_path = ''
as $$
  select private.delete_account_of_caller()
$$;

revoke all on function
  private.caller_signed_in_lately(),
  public.preview_account_deletion(),
  private.delete_account_of_caller(),
  public.delete_account()
from public, anon, authenticated;
grant execute on function
  private.caller_signed_in_lately(),
  public.preview_account_deletion(),
  private.delete_account_of_caller(),
  public.delete_account()
to authenticated;
