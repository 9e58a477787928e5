-- Two-factor sign-in. As in a Supabase project, except that challenges do not keep the client's address.
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');

create table auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Encrypted (server/auth/totp.ts).
  secret text,
  phone text,
  last_challenged_at timestamptz
);
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);
create unique index mfa_factors_user_friendly_name_unique on auth.mfa_factors (friendly_name, user_id)
  where trim(friendly_name) <> '';
-- For clean-up.
create index mfa_factors_unverified_idx on auth.mfa_factors (created_at) where status = 'unverified';

create table auth.mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at timestamptz not null
);
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
create index mfa_challenges_created_at_idx on auth.mfa_challenges (created_at);

-- The time step of the last code that was accepted from each app: earlier codes, and this one, no longer work.
create table intercede.used_codes (
  factor_id uuid primary key references auth.mfa_factors (id) on delete cascade,
  time_step bigint not null,
  -- In which the first code was given, by which the app was added. It may have ended.
  first_session uuid
);

-- Recovery codes that were not used yet, as hashes.
create table intercede.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
revoke all on intercede.used_codes, intercede.recovery_codes from public, anon, authenticated;

-- However a factor is removed, sessions for which its code was given no longer count as such. With the last one, two-factor sign-in is off.
create function intercede.forget_second_factor() returns trigger
  language plpgsql
  set search_path = ''
as $$
declare
  is_last boolean := not exists (
    select from auth.mfa_factors f where f.user_id = old.user_id and f.status = 'verified'
  );
begin
  with lowered as (
    update auth.sessions s set aal = 'aal1', factor_id = null
    where s.user_id = old.user_id and s.aal = 'aal2' and (s.factor_id = old.id or is_last)
    returning s.id
  )
  delete from auth.mfa_amr_claims c using lowered
  where c.session_id = lowered.id and c.authentication_method in ('totp', 'recovery_code');

  if is_last then delete from intercede.recovery_codes r where r.user_id = old.user_id; end if;
  return null;
end
$$;
revoke all on function intercede.forget_second_factor() from public;

create trigger forget_second_factor after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function intercede.forget_second_factor();
