import {
  boolean,
  fallback,
  nonEmpty,
  nullable,
  object,
  parse,
  picklist,
  pipe,
  string,
  transform,
} from 'valibot'

/** Where auth-js keeps the session in local storage. */
export const SESSION_STORAGE_KEY = 'supabase-auth'

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
  /** Path under which the backend serves avatars, by identity id; null if it serves none. */
  picturePath: string | null
}

/**
 * Reads the configuration from the page, where our server puts it, or else from the variables of a static build.
 *
 * @param page JSON, or null if the page contains no configuration
 * @param origin default for addresses
 */
export function readConfig(page: string | null, build: unknown, origin: string): AppConfig {
  const schema = object({
    url: pipe(textOr(origin), transform(withoutTrailingSlash)),
    anonKey: textOr(''),
    siteUrl: pipe(textOr(origin), transform(withoutTrailingSlash)),
    productName: textOr('Intercede'),
    xProvider: fallback(picklist(['twitter', 'x']), 'twitter'),
    xEnabled: fallback(nullable(boolean()), null),
  })
  return {
    ...parse(schema, page === null ? build : JSON.parse(page)),
    // Only our own server puts a configuration into the page, and only it serves avatars.
    picturePath: page === null ? null : '/pictures/',
  }
}

function textOr(whenMissing: string) {
  return fallback(pipe(string(), nonEmpty()), whenMissing)
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
