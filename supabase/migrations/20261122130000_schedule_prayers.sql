-- When to pray, how often it was done, and how a prayer was answered. Days are dates in the user's own time zone. Without defaults
-- other than null and 0, clients that do not know these columns keep working.
alter table public.prayers
  -- The day of what is prayed for.
  add column due_on date,
  -- The days of the week: 1 is Monday, 2 Tuesday, 4 Wednesday … 64 Sunday, 127 every day.
  add column pray_days smallint,
  -- Paused until then.
  add column resting_until date,
  -- The latest day on which it was prayed, and the number of days. Only `mark_prayed` and imports set them.
  add column last_prayed_on date,
  add column times_prayed integer not null default 0,
  -- When a resolved prayer was answered, and how. Null: unknown, as for all that were resolved before there was a date.
  add column answered_on date,
  add column answer text,
  -- So that updates and prayed days can only belong to a prayer of the same owner.
  add constraint prayers_id_user_id_key unique (id, user_id),
  -- Four digits of the year, and neither "infinity" nor "BC": a date that every client can read.
  add constraint prayers_due_on_range check (due_on between '0001-01-01' and '9999-12-31'),
  add constraint prayers_resting_until_range check (resting_until between '0001-01-01' and '9999-12-31'),
  add constraint prayers_answered_on_range check (answered_on between '0001-01-01' and '9999-12-31'),
  add constraint prayers_pray_days_range check (pray_days between 1 and 127),
  add constraint prayers_times_prayed_not_negative check (times_prayed >= 0),
  add constraint prayers_answer_length check (char_length(answer) <= 10000),
  add constraint prayers_answer_resolved check (resolved or (answer is null and answered_on is null));
