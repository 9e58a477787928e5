-- As before, but says “1 minute” instead of “1 minutes”.
create or replace function private.require_unused_hour(owner uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  seconds integer;
  minutes integer;
begin
  select ceil(extract(epoch from u.written_since + interval '1 hour' - now())) into seconds
  from private.account_usage u
  where u.user_id = owner
    and u.written_bytes >= 200 * 1000 * 1000
    and u.written_since > now() - interval '1 hour'
    and u.xmin is distinct from pg_current_xact_id_if_assigned()::xid;
  if not found then return; end if;
  minutes := ceil(seconds / 60.0);

  -- PostgREST turns the two JSON texts of this error into the response.
  raise sqlstate 'PGRST' using
    message = json_build_object(
      'code', 'PT429',
      'message', format(
        'Your account has changed too much within an hour. Try again in %s %s.',
        minutes, case minutes when 1 then 'minute' else 'minutes' end
      )
    )::text,
    detail = json_build_object('status', 429, 'headers', json_build_object('Retry-After', seconds::text))::text;
end
$$;
