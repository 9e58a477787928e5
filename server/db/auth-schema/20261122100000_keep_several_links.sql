-- A newer link leaves the older ones valid: whoever requests a link for somebody else's address must not be able to void the one
-- its owner is about to open. The server keeps the newest few of each type.
drop index auth.one_time_tokens_user_id_token_type_key;
create index one_time_tokens_user_id_token_type_idx on auth.one_time_tokens (user_id, token_type, created_at desc);
