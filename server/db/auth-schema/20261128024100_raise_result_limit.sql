-- 16 MiB: a list of texts that are sealed with a prayer key, which takes a third more than in plain.
create or replace function intercede.add_result_bytes(total bigint, bytes integer) returns bigint
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
begin
  if total + bytes > 16 * 1024 * 1024 then
    raise exception 'The result is larger than 16 MiB' using errcode = '54000', hint = 'Request fewer rows or columns.';
  end if;
  return total + bytes;
end
$$;
