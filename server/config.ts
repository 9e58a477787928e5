import { createHmac, timingSafeEqual } from 'node:crypto'
import type { LevelWithSilent } from 'pino'
import * as v from 'valibot'
import { readEnvironment, type Environment } from './environment.ts'
import { StartupError } from './errors/operator-errors.ts'

/** Everything that can be configured; see docs/configuration.md for the variables. */
export interface Config {
  /** TCP port; 0 picks a free one. */
  port: number
  host: string
  /** Origin that users open, without a trailing slash. */
  siteUrl: string
  /** Origin of this server if the app is served from another one; null if it is `siteUrl`. */
  apiUrl: string | null
  /** Absolute path of the folder that holds the embedded database and the outbox. */
  dataDir: string
  /** Null starts the embedded database. */
  databaseUrl: string | null
  /** A login of its own for data requests, so that both URLs may lead to a connection pooler; null if there is none. */
  dataDatabaseUrl: string | null
  /** Null writes emails to `dataDir`/outbox. */
  smtpUrl: string | null
  mailFrom: string
  confirmEmail: boolean
  disableSignup: boolean
  /** Whether a change of an email address must also be confirmed from the present one. */
  secureEmailChange: boolean
  /** Globs of further URLs that links may lead to. */
  redirectUrls: readonly string[]
  jwtSecret: string | null
  anonKey: string | null
  /** Lifetime of an access token in seconds. */
  jwtExpiry: number
  /** Multiplies every rate limit. */
  rateLimitFactor: number
  /** As Fastify's `trustProxy`: false, true, a number of hops, or addresses. */
  trustProxy: boolean | number | string
  /** Bearer token for GET /metrics; null if there are no metrics. */
  metricsToken: string | null
  /** Origins to which push messages may be sent, besides those of the browsers; `*.` stands for any subdomain. */
  pushServices: readonly string[]
  /** Null if sign-in with X is not offered. */
  x: XProviderConfig | null
  productName: string
  /** URI for reporting vulnerabilities; null if there is none. */
  securityContact: string | null
  logLevel: LevelWithSilent
}

export interface XProviderConfig {
  clientId: string
  clientSecret: string
  authorizeUrl: string
  tokenUrl: string
  profileUrl: string
  /** The only origin that profile pictures are fetched from. */
  pictureOrigin: string
}

type Variables = ReturnType<typeof readEnvironment>

/** Reads the configuration. Throws a `StartupError` that names the first invalid variable. */
export function readConfig(env: Environment): Config {
  const variables = readEnvironment(env)
  const siteUrl = variables.SITE_URL ?? `http://localhost:${String(variables.PORT)}`
  const productName = variables.PRODUCT_NAME
  return {
    port: variables.PORT,
    host: variables.HOST,
    siteUrl,
    apiUrl: variables.API_URL ?? null,
    dataDir: variables.DATA_DIR,
    databaseUrl: variables.DATABASE_URL ?? null,
    dataDatabaseUrl: checkedDataUrl(variables),
    smtpUrl: variables.SMTP_URL ?? null,
    mailFrom: variables.MAIL_FROM ?? `${productName} <no-reply@${new URL(siteUrl).hostname}>`,
    confirmEmail: variables.AUTH_CONFIRM_EMAIL ?? variables.SMTP_URL !== undefined,
    disableSignup: variables.AUTH_DISABLE_SIGNUP,
    secureEmailChange: variables.AUTH_SECURE_EMAIL_CHANGE,
    redirectUrls: variables.AUTH_REDIRECT_URLS ?? [],
    jwtSecret: variables.JWT_SECRET ?? null,
    anonKey: checkedAnonKey(variables),
    jwtExpiry: variables.JWT_EXPIRY,
    rateLimitFactor: variables.RATE_LIMIT_FACTOR,
    trustProxy: variables.TRUST_PROXY,
    metricsToken: variables.METRICS_TOKEN ?? null,
    pushServices: variables.PUSH_SERVICES ?? [],
    x: xProviderOf(variables),
    productName,
    securityContact: variables.SECURITY_CONTACT ?? null,
    logLevel: variables.LOG_LEVEL,
  }
}

function checkedDataUrl({ DATABASE_URL: owner, DATA_DATABASE_URL: data }: Variables): string | null {
  if (data !== undefined && owner === undefined)
    throw new StartupError('DATA_DATABASE_URL is set without DATABASE_URL: set both, or neither.')
  return data ?? null
}

/** The newer kind of public key, which is not a token: a request with it is anonymous by definition. */
const PUBLISHABLE_KEY = /^sb_publishable_[\w-]{16,}$/

function checkedAnonKey({ ANON_KEY: key, JWT_SECRET: secret }: Variables): string | null {
  if (key === undefined) return null
  if (PUBLISHABLE_KEY.test(key)) return key
  const token = v.safeParse(AnonToken, key.split('.'))
  if (token.success && secret === undefined)
    throw new StartupError('ANON_KEY is set without JWT_SECRET, which signs it: set both, or neither.')
  if (token.success && secret !== undefined && isSignedWith(secret, key)) {
    const [, { exp }] = token.output
    if (exp !== undefined && exp * 1000 <= Date.now())
      throw new StartupError('ANON_KEY has expired: sign a new one with JWT_SECRET.')
    return key
  }
  throw new StartupError(
    'ANON_KEY is (hidden), but must be a token of role "anon" signed with JWT_SECRET (HS256), or begin with sb_publishable_ followed by at least 16 characters of your own.',
  )
}

const Json = v.pipe(
  v.string(),
  v.transform((part) => Buffer.from(part, 'base64url').toString('utf8')),
  v.parseJson(),
)
const AnonToken = v.strictTuple([
  v.pipe(Json, v.object({ alg: v.literal('HS256') })),
  v.pipe(Json, v.object({ role: v.literal('anon'), exp: v.optional(v.number()) })),
  v.string(),
])

function isSignedWith(secret: string, token: string): boolean {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const expected = createHmac('sha256', secret).update(`${header}.${claims}`).digest()
  const given = Buffer.from(signature, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** X's own addresses: https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code */
const X_ADDRESSES = {
  X_AUTHORIZE_URL: 'https://x.com/i/oauth2/authorize',
  X_TOKEN_URL: 'https://api.x.com/2/oauth2/token',
  X_PROFILE_URL: 'https://api.x.com/2/users/me',
  X_PICTURE_URL: 'https://pbs.twimg.com',
} as const

function xProviderOf(variables: Variables): XProviderConfig | null {
  const { X_CLIENT_ID: clientId, X_CLIENT_SECRET: clientSecret } = variables
  if (clientId === undefined && clientSecret === undefined) {
    const address = Object.keys(X_ADDRESSES).find((name) => name in variables)
    if (address === undefined) return null
    throw new StartupError(
      `${address} is set without X_CLIENT_ID and X_CLIENT_SECRET: set all of them, or none.`,
    )
  }
  if (clientId === undefined)
    throw new StartupError('X_CLIENT_SECRET is set without X_CLIENT_ID: set both, or neither.')
  if (clientSecret === undefined)
    throw new StartupError('X_CLIENT_ID is set without X_CLIENT_SECRET: set both, or neither.')
  const addressOf = (name: keyof typeof X_ADDRESSES) => variables[name] ?? X_ADDRESSES[name]
  return {
    clientId,
    clientSecret,
    authorizeUrl: addressOf('X_AUTHORIZE_URL'),
    tokenUrl: addressOf('X_TOKEN_URL'),
    profileUrl: addressOf('X_PROFILE_URL'),
    pictureOrigin: addressOf('X_PICTURE_URL'),
  }
}
