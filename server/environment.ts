import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { parseSecurityContact } from '#shared/security-txt.ts'
import { StartupError } from './errors/operator-errors.ts'

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
/** HS256 requires a key at least as long as its hash (RFC 7518, section 3.2). */
const JWT_SECRET_MIN_BYTES = 32
/** The client library renews tokens 90 s before they expire: shorter ones would be renewed with every request. */
const JWT_EXPIRY_MIN = 120
const JWT_EXPIRY_MAX = 604_800
const METRICS_TOKEN_MIN_LENGTH = 16
const RATE_LIMIT_FACTOR_MAX = 1_000_000
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal']

/** `accepted` completes the error message "NAME is …, but must be". */
function accepts<const Schema extends v.GenericSchema<string, unknown>>(
  accepted: string,
  schema: Schema,
): Schema {
  return v.config(schema, { message: accepted })
}

function integer(least: number, most: number) {
  return accepts(
    `a whole number from ${String(least)} to ${String(most)}`,
    v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(least), v.maxValue(most)),
  )
}

const Flag = v.pipe(
  v.string(),
  v.parseBoolean({ truthy: ['true', '1', 'yes', 'on'], falsy: ['false', '0', 'no', 'off'] }),
)
const Url = v.pipe(
  v.string(),
  v.url(),
  v.transform((text) => new URL(text)),
)
const Origin = accepts(
  'an address such as https://prayers.example.org, without a path',
  v.pipe(
    Url,
    v.check((url) => ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`),
    v.transform((url) => url.origin),
  ),
)
function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.has(hostname))
}

/** Secrets are sent there, so HTTP is accepted only on the same machine. */
const SecureUrl = accepts(
  'an https address',
  v.pipe(
    Url,
    v.check(isSecure),
    v.transform((url) => url.href),
  ),
)
const SecureOrigin = accepts(
  'an https address, without a path',
  v.pipe(
    Url,
    v.check((url) => isSecure(url) && url.href === `${url.origin}/`),
    v.transform((url) => url.origin),
  ),
)
/**
 * Addresses that tokens may be sent to end in a domain without wildcards: `https://**` matches every site, and so does
 * `https://**.example.org`, because `**` goes beyond the host.
 */
const WEB_PATTERN =
  /^https?:\/\/(?:(?:(?:[a-z0-9-]|\*(?!\*))+\.)*[a-z0-9-]+\.)?[a-z0-9-]+(?::[\d*]+)?(?:\/[^\s,]*)?$/i
/** A wildcard where anybody can register a domain, such as `*.co.uk`. A complete list of such places would be long. */
const ANY_DOMAIN = /^https?:\/\/[^/]*\*[^/.]*\.(?:ac|co|com|edu|go|gov|ne|net|or|org)\.[a-z]{2}(?:[:/]|$)/i
/** Accepted as by the real service, but never followed. */
const APP_PATTERN = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^\s,]+$/i
/**
 * The server sends requests there, whose addresses come from browsers: no path, and no address in numbers. With TLS, none to this
 * machine or its network either (reminders/push.ts), which hosts without a dot belong to.
 */
const PUSH_SERVICE =
  /^https:\/\/(?:\*\.)?(?![\d.]+(?::|$))(?:[a-z0-9-]+\.)+(?!localhost(?::|$))[a-z0-9-]+(?::\d{1,5})?$|^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/
const List = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((part) => part.trim())),
)

const DatabaseUrl = accepts(
  'an address such as postgresql://user:password@host:5432/database',
  v.pipe(v.string(), v.url(), v.regex(/^postgres(?:ql)?:/i), v.transform(withVerifiedCertificates)),
)

