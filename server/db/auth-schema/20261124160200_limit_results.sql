-- The rows that a data request returns have at most 14 MiB as JSON: a full list of one account fits. It is an aggregate, so that a
-- larger result fails while its rows are read, before it takes memory.
create function intercede.add_result_bytes(total bigint, bytes integer) returns bigint
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
begin
  if total + bytes > 14 * 1024 * 1024 then
    raise exception 'The result is larger than 14 MiB' using errcode = '54000', hint = 'Request fewer rows or columns.';
  end if;
  return total + bytes;
end
$$;

create aggregate intercede.limit_result_bytes(bytes integer) (
  sfunc = intercede.add_result_bytes,
  stype = bigint,
  initcond = '0'
);

revoke all on function intercede.add_result_bytes(bigint, integer) from public;
revoke all on function intercede.limit_result_bytes(integer) from public;
grant execute on function intercede.add_result_bytes(bigint, integer) to anon, authenticated;
grant execute on function intercede.limit_result_bytes(integer) to anon, authenticated;
