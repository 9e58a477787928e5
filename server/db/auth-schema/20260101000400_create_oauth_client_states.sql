-- The PKCE verifier of a sign-in with a provider, until the person comes back from there.
create table auth.oauth_client_states (
  id uuid primary key,
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null
);
create index oauth_client_states_created_at_idx on auth.oauth_client_states (created_at);