/** Every variable, what it accepts, and its default unless that depends on other variables (see `config.ts`). */
const Variables = v.object({
  PORT: v.optional(integer(0, 65_535), '3000'),
  HOST: v.optional(
    accepts(
      'a host name or an IP address, such as 127.0.0.1 or 0.0.0.0',
      v.pipe(
        v.string(),
        v.check((text) => isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)),
      ),
    ),
    '127.0.0.1',
  ),
  SITE_URL: v.optional(Origin),
  API_URL: v.optional(Origin),
  DATA_DIR: v.optional(
    v.pipe(
      v.string(),
      v.transform((path) => resolve(path)),
    ),
    'data',
  ),
  DATABASE_URL: v.optional(DatabaseUrl),
  DATA_DATABASE_URL: v.optional(DatabaseUrl),
  SMTP_URL: v.optional(
    accepts(
      'an address such as smtps://user:password@mail.example.org:465, without a path, and with %25 for % in user and password',
      v.pipe(
        v.string(),
        v.url(),
        v.regex(/^smtps?:/i),
        v.check((text) => isMailServer(new URL(text))),
      ),
    ),
  ),
  MAIL_FROM: v.optional(
    accepts(
      'an address such as Intercede <prayers@example.org>',
      // A line break would allow header injection.
      v.pipe(v.string(), v.regex(/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/)),
    ),
  ),
  AUTH_CONFIRM_EMAIL: v.optional(accepts('true or false', Flag)),
  AUTH_DISABLE_SIGNUP: v.optional(accepts('true or false', Flag), 'false'),
  AUTH_SECURE_EMAIL_CHANGE: v.optional(accepts('true or false', Flag), 'true'),
  AUTH_REDIRECT_URLS: v.optional(
    accepts(
      'addresses such as https://*.example.org/**, with a domain, separated by commas',
      v.pipe(
        List,
        v.array(
          v.pipe(
            v.string(),
            v.check((text) => (WEB_PATTERN.test(text) && !ANY_DOMAIN.test(text)) || APP_PATTERN.test(text)),
          ),
        ),
      ),
    ),
  ),
  JWT_SECRET: v.optional(
    accepts(
      `at least ${String(JWT_SECRET_MIN_BYTES)} bytes long`,
      v.pipe(v.string(), v.minBytes(JWT_SECRET_MIN_BYTES)),
    ),
  ),
  JWT_EXPIRY: v.optional(integer(JWT_EXPIRY_MIN, JWT_EXPIRY_MAX), '3600'),
  ANON_KEY: v.optional(v.string()),
  RATE_LIMIT_FACTOR: v.optional(
    accepts(
      `a number above 0 and up to ${String(RATE_LIMIT_FACTOR_MAX)}`,
      v.pipe(v.string(), v.transform(Number), v.number(), v.gtValue(0), v.maxValue(RATE_LIMIT_FACTOR_MAX)),
    ),
    '1',
  ),
  TRUST_PROXY: v.optional(
    accepts(
      `true, false, a number of proxies, or IP addresses and ranges (or ${NAMED_RANGES.join(', ')}), separated by commas`,
      v.union([
        v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.transform(Number)),
        Flag,
        v.pipe(
          List,
          v.check((ranges) => ranges.every(isAddressRange)),
          v.transform((ranges) => ranges.join(',')),
        ),
      ]),
    ),
    'false',
  ),
  METRICS_TOKEN: v.optional(
    accepts(
      `at least ${String(METRICS_TOKEN_MIN_LENGTH)} characters long, of letters, digits and signs without spaces`,
      // Sent in a header, which allows no other characters.
      v.pipe(v.string(), v.minLength(METRICS_TOKEN_MIN_LENGTH), v.regex(/^[\x21-\x7e]+$/)),
    ),
  ),
  PUSH_SERVICES: v.optional(
    accepts(
      'addresses such as https://push.example.org or https://*.push.example.org, without paths, separated by commas',
      v.pipe(List, v.array(v.pipe(v.string(), v.toLowerCase(), v.regex(PUSH_SERVICE)))),
    ),
  ),
  X_CLIENT_ID: v.optional(v.string()),
  X_CLIENT_SECRET: v.optional(v.string()),
  X_AUTHORIZE_URL: v.optional(SecureUrl),
  X_TOKEN_URL: v.optional(SecureUrl),
  X_PROFILE_URL: v.optional(SecureUrl),
  X_PICTURE_URL: v.optional(SecureOrigin),
  PRODUCT_NAME: v.optional(
    accepts(
      'at most 60 characters, without any of <>",;:@',
      // Also used as the sender's name in emails, where these characters have a meaning.
      v.pipe(v.string(), v.regex(/^[^<>",;:@\p{Cc}]{1,60}$/u)),
    ),
    'Intercede',
  ),
  SECURITY_CONTACT: v.optional(
    accepts(
      'an email address, or an address that begins with https: or tel:',
      v.pipe(v.string(), v.transform(parseSecurityContact), v.string()),
    ),
  ),
  LOG_LEVEL: v.optional(
    accepts(`one of ${LOG_LEVELS.join(', ')}`, v.pipe(v.string(), v.toLowerCase(), v.picklist(LOG_LEVELS))),
    'warn',
  ),
})

/** Never shown in an error message. */
const SECRETS: ReadonlySet<string> = new Set([
  'ANON_KEY',
  'DATABASE_URL',
  'DATA_DATABASE_URL',
  'JWT_SECRET',
  'METRICS_TOKEN',
  'SMTP_URL',
  'X_CLIENT_SECRET',
])

/**
 * Parses the variables of the process, trimmed. An empty one counts as not set, because container tools set unused ones
 * that way, but a secret of blanks is a mistake. Throws a `StartupError` for the first invalid one: its name, its value
 * unless secret, and what is accepted.
 */
export function readEnvironment(env: Environment): v.InferOutput<typeof Variables> {
  const set: Record<string, string> = {}
  for (const name of Object.keys(Variables.entries)) {
    const given = env[name] ?? ''
    const value = given.trim()
    if (value !== '') set[name] = value
    else if (given !== '' && SECRETS.has(name))
      throw new StartupError(`${name} consists of blanks: set it, or leave it empty.`)
  }
  const result = v.safeParse(Variables, set, { abortEarly: true })
  if (result.success) return result.output
  const [{ message, input, path = [] }] = result.issues
  const [variable, listItem] = path
  const name = String(variable?.key)
  if (listItem !== undefined)
    throw new StartupError(`${name} contains "${String(input)}", but must be ${message}.`)
  throw new StartupError(
    `${name} is ${SECRETS.has(name) ? '(hidden)' : `"${set[name]}"`}, but must be ${message}.`,
  )
}

/**
 * With the strictest `sslmode` in place of those that mean the same to the driver, which warns at length that they will not for ever.
 */
function withVerifiedCertificates(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  const { searchParams } = url
  const isSame = ['prefer', 'require', 'verify-ca'].includes(searchParams.get('sslmode') ?? '')
  if (!isSame || searchParams.has('uselibpqcompat')) return databaseUrl
  searchParams.set('sslmode', 'verify-full')
  return url.href
}

function isMailServer({ hostname, pathname, username, password }: URL): boolean {
  return hostname !== '' && ['', '/'].includes(pathname) && decoded(username + password) !== null
}

/** Null if the percent-encoding is wrong. The build drops calls of `decodeURIComponent` whose result is not used. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function isAddressRange(text: string): boolean {
  if (NAMED_RANGES.includes(text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
