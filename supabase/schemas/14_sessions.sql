-- Where the caller is signed in, and signing out there. Without network addresses: they say little to most people, and much to
-- somebody else who has got in. What a session's end means for its device is up to the auth server; the rows of ours are in
-- server/db/auth-schema.

-- The last used first. Not those that have come to their end, nor those whose tokens were revoked because one was used twice (a
-- session without any has them elsewhere). Runs with the rights of its owner, since callers have none in schema `auth`.
create function private.sessions_of_caller() returns jsonb
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', listed.id,
    'created_at', listed.created_at,
    'last_used_at', listed.last_used_at,
    'user_agent', listed.user_agent,
    'is_current', listed.is_current
  ) order by listed.last_used_at desc, listed.id), '[]')
  from (
    select s.id, s.created_at, coalesce(s.refreshed_at at time zone 'UTC', s.created_at) as last_used_at, s.user_agent,
           coalesce(s.id::text = auth.jwt() ->> 'session_id', false) as is_current
    from auth.sessions s
    where s.user_id = (select private.require_second_factor()) and (s.not_after is null or s.not_after > now())
      and coalesce((select bool_or(not t.revoked) from auth.refresh_tokens t where t.session_id = s.id), true)
  ) as listed
$$;

create function public.list_sessions() returns jsonb
  language sql stable
  security invoker
  set search_path = ''
as $$
  select private.sessions_of_caller()
$$;

-- Runs with the rights of its owner, since callers have none in schema `auth`. Does nothing to a session that is not the caller's, or
-- has ended already.
create function private.end_session_of_caller(session_id uuid) returns void
  language sql
  security definer
  set search_path = ''
as $$
  select private.lock_account_of_caller();
  delete from auth.sessions s where s.id = end_session_of_caller.session_id and s.user_id = auth.uid()
$$;

create function public.end_session(session_id uuid) returns void
  language sql
  security invoker
  set search_path = ''
as $$
  select private.end_session_of_caller(session_id)
$$;

revoke all on function
  private.sessions_of_caller(),
  public.list_sessions(),
  private.end_session_of_caller(uuid),
  public.end_session(uuid)
from public, anon, authenticated;
grant execute on function
  private.sessions_of_caller(),
  public.list_sessions(),
  private.end_session_of_caller(uuid),
  public.end_session(uuid)
to authenticated;
