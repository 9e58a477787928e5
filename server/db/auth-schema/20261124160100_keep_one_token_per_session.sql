-- A session has one valid refresh token, and stores few used ones, however often it is refreshed.
--
-- Its tokens end alike: the last 26 characters of each are the same random text, which nobody else knows. A used token is thereby
-- recognised long after its row was deleted, and ends the session. Tokens of 12 characters, from before, have no such end; their
-- rows stay until clean-up deletes them.

-- Formerly, a token that was used again could get a second child.
update auth.refresh_tokens older set revoked = true
where not older.revoked and exists (
  select from auth.refresh_tokens newer
  where newer.session_id = older.session_id and newer.id > older.id and not newer.revoked
);
create unique index refresh_tokens_active_key on auth.refresh_tokens (session_id) where not revoked;
create index refresh_tokens_ending_idx on auth.refresh_tokens (right(token, 26));

-- One use of a refresh token, in one call: the decision and all that follows from it.
--
-- Each statement in here sees what others have committed before it, and the session's row is locked first, so two tabs that refresh
-- at once are served one after the other.
--   * A token that is not revoked is exchanged for a child. A session gets a limited number of them per minute.
--   * A revoked one that is the parent of the active token gets that active token again, at any age: the client never received the
--     response, or another tab was faster. Within the reuse interval, any revoked one gets its own child again. Neither changes
--     anything, so neither is limited.
--   * Any other one has been stolen, or somebody else has its successor: the whole session is revoked, and stays so.
drop function intercede.rotate_refresh_token(text, text, timestamptz, interval, text, inet);
create function intercede.rotate_refresh_token(
  presented text,
  replacement text,
  at timestamptz,
  reuse_interval interval,
  agent text,
  address inet,
  exchanges_per_minute integer default 10,
  out outcome text,
  out issued text,
  out session uuid,
  out account uuid
)
  language plpgsql
  set search_path = ''
  set lock_timeout = '5s'
as $$
declare
  given auth.refresh_tokens;
  ends_at timestamptz;
  banned_until timestamptz;
begin
  select t.session_id, t.user_id::uuid into session, account
  from auth.refresh_tokens t where right(t.token, 26) = right(presented, 26) limit 1;
  if not found then
    outcome := 'refresh_token_not_found';
    return;
  end if;

  select u.banned_until into banned_until from auth.users u where u.id = account;
  if banned_until > at then
    outcome := 'user_banned';
    return;
  end if;

  select s.not_after into ends_at from auth.sessions s where s.id = session for no key update;
  if not found then
    outcome := 'session_not_found';
    return;
  end if;
  if ends_at < at then
    outcome := 'session_expired';
    return;
  end if;

  -- Giving a second factor, for which this may have waited, replaces all tokens of the session.
  if not exists (
    select from auth.refresh_tokens t where t.session_id = session and right(t.token, 26) = right(presented, 26)
  ) then
    outcome := 'refresh_token_not_found';
    return;
  end if;

  select t.* into given from auth.refresh_tokens t where t.token = presented;
  if not given.revoked then
    if exchanges_per_minute <= (
      select count(*) from auth.refresh_tokens t
      where t.session_id = session and t.parent <> '' and t.created_at between at - interval '1 minute' and at
    ) then
      outcome := 'over_request_rate_limit';
      return;
    end if;
    update auth.refresh_tokens t set revoked = true, updated_at = at where t.id = given.id;
    insert into auth.refresh_tokens (token, user_id, revoked, created_at, updated_at, parent, session_id)
    values (replacement, account::text, false, at, at, presented, session);
    -- The limit counts those of the last minute.
    delete from auth.refresh_tokens t
    where t.session_id = session and t.revoked and t.token <> presented
      and right(t.token, 26) = right(presented, 26)
      and t.updated_at < at - greatest(reuse_interval, interval '1 minute');
    update auth.sessions s
    set refreshed_at = at at time zone 'UTC', updated_at = at, user_agent = agent, ip = address
    where s.id = session;
    issued := replacement;
    outcome := 'issued';
    return;
  end if;

  select child.token into issued
  from auth.refresh_tokens child
  join auth.refresh_tokens active on active.session_id = session and not active.revoked
  where child.session_id = session and child.parent = presented
    and (child.id = active.id or given.updated_at + reuse_interval >= at);
  if found then
    outcome := 'issued';
    return;
  end if;

  update auth.refresh_tokens t set revoked = true, updated_at = at where t.session_id = session and not t.revoked;
  outcome := 'refresh_token_already_used';
end
$$;
revoke all on function
  intercede.rotate_refresh_token(text, text, timestamptz, interval, text, inet, integer) from public;
