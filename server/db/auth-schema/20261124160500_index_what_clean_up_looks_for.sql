-- Clean-up runs every ten minutes. With these, it reads what it deletes, and not whole tables.
create index one_time_tokens_created_at_idx on auth.one_time_tokens (created_at);
create index users_email_change_sent_at_idx on auth.users (email_change_sent_at) where email_change <> '';
create index users_unconfirmed_idx on auth.users (created_at) where email_confirmed_at is null;
create index sessions_updated_at_idx on auth.sessions (updated_at);
create index refresh_tokens_revoked_idx on auth.refresh_tokens (updated_at) where revoked;
