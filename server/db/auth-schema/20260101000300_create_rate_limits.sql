-- What is left of each quota: a bucket of tokens that refills steadily. All servers on one database share it.
-- Unlogged: losing it in a crash only fills the buckets again, and requests don't wait for the disk.
create unlogged table intercede.rate_limits (
  key text primary key,
  tokens double precision not null,
  updated_at timestamptz not null
) with (fillfactor = 70);
create index rate_limits_updated_at_idx on intercede.rate_limits (updated_at);
