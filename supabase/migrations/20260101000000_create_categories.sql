-- A person's own categories. Ownership is decided here and nowhere else: row level security ties every
-- row to the caller, and (id, user_id) is unique so that a prayer can only point at its owner's category.

-- Helpers of the schema live outside `public`: everything in `public` is reachable over the API.
create schema if not exists private;

-- White space as JavaScript's String.prototype.trim sees it, so that both sides agree on what is empty.
create or replace function private.trim_whitespace(value text) returns text
  language sql immutable parallel safe strict
  set search_path = ''
as $$
  select btrim(value, U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF')
$$;

create table public.categories (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  "order" integer not null,
  is_visible boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint categories_id_user_id_key unique (id, user_id),
  constraint categories_name_not_empty check (name <> ''),
  constraint categories_name_length check (char_length(name) <= 100),
  constraint categories_order_positive check ("order" >= 1)
);

-- Serves the list query: one person's categories in their order.
create index categories_user_id_order_idx on public.categories (user_id, "order", created_at, id);

create function private.before_category_write() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    if new.user_id is distinct from old.user_id then
      raise exception 'user_id of a category cannot be changed' using errcode = '42501';
    end if;
    new.updated_at := now();
  end if;
  new.name := private.trim_whitespace(new.name);
  return new;
end
$$;

create trigger before_category_write
  before insert or update on public.categories
  for each row execute function private.before_category_write();

alter table public.categories enable row level security;

create policy "People read their own categories" on public.categories
  for select to authenticated using (user_id = (select auth.uid()));
create policy "People add their own categories" on public.categories
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "People change their own categories" on public.categories
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "People delete their own categories" on public.categories
  for delete to authenticated using (user_id = (select auth.uid()));

revoke all on public.categories from anon, authenticated;
grant select, insert, update, delete on public.categories to authenticated;
-- Triggers run with the rights of whoever writes the row, a service role included.
grant usage on schema private to public;
