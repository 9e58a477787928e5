import { isIP } from 'node:net'
import { ConfigError } from './config-error.ts'
import { parseBoolean, parseUrl, read, readText, type Environment } from './environment.ts'

/** A name or an address to listen on. */
export function readHost(env: Environment): string | null {
  return read(env, 'HOST', 'a host name or an IP address, such as 127.0.0.1 or 0.0.0.0', (text) =>
    isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : null,
  )
}

/** The origin that people open (SITE_URL) or that the app asks (API_URL), without a slash at its end. */
export function readOrigin(env: Environment, name: 'SITE_URL' | 'API_URL'): string | null {
  return read(env, name, 'an address such as https://prayers.example.org, without a path', (text) => {
    const url = parseUrl(text, ['http:', 'https:'])
    return url !== null && url.href === `${url.origin}/` ? url.origin : null
  })
}

export function readDatabaseUrl(env: Environment): string | null {
  const accepted = 'an address such as postgresql://user:password@host:5432/database'
  return read(
    env,
    'DATABASE_URL',
    accepted,
    (text) => (parseUrl(text, ['postgresql:', 'postgres:']) === null ? null : text),
    { secret: true },
  )
}

export function readSmtpUrl(env: Environment): string | null {
  const accepted = 'an address such as smtps://user:password@mail.example.org:465'
  return read(
    env,
    'SMTP_URL',
    accepted,
    (text) => {
      const url = parseUrl(text, ['smtp:', 'smtps:'])
      return url === null || url.hostname === '' ? null : text
    },
    { secret: true },
  )
}

/** `someone@example.org` or `Name <someone@example.org>`; a line break would let headers in. */
const MAIL_ADDRESS = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

export function readMailFrom(env: Environment): string | null {
  return read(env, 'MAIL_FROM', 'an address such as Intercede <prayers@example.org>', (text) =>
    MAIL_ADDRESS.test(text) ? text : null,
  )
}

/** Addresses with a scheme; `*` and `**` may stand for parts of the rest. */
const REDIRECT_GLOB = /^[a-z][a-z0-9+.-]*:\/\/[^\s,]+$/i

export function readRedirectUrls(env: Environment): string[] {
  const text = readText(env, 'AUTH_REDIRECT_URLS')
  if (text === null) return []
  const globs = text.split(',').map((part) => part.trim())
  const wrong = globs.find((glob) => !REDIRECT_GLOB.test(glob))
  if (wrong === undefined) return globs
  throw new ConfigError(
    `AUTH_REDIRECT_URLS contains "${wrong}", and must be addresses such as https://*.example.org/**, separated by commas.`,
  )
}

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal']

/** As Fastify's `trustProxy`. */
export function readTrustProxy(env: Environment): boolean | number | string | null {
  const accepted = `true, false, a number of proxies, or IP addresses and ranges (or ${NAMED_RANGES.join(', ')}), separated by commas`
  return read<boolean | number | string>(env, 'TRUST_PROXY', accepted, (text) => {
    if (/^\d{1,2}$/.test(text)) return Number(text)
    const boolean = parseBoolean(text)
    if (boolean !== null) return boolean
    const ranges = text.split(',').map((part) => part.trim())
    return ranges.every(isRange) ? ranges.join(',') : null
  })
}

function isRange(text: string): boolean {
  if (NAMED_RANGES.includes(text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
