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
