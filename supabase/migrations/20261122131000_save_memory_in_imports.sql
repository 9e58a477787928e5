-- PostgreSQL would plan the import anew for each file, and keep two more copies of the file in the plan.
alter function public.import_prayers(json, boolean) set plan_cache_mode = force_generic_plan;
-- Unlike a sort, the hash table that finds the new prayed days cannot go to temporary files.
alter function public.import_prayers(json, boolean) set enable_hashagg = off;
