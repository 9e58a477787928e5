-- Development versions of 0.2.0 had applied 20261122000100_create_account_quota.sql before it counted text as exports carry it. This
-- brings their databases to the same state; in all others it changes nothing. `track_prayer_usage` needs no repair: it was
-- replaced in 20261122130400_limit_updates_and_prayed_days.sql.
create or replace function private.text_bytes(value text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select coalesce(octet_length(to_json(value)::text), 0)
$$;

create or replace function private.track_category_usage() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_account_usage(user_id, count(*)::integer, 0, sum(private.text_bytes(name)))
    from new_rows group by user_id;
  elsif tg_op = 'DELETE' then
    perform private.add_account_usage(user_id, -count(*)::integer, 0, -sum(private.text_bytes(name)))
    from old_rows group by user_id;
  else
    perform private.add_account_usage(user_id, 0, 0, sum(bytes)::bigint)
    from (
      select user_id, private.text_bytes(name) as bytes from new_rows
      union all
      select user_id, -private.text_bytes(name) from old_rows
    ) as changes group by user_id;
  end if;
  return null;
end
$$;

-- Writes wait until the text is counted.
lock table public.categories, public.prayers, public.prayer_updates in share row exclusive mode;

with counted as (
  select user_id, sum(bytes) as bytes
  from (
    select user_id, private.text_bytes(name) as bytes from public.categories
    union all
    select user_id, private.text_bytes(person_name) + private.text_bytes(note) + private.text_bytes(answer) from public.prayers
    union all
    select user_id, private.text_bytes(body) from public.prayer_updates
  ) as texts group by user_id
)
update private.account_usage as u set text_bytes = c.bytes
from counted c
where c.user_id = u.user_id and c.bytes <> u.text_bytes;
