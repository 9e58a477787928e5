import { isRecord } from '#shared/is-record.ts'

/** What the app has to know before its first request. */
export interface AppConfig {
  /** Origin of the backend, without a trailing slash. */
  url: string
  /** The public key sent with every request. */
  anonKey: string
  /** Origin of the links in emails, without a trailing slash. */
  siteUrl: string
  productName: string
  /** The backend's name for the X provider. */
  xProvider: 'twitter' | 'x'
  /** Whether the backend offers sign-in with X; null if only a request can tell. */
  xEnabled: boolean | null
  /** Whether new accounts are by invitation; of a static build, only a sign-up can tell. */
  isSignUpClosed: boolean
  /** Path under which the backend serves avatars, by identity id; null if it serves none. */
  picturePath: string | null
}

/**
 * Reads the configuration from the page, where our server puts it, or else from the variables of a static build.
 *
 * @param page JSON, or null if the page contains no configuration
 * @param origin default for addresses
 */
export function readConfig(page: string | null, build: object, origin: string): AppConfig {
  const given: unknown = page === null ? build : JSON.parse(page)
  const fields: Readonly<Record<string, unknown>> = isRecord(given) ? given : {}
  const text = (name: string, whenMissing: string) => {
    const value = fields[name]
    return typeof value === 'string' && value !== '' ? value : whenMissing
  }
  const { xEnabled } = fields
  return {
    url: withoutTrailingSlash(text('url', origin)),
    anonKey: text('anonKey', ''),
    siteUrl: withoutTrailingSlash(text('siteUrl', origin)),
    productName: text('productName', 'Intercede'),
    xProvider: fields['xProvider'] === 'x' ? 'x' : 'twitter',
    xEnabled: typeof xEnabled === 'boolean' ? xEnabled : null,
    isSignUpClosed: fields['isSignUpClosed'] === true,
    // Only our own server puts a configuration into the page, and only it serves avatars.
    picturePath: page === null ? null : '/pictures/',
  }
}

function withoutTrailingSlash(address: string): string {
  return address.replace(/\/+$/, '')
}

export const config = readConfig(
  document.querySelector<HTMLMetaElement>('meta[name=intercede-config]')?.content ?? null,
  {
    url: import.meta.env.VITE_SUPABASE_URL,
    anonKey: import.meta.env.VITE_SUPABASE_ANON_KEY,
    siteUrl: import.meta.env.VITE_SITE_URL,
    productName: import.meta.env.VITE_PRODUCT_NAME,
    xProvider: import.meta.env.VITE_X_PROVIDER,
  },
  location.origin,
)

export const PRODUCT_NAME = config.productName

/**
 * The origin of the links in emails that a page requests: its own on a developer's machine, else the public site's, since the app may
 * also be reachable under other names.
 */
export function linkOrigin(page: { hostname: string; origin: string }, { siteUrl } = config): string {
  const isLocal = page.hostname === 'localhost' || page.hostname.endsWith('.localhost')
  return isLocal ? page.origin : siteUrl
}
