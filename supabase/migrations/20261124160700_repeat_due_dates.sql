-- A date can repeat every month or every year.
alter table public.prayers
  -- Null, 'monthly' or 'yearly'. A month without the day of `due_on` uses its last day, so 29 February becomes 28.
  add column due_repeats text,
  add constraint prayers_due_repeats_known check (due_repeats in ('monthly', 'yearly')),
  add constraint prayers_due_repeats_dated check (due_repeats is null or due_on is not null);
