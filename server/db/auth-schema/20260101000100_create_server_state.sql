-- What this server itself has to remember, shared by all its replicas: signing secret and keys, rate limits.
create schema if not exists intercede;
revoke all on schema intercede from public;

create table intercede.settings (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);
revoke all on intercede.settings from public, anon, authenticated;

-- Raised inside a statement that promised exactly one row, so that its transaction is undone in the same round trip.
create function intercede.require_single_row(row_count bigint) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  if row_count <> 1 then
    raise exception 'Cannot coerce the result to a single JSON object'
      using errcode = 'PT406', detail = format('The result contains %s rows', row_count);
  end if;
end
$$;
grant usage on schema intercede to anon, authenticated;
grant execute on function intercede.require_single_row(bigint) to anon, authenticated;
