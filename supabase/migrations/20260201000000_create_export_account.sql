-- Everything that is stored about the caller, as one document of one moment: two devices can't make it contradict
-- itself. docs/export-format.md describes it.
--
-- What a person may read of schema `auth` is put together by a function that runs with the rights of its owner. It lives
-- in `private`, which the API does not reach, takes no argument and speaks of the caller alone. Columns are named one by
-- one, so that a secret which a later version of the auth server keeps there is not handed out by accident.
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
    ), '[]')
  )
  from auth.users u
  where u.id = (select auth.uid())
$$;

-- Supabase grants new functions to its roles by name, so taking them from `public` alone would not do.
revoke all on function private.account_of_caller() from public, anon, authenticated;
grant execute on function private.account_of_caller() to authenticated;

create function public.export_account() returns json
  language sql stable
  security invoker
  set search_path = ''
as $$
  select json_build_object(
    'format', 'intercede-export',
    'version', 1,
    'exported_at', now(),
    'account', private.account_of_caller(),
    'categories', coalesce((
      select json_agg(json_build_object(
        'id', c.id,
        'name', c.name,
        'order', c."order",
        'is_visible', c.is_visible,
        'created_at', c.created_at,
        'updated_at', c.updated_at
      ) order by c."order", c.created_at, c.id)
      from public.categories c where c.user_id = (select auth.uid())
    ), '[]'),
    'prayers', coalesce((
      select json_agg(json_build_object(
        'id', p.id,
        'category_id', p.category_id,
        'person_name', p.person_name,
        'note', p.note,
        'resolved', p.resolved,
        'created_at', p.created_at
      ) order by p.created_at desc, p.id desc)
      from public.prayers p where p.user_id = (select auth.uid())
    ), '[]')
  )
$$;

revoke all on function public.export_account() from public, anon, authenticated;
grant execute on function public.export_account() to authenticated;
