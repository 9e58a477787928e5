-- One use of a refresh token, in one call: the decision and all that follows from it.
--
-- Each statement in here sees what others have committed before it, and the session's row is locked first, so two
-- tabs that refresh at once are served one after the other. The rules are those of GoTrue's tokens/service.go:
--   * a token that is not revoked is exchanged for a child;
--   * a revoked one that is the parent of the active token gets that active token again, at any age: the client
--     never received the answer, or another tab was faster;
--   * any other revoked one still gets a child within the reuse interval;
--   * later than that somebody else has it: the whole family is revoked.
-- Stricter than GoTrue in one point: a revoked family stays dead, where GoTrue would serve its last token for one
-- more reuse interval.
create function intercede.rotate_refresh_token(
  presented text,
  replacement text,
  at timestamptz,
  reuse_interval interval,
  agent text,
  address inet,
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
  active auth.refresh_tokens;
  ends_at timestamptz;
  banned_until timestamptz;
begin
  select t.session_id, t.user_id::uuid into session, account
  from auth.refresh_tokens t where t.token = presented;
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

  select t.* into given from auth.refresh_tokens t where t.token = presented;
  if given.revoked then
    select t.* into active from auth.refresh_tokens t
    where t.session_id = session and not t.revoked
    order by t.id desc limit 1;
    if active.parent = presented then
      issued := active.token;
    elsif active.id is null or given.updated_at + reuse_interval < at then
      update auth.refresh_tokens t set revoked = true, updated_at = at
      where t.session_id = session and not t.revoked;
      outcome := 'refresh_token_already_used';
      return;
    end if;
  else
    update auth.refresh_tokens t set revoked = true, updated_at = at where t.id = given.id;
  end if;

  if issued is null then
    issued := replacement;
    insert into auth.refresh_tokens (token, user_id, revoked, created_at, updated_at, parent, session_id)
    values (issued, account::text, false, at, at, presented, session);
  end if;
  update auth.sessions s
  set refreshed_at = at at time zone 'UTC', updated_at = at, user_agent = agent, ip = address
  where s.id = session;
  outcome := 'issued';
end
$$;
revoke all on function intercede.rotate_refresh_token(text, text, timestamptz, interval, text, inet) from public;
