-- What protects an account's password from being guessed from many addresses. Logged, unlike intercede.rate_limits: a crash must
-- not give an attacker more attempts.

-- The failed sign-ins of one email address (as a hash), whether or not it has an account.
create table intercede.failed_sign_ins (
  email_hash text primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  updated_at timestamptz not null
);
create index failed_sign_ins_updated_at_idx on intercede.failed_sign_ins (updated_at);
revoke all on intercede.failed_sign_ins from public, anon, authenticated;

-- The networks (/24 or /48, as a hash) that an account has signed in from. An attack from elsewhere does not lock them out.
create table intercede.known_networks (
  user_id uuid not null references auth.users (id) on delete cascade,
  network_hash text not null,
  last_used_at timestamptz not null,
  primary key (user_id, network_hash)
);
create index known_networks_last_used_at_idx on intercede.known_networks (last_used_at);
revoke all on intercede.known_networks from public, anon, authenticated;

-- Sessions that exist already show where their accounts have signed in. The hash is that of server/auth/password-attempts.ts.
insert into intercede.known_networks (user_id, network_hash, last_used_at)
select s.user_id, encode(sha256(convert_to(concat(s.user_id, ' ', n.network), 'UTF8')), 'hex'),
       max(coalesce(s.updated_at, s.created_at, now()))
from auth.sessions s
cross join lateral (
  select case
    when host(s.ip) like '%.%'
      then regexp_replace(regexp_replace(host(s.ip), '^::ffff:', ''), '\.\d+$', '.0/24')
    else network(set_masklen(s.ip, 48))::text
  end as network
) n
where s.ip is not null
group by 1, 2;
