-- Sessions that were ended on purpose: by signing out, here or elsewhere, a new password, linking X, or deleting the account. Their devices
-- delete what they have of the account. A session that the server has lost, because it was restored from a backup, must not look like
-- that: the device may have the only copy of what the backup lacks.
create table intercede.ended_sessions (
  -- See intercede.session_hash.
  session_hash bytea primary key,
  -- SHA-256 of the account's id.
  account_hash bytea not null,
  ended_at timestamptz not null
);
create index ended_sessions_account_hash_idx on intercede.ended_sessions (account_hash, ended_at);
-- For clean-up.
create index ended_sessions_ended_at_idx on intercede.ended_sessions (ended_at);
revoke all on intercede.ended_sessions from public, anon, authenticated;

-- Recognises the session of a refresh token by its end, which all tokens of the session share and nobody else knows.
create function intercede.session_hash(token text) returns bytea
  language sql immutable
  set search_path = ''
as $$
  select sha256(convert_to(right(token, 26), 'UTF8'))
$$;

-- Called for a refresh token that is unknown.
create function intercede.is_of_ended_session(token text) returns boolean
  language plpgsql
  set search_path = ''
as $$
begin
  return exists (select from intercede.ended_sessions e where e.session_hash = intercede.session_hash(token));
end
$$;

-- Clean-up deletes the tokens of unused sessions first, so that there is nothing to remember of these. TRUNCATE is not noticed either.
create function intercede.remember_ended_session() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  account bytea := sha256(uuid_send(old.user_id));
begin
  insert into intercede.ended_sessions (session_hash, account_hash, ended_at)
  select distinct intercede.session_hash(t.token), account, now()
  from auth.refresh_tokens t where t.session_id = old.id
  on conflict (session_hash) do update set ended_at = excluded.ended_at;

  -- The newest hundred of an account.
  delete from intercede.ended_sessions e where e.session_hash in (
    select older.session_hash from intercede.ended_sessions older
    where older.account_hash = account
    order by older.ended_at desc, older.session_hash
    offset 100
  );
  return old;
end
$$;
revoke all on function
  intercede.session_hash(text),
  intercede.is_of_ended_session(text),
  intercede.remember_ended_session()
from public;

create trigger remember_ended_session before delete on auth.sessions
  for each row execute function intercede.remember_ended_session();
