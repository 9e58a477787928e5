-- Everything that is stored about the caller, as one document of one moment: two devices can't make it contradict itself.
-- docs/export-format.md describes it.

-- Runs with the rights of its owner, since callers have none in schema `auth`. Columns are named one by one, so that a secret which a
-- later version of the auth server keeps there is not handed out by accident.
create function private.account_of_caller() returns json
  language sql stable
  security definer
  set search_path = ''
as $$
  select json_build_object(
    'id', u.id,
    'email', u.email,
    'email_confirmed_at', u.email_confirmed_at,
    'phone', u.phone,
    'created_at', u.created_at,
    'updated_at', u.updated_at,
    'last_sign_in_at', u.last_sign_in_at,
    'confirmation_sent_at', u.confirmation_sent_at,
    'recovery_sent_at', u.recovery_sent_at,
    'banned_until', u.banned_until,
    'app_metadata', u.raw_app_meta_data,
    'user_metadata', u.raw_user_meta_data,
    'identities', coalesce((
      select json_agg(json_build_object(
        'id', i.id,
        'provider', i.provider,
        'provider_id', i.provider_id,
        'identity_data', i.identity_data,
        'created_at', i.created_at,
        'updated_at', i.updated_at,
        'last_sign_in_at', i.last_sign_in_at
      ) order by i.created_at, i.id)
      from auth.identities i where i.user_id = u.id
    ), '[]'),
    'factors', coalesce((
      select json_agg(json_build_object(
        'id', f.id,
        'factor_type', f.factor_type,
        'friendly_name', f.friendly_name,
        'status', f.status,
        'created_at', f.created_at,
        'updated_at', f.updated_at,
        'last_challenged_at', f.last_challenged_at
      ) order by f.created_at, f.id)
      from auth.mfa_factors f where f.user_id = u.id
    ), '[]'),
    'sessions', coalesce((
      select json_agg(json_build_object(
        'id', s.id,
        'created_at', s.created_at,
        'last_used_at', coalesce(s.refreshed_at at time zone 'UTC', s.created_at),
        'ends_at', s.not_after,
        'user_agent', s.user_agent,
        'ip', host(s.ip),
        'signed_in_by', coalesce((
          select json_agg(m.authentication_method order by m.created_at, m.authentication_method)
          from auth.mfa_amr_claims m where m.session_id = s.id
        ), '[]')
      ) order by s.created_at, s.id)
      from auth.sessions s where s.user_id = u.id
    ), '[]'),
    'reminders', coalesce((
      select json_agg(to_jsonb(r) - 'user_id' order by r.remind_at, r.id) from public.reminders r where r.user_id = u.id
    ), '[]'),
    'push_subscriptions', coalesce((
      select json_agg(json_build_object(
        'session_id', p.session_id,
        'service', split_part(p.endpoint, '/', 3),
        'created_at', p.created_at
      ) order by p.created_at, p.id)
      from private.push_subscriptions p where p.user_id = u.id
    ), '[]'),
    'encryption_keys', coalesce((
      select json_agg(json_build_object('key_id', k.key_id, 'state', k.state, 'counter', k.counter) order by k.counter)
      from public.encryption_keys k where k.user_id = u.id
    ), '[]')
  )
  from auth.users u
  where u.id = (select private.require_second_factor())
$$;

-- The app makes exports from the data on the device and calls `export_supplement` for the rest. This function is for the app of version
-- 0.2.0, which calls it, and stays in use after an update of the database: in open tabs, on devices that start from their own copy of the
-- app, and on Supabase until the new site is uploaded. It can go in the release after the next one.
--
-- Covers every column without listing them, so that a column added later is included by itself, except the owner, who is the account
-- in the file, and the numbers of changes, which mean nothing in another account. `last_prayed_on` and `times_prayed` are for
-- readers; an import counts the days instead.
create function public.export_account() returns json
  language sql stable
  security invoker
  set search_path = ''
  -- PostgreSQL assumes that few prayers have updates or days, and would look for those of each prayer one by one.
  set enable_nestloop = off
as $$
  select json_build_object(
    'format', 'intercede-export',
    'version', 3,
    'exported_at', now(),
    'account', private.account_of_caller(),
    'categories', coalesce((
      select json_agg(to_jsonb(c) - '{user_id,rev}'::text[] order by c."order", c.created_at, c.id)
      from public.categories c where c.user_id = (select auth.uid())
    ), '[]'),
    'prayers', coalesce((
      select json_agg(
        to_jsonb(p) - '{user_id,rev,written_rev}'::text[] || jsonb_build_object(
          'updates', coalesce(written.updates, '[]'), 'prayed_days', coalesce(prayed.days, '[]')
        ) order by p.created_at desc, p.id desc
      )
      from public.prayers p
      left join (
        select u.prayer_id, jsonb_agg(
          to_jsonb(u) - '{user_id,rev,prayer_id}'::text[] order by u.created_at desc, u.id desc
        ) as updates
        from public.prayer_updates u where u.user_id = (select auth.uid()) group by u.prayer_id
      ) written on written.prayer_id = p.id
      left join (
        select d.prayer_id, jsonb_agg(d.day order by d.day) as days
        from private.prayed_days_of_caller() d group by d.prayer_id
      ) prayed on prayed.prayer_id = p.id
      where p.user_id = (select auth.uid())
    ), '[]')
  )
$$;

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

-- Supabase grants new functions to its roles by name, so taking them from `public` alone would not do.
revoke all on function private.account_of_caller(), public.export_account(), public.export_supplement()
from public, anon, authenticated;
grant execute on function private.account_of_caller(), public.export_account(), public.export_supplement() to authenticated;
