/**
 * The routes of the app. A path that is in none of the lists shows "Page not found". `web/app` has the screens: a path without one
 * does not compile. Free of the DOM, because the service worker has none.
 */
export const SIGN_IN = '/'
export const DASHBOARD = '/dashboard'
export const PRAY = '/pray'
export const ANSWERED = '/answered'
export const YEAR = '/answered/:year'
export const SEARCH = '/search'
export const PRAYER = '/prayer/:id'
export const MANAGE_CATEGORIES = '/manage-categories'
export const SETTINGS = '/settings'
export const PROFILE = '/settings/profile'
export const APPEARANCE = '/settings/appearance'
export const REMINDERS = '/settings/reminders'
export const DEVICES = '/settings/devices'
export const ON_THIS_DEVICE = '/settings/on-this-device'
export const PRAYER_KEY = '/settings/prayer-key'
export const YOUR_DATA = '/settings/your-data'
/** Where that was in earlier versions; leads there. */
export const ACCOUNT = '/account'
export const RESET_PASSWORD = '/reset-password'
export const AUTH_CALLBACK = '/auth/callback'
export const TERMS = '/terms'
export const PRIVACY = '/privacy'
/** Where the link in a reminder leads, with its token as the hash. */
export const TURN_OFF_REMINDER = '/turn-off-reminder'

/** For guests: signed-in users are redirected to the dashboard. */
export const GUEST_PATHS = [SIGN_IN, RESET_PASSWORD] as const

/** For signed-in users: guests are redirected to the sign-in screen. */
export const SIGNED_IN_PATHS = [
  DASHBOARD,
  PRAY,
  ANSWERED,
  YEAR,
  SEARCH,
  PRAYER,
  MANAGE_CATEGORIES,
  SETTINGS,
  PROFILE,
  APPEARANCE,
  REMINDERS,
  DEVICES,
  ON_THIS_DEVICE,
  PRAYER_KEY,
  YOUR_DATA,
  ACCOUNT,
] as const

/** For everyone. */
export const PUBLIC_PATHS = [AUTH_CALLBACK, TERMS, PRIVACY, TURN_OFF_REMINDER] as const

/** Whether the service worker opens a path without the network: every screen except the return from X, which needs it anyway. */
export function opensOffline(path: string): boolean {
  const paths: readonly string[] = [...GUEST_PATHS, ...SIGNED_IN_PATHS, ...PUBLIC_PATHS]
  const listed = listedPath(path)
  return paths.includes(listed) && listed !== AUTH_CALLBACK
}

/** A path as it is listed above: with `:id` in place of the id of a prayer, `:year` in place of a year, and no slash at its end. */
export function listedPath(path: string): string {
  if (prayerIdIn(path) !== null) return PRAYER
  return yearIn(path) === null ? path.replace(/(?!^)\/+$/, '') : YEAR
}

/** The path of the dashboard, with the card of a category as the fragment. */
export function categoryPath(id: string): string {
  return `${DASHBOARD}#${id}`
}

/**
 * The path of a prayer's page.
 *
 * @param entry the entry of its timeline to which the page scrolls: an update's id, or `answer`
 */
export function prayerPath(id: string, entry: string | null = null): string {
  return PRAYER.replace(':id', id) + (entry === null ? '' : `#${entry}`)
}

/** The id in the path of a prayer's page; null in any other path. */
export function prayerIdIn(path: string): string | null {
  return /^\/prayer\/([^/]+)\/*$/.exec(path)?.[1] ?? null
}

/** The path of the book of a year. */
export function yearPath(year: string): string {
  return YEAR.replace(':year', year)
}

/** The year in the path of its book; null in any other path. */
export function yearIn(path: string): string | null {
  return /^\/answered\/(\d{4})\/*$/.exec(path)?.[1] ?? null
}
