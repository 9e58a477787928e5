/** Where the session is kept in local storage. */
export const SESSION_STORAGE_KEY = 'supabase-auth'
