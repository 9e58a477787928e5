-- What an export contains that devices do not have: the account, and the days on which the caller prayed each prayer, by its id.
create function public.export_supplement() returns json
  language sql stable
  security invoker
  set search_path = ''
as $$
  select json_build_object(
    'account', private.account_of_caller(),
    'prayed_days', coalesce((
      select json_object_agg(prayed.prayer_id, prayed.days)
      from (
        select d.prayer_id, json_agg(d.day order by d.day) as days
        from private.prayed_days_of_caller() d group by d.prayer_id
      ) as prayed
    ), '{}')
  )
$$;

revoke all on function public.export_supplement() from public, anon, authenticated;
grant execute on function public.export_supplement() to authenticated;
