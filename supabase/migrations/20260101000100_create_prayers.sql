-- Prayers, each for a named person, each in a category of the same owner.

create table public.prayers (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  category_id uuid not null,
  person_name text not null,
  note text,
  resolved boolean not null default false,
  created_at timestamptz not null default now(),
  -- The owner is part of the reference, so another person's category can never be named here.
  constraint prayers_category_id_fkey foreign key (category_id, user_id)
    references public.categories (id, user_id) on delete restrict,
  constraint prayers_person_name_not_empty check (person_name <> ''),
  constraint prayers_person_name_length check (char_length(person_name) <= 200),
  constraint prayers_note_length check (char_length(note) <= 10000)
);

-- Serves the list query: one person's prayers, newest first.
create index prayers_user_id_created_at_idx on public.prayers (user_id, created_at desc, id desc);
-- Serves the reference: is this category still in use?
create index prayers_category_id_idx on public.prayers (category_id, user_id);

create function private.before_prayer_write() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.user_id is distinct from old.user_id then
    raise exception 'user_id of a prayer cannot be changed' using errcode = '42501';
  end if;
  new.person_name := private.trim_whitespace(new.person_name);
  return new;
end
$$;

create trigger before_prayer_write
  before insert or update on public.prayers
  for each row execute function private.before_prayer_write();

alter table public.prayers enable row level security;

create policy "People read their own prayers" on public.prayers
  for select to authenticated using (user_id = (select auth.uid()));
create policy "People add their own prayers" on public.prayers
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change their own prayers" on public.prayers
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "People delete their own prayers" on public.prayers
  for delete to authenticated using (user_id = (select auth.uid()));

revoke all on public.prayers from anon, authenticated;
grant select, insert, update, delete on public.prayers to authenticated;
