-- The prayers of a category can be in turn on some days of the week only.
alter table public.categories
  -- The days of the week: 1 is Monday, 2 Tuesday, 4 Wednesday … 64 Sunday. Null: every day.
  add column pray_days smallint,
  add constraint categories_pray_days_range check (pray_days between 1 and 127);
