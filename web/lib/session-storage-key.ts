/** Where the session is kept in the browser. */
export const SESSION_STORAGE_KEY = 'supabase-auth'
