import { resolve } from 'node:path'
import { read, readBoolean, readInteger, readText, type Environment } from './configuration/environment.ts'
import {
  readDatabaseUrl,
  readHost,
  readMailFrom,
  readOrigin,
  readRedirectUrls,
  readSmtpUrl,
  readTrustProxy,
} from './configuration/read-addresses.ts'
import { readTokenSettings } from './configuration/read-token-settings.ts'
import { parseSecurityContact } from '#shared/security-txt.ts'
import { readXProvider } from './configuration/read-x-provider.ts'

/** Everything that can be configured; see README.md for the variables. */
export interface Config {
  /** TCP port; 0 lets the system choose (tests). */
  port: number
  host: string
  /** Origin that people open, without a trailing slash. */
  siteUrl: string
  /** Origin under which this server is reached where the app is served from another; null where `siteUrl` leads here. */
  apiUrl: string | null
  /** Absolute path of the folder that holds the embedded database and the outbox. */
  dataDir: string
  /** A PostgreSQL of the host's own; null starts the embedded one. */
  databaseUrl: string | null
  /** Null writes mails to `dataDir`/outbox. */
  smtpUrl: string | null
  mailFrom: string
  confirmEmail: boolean
  disableSignup: boolean
  /** Globs of further addresses that links may lead to. */
  redirectUrls: readonly string[]
  jwtSecret: string | null
  anonKey: string | null
  /** Life of an access token in seconds. */
  jwtExpiry: number
  /** Multiplies every quota. */
  rateLimitFactor: number
  /** As Fastify's `trustProxy`: false, true, a number of hops, or addresses. */
  trustProxy: boolean | number | string
  /** Opens the metrics to whoever sends it; null when nobody is to read them. */
  metricsToken: string | null
  x: XProviderConfig | null
  productName: string
  /** Where weaknesses are reported, as an address; null where nobody was named. */
  securityContact: string | null
  logLevel: LogLevel
}

export interface XProviderConfig {
  clientId: string
  clientSecret: string
  authorizeUrl: string
  tokenUrl: string
  profileUrl: string
  /** Where the pictures of people are, and nowhere else. */
  pictureOrigin: string
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const MAX_RATE_LIMIT_FACTOR = 1_000_000

/**
 * Reads the configuration from the environment. Throws a `ConfigError` for the first variable that is wrong: a start
 * that went on with a guess would surprise somebody later.
 */
export function readConfig(env: Environment): Config {
  const port = readInteger(env, 'PORT', 0, 65_535) ?? 3000
  const siteUrl = readOrigin(env, 'SITE_URL') ?? `http://localhost:${String(port)}`
  const smtpUrl = readSmtpUrl(env)
  const productName = readProductName(env) ?? 'Intercede'
  return {
    port,
    host: readHost(env) ?? '127.0.0.1',
    siteUrl,
    apiUrl: readOrigin(env, 'API_URL'),
    dataDir: resolve(readText(env, 'DATA_DIR') ?? 'data'),
    databaseUrl: readDatabaseUrl(env),
    smtpUrl,
    mailFrom: readMailFrom(env) ?? `${productName} <no-reply@${new URL(siteUrl).hostname}>`,
    confirmEmail: readBoolean(env, 'AUTH_CONFIRM_EMAIL') ?? smtpUrl !== null,
    disableSignup: readBoolean(env, 'AUTH_DISABLE_SIGNUP') ?? false,
    redirectUrls: readRedirectUrls(env),
    ...readTokenSettings(env),
    rateLimitFactor: readRateLimitFactor(env) ?? 1,
    trustProxy: readTrustProxy(env) ?? false,
    metricsToken: readMetricsToken(env),
    x: readXProvider(env),
    productName,
    securityContact: readContact(env),
    logLevel: readLogLevel(env) ?? 'warn',
  }
}

/** Also stands before the address that mails come from, where these characters would mean something. */
function readProductName(env: Environment): string | null {
  return read(env, 'PRODUCT_NAME', 'at most 60 characters, without any of <>",;:@', (text) =>
    /^[^<>",;:@\p{Cc}]{1,60}$/u.test(text) ? text : null,
  )
}

function readContact(env: Environment): string | null {
  const accepted = 'an e-mail address, or an address that begins with https: or tel:'
  return read(env, 'SECURITY_CONTACT', accepted, parseSecurityContact)
}

function readRateLimitFactor(env: Environment): number | null {
  return read(
    env,
    'RATE_LIMIT_FACTOR',
    `a number above 0 and up to ${String(MAX_RATE_LIMIT_FACTOR)}`,
    (text) => {
      const factor = Number(text)
      return factor > 0 && factor <= MAX_RATE_LIMIT_FACTOR ? factor : null
    },
  )
}

const METRICS_TOKEN_LEAST = 16

/** Travels in a header, so no other characters. */
function readMetricsToken(env: Environment): string | null {
  return read(
    env,
    'METRICS_TOKEN',
    `at least ${String(METRICS_TOKEN_LEAST)} characters long, of letters, digits and signs without spaces`,
    (text) => (text.length >= METRICS_TOKEN_LEAST && /^[\x21-\x7e]+$/.test(text) ? text : null),
    { secret: true },
  )
}

function readLogLevel(env: Environment): LogLevel | null {
  return read(
    env,
    'LOG_LEVEL',
    `one of ${LOG_LEVELS.join(', ')}`,
    (text) => LOG_LEVELS.find((level) => level === text.toLowerCase()) ?? null,
  )
}
