/**
 * Limits that both sides state: the web app for a fast answer, the server and the database for a binding one.
 * Lengths are in characters unless the name says otherwise. The database is the authority (supabase/migrations).
 */
export const CATEGORY_NAME_MAX_LENGTH = 100
export const PERSON_NAME_MAX_LENGTH = 200
export const NOTE_MAX_LENGTH = 10_000
export const EMAIL_MAX_LENGTH = 255
export const PASSWORD_MIN_LENGTH = 6
export const PASSWORD_MAX_BYTES = 72
/** Rows of a page when a whole list is fetched; a Supabase project answers no more than this at once. */
export const PAGE_SIZE = 1_000
/** A file to import, and the call that brings it in; some 50,000 prayers of a few lines each. */
export const IMPORT_MAX_BYTES = 16 * 1024 * 1024
