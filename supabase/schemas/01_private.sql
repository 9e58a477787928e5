-- What the app keeps to itself. The API serves everything in schema `public` and nothing in `private`, which has the functions
-- behind triggers and API functions, and the tables that no user reads.
--
-- Functions in `public` run with the rights of their caller. Those in `private` that users can call and that run with the rights of
-- their owner (`security definer`) take no user as an argument: they use `auth.uid()`, the user whose token was verified. All
-- functions have an empty search_path, so that nobody can redirect them.
create schema private;

-- Triggers run with the rights of whoever writes the row, a service role included.
grant usage on schema private to public;

-- White space as JavaScript's String.prototype.trim sees it, so that both sides agree on what is empty.
create function private.trim_whitespace(value text) returns text
  language sql immutable parallel safe strict
  set search_path = ''
as $$
  select btrim(value, U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF')
$$;

-- Two-factor sign-in: a user with a verified authenticator app needs a token for which a code was given (`aal2`). Returns the caller, and
-- raises an error instead of hiding rows, because a device that is sent no rows takes the server for emptied. Every table with a user's data
-- has it in a restrictive policy, and every function that runs with its owner's rights calls it.
--
-- The policies compare it with the owner of a row, as the others do with `auth.uid()`. PostgreSQL then compares the two once per statement,
-- before it looks for rows: otherwise, the error would tell whether any were found.
create function private.require_second_factor() returns uuid
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  if exists (
    select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified'
  ) and (auth.jwt() ->> 'aal' is distinct from 'aal2' or not exists (
    select from auth.sessions s
    where s.id = nullif(auth.jwt() ->> 'session_id', '')::uuid and s.user_id = auth.uid() and s.aal = 'aal2'
  )) then
    raise exception 'This account needs the code from your authenticator app.' using errcode = 'PT401';
  end if;
  return auth.uid();
end
$$;

revoke all on function private.require_second_factor() from public, anon, authenticated;
grant execute on function private.require_second_factor() to authenticated;

-- Called before a change of the caller's account: whatever else changes the account waits until the transaction has ended. What allows
-- the change is asked under this lock, because it may have changed since the request arrived: two-factor sign-in may have been turned
-- on, or the session ended. Its owner's rights are those of the functions that call it.
create function private.lock_account_of_caller() returns void
  language plpgsql
  set search_path = ''
as $$
declare
  session uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
begin
  perform from auth.users u where u.id = auth.uid() for no key update;
  perform private.require_second_factor();
  perform from auth.sessions s where s.id = session and s.user_id = auth.uid() for no key update;
  if session is not null and not found then
    raise exception 'The session has ended' using errcode = 'PT401';
  end if;
end
$$;

revoke all on function private.lock_account_of_caller() from public, anon, authenticated;
