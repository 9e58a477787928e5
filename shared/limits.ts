/**
 * Limits that the web app checks for immediate feedback, and the server and the database enforce. Lengths are in
 * characters unless the name says otherwise. The constraints in supabase/schemas are authoritative.
 */
export const CATEGORY_NAME_MAX_LENGTH = 100
export const PERSON_NAME_MAX_LENGTH = 200
export const NOTE_MAX_LENGTH = 10_000
export const ANSWER_MAX_LENGTH = 10_000
export const UPDATE_MAX_LENGTH = 10_000
export const EMAIL_MAX_LENGTH = 255
export const FULL_NAME_MAX_LENGTH = 100
export const PASSWORD_MIN_LENGTH = 6
export const PASSWORD_MAX_BYTES = 72
/** The days between which every date and time of a user lies. Only plans can be in the future. */
export const FIRST_DAY = '1900-01-01'
export const LAST_DAY = '2199-12-31'
/** Rows per request when a whole list is fetched; a Supabase project returns at most this many. */
export const PAGE_SIZE = 1_000
/** Size of an import, as file and as request. The export of an account at its limits fits. */
export const IMPORT_MAX_BYTES = 25 * 1024 * 1024
