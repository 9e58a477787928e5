-- An import of all that an account can hold takes 6 seconds of one processor, several times as long on a busy machine. PostgreSQL
-- itself does not apply the setting to the call in which it is made; PostgREST and our server set it before they call the function.
alter function public.import_prayers(json, boolean) set statement_timeout = '50s';
