import { fieldsOf } from '#shared/fields.ts'

/** What the app has to know before its first request. */
export interface AppConfig {
  /** Origin of the backend, without a trailing slash. */
  url: string
  /** The public key that every request carries. */
  anonKey: string
  /** Address that mails lead back to, without a trailing slash. */
  siteUrl: string
  productName: string
  /** The backend's name for sign-in with X: `twitter` or `x`. */
  xProvider: 'twitter' | 'x'
  /** Whether the backend is known to offer sign-in with X; null if only asking tells. */
  xEnabled: boolean | null
  /** Where the backend has copies of people's pictures, by the id of the identity; null where it has none. */
  picturePath: string | null
}

type RawConfig = Readonly<Record<string, unknown>>

/**
 * Makes the configuration out of what the page carries (put there by our server) or, in a static build, what the
 * build was given. `origin` stands in for addresses that are left empty.
 */
export function readConfig(page: string | null, build: RawConfig, origin: string): AppConfig {
  const given = page === null ? build : fieldsOf(JSON.parse(page))
  const text = (name: string, fallback: string) => {
    const value = given[name]
    return typeof value === 'string' && value !== '' ? value : fallback
  }
  return {
    url: withoutSlash(text('url', origin)),
    anonKey: text('anonKey', ''),
    siteUrl: withoutSlash(text('siteUrl', origin)),
    productName: text('productName', 'Intercede'),
    xProvider: given['xProvider'] === 'x' ? 'x' : 'twitter',
    xEnabled: typeof given['xEnabled'] === 'boolean' ? given['xEnabled'] : null,
    // Only our own server fills in the page.
    picturePath: page === null ? null : '/pictures/',
  }
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
