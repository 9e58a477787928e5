-- Copies of the pictures that people have at X, so that nobody's browser has to ask X for them. Gone with the identity.
create table intercede.pictures (
  identity_id uuid primary key references auth.identities (id) on delete cascade,
  source text not null,
  media_type text not null,
  content bytea not null check (octet_length(content) <= 524288),
  fetched_at timestamptz not null
);
revoke all on intercede.pictures from public, anon, authenticated;
