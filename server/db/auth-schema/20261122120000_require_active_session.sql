-- Called for each data request whose token names a session, in the caller's transaction: signing out, a new password, linking X,
-- a reused refresh token and deleting the account end access at once, not when the token expires. A session is active while one
-- of its refresh tokens is valid. Each start of the server grants this to the role of data connections.
create function intercede.require_active_session(session uuid) returns void
  language plpgsql stable strict security definer
  set search_path = ''
as $$
begin
  if not exists (select from auth.refresh_tokens t where t.session_id = session and not t.revoked) then
    raise exception 'The session has ended' using errcode = 'PT401';
  end if;
end
$$;
revoke all on function intercede.require_active_session(uuid) from public;
-- That role now has access to the schema, and must still reach nothing else in it.
revoke all on function intercede.require_single_row(bigint) from public;
