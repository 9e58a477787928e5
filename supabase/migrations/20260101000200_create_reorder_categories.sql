-- One atomic renumbering of the caller's categories to 1..n.
--
-- Takes the complete ordered list of ids. Ids that no longer exist (or were never the caller's) are ignored;
-- categories missing from the list keep their relative order after the listed ones. Only "order" is written,
-- and only where it changes, so a rename or hide made meanwhile on another device stays as it is.
create function public.reorder_categories(category_ids uuid[]) returns void
  language plpgsql
  security invoker
  set search_path = ''
as $$
begin
  -- Rows are locked in one fixed order first: two devices reordering at once wait, and never deadlock.
  perform 1 from public.categories where user_id = (select auth.uid()) order by id for update;

  with ranked as (
    select c.id,
           row_number() over (order by listed.position nulls last, c."order", c.created_at, c.id) as position
    from public.categories c
    left join (
      select id, min(ordinality) as position
      from unnest(category_ids) with ordinality as given (id, ordinality)
      group by id
    ) listed on listed.id = c.id
    where c.user_id = (select auth.uid())
  )
  update public.categories c
  set "order" = ranked.position
  from ranked
  where c.id = ranked.id and c."order" <> ranked.position;
end
$$;

revoke all on function public.reorder_categories(uuid[]) from public, anon;
grant execute on function public.reorder_categories(uuid[]) to authenticated;
