import { createHmac } from 'node:crypto'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from './config.ts'
import type { Environment } from './environment.ts'
import { StartupError } from './errors/operator-errors.ts'

const SECRET = 'a secret for the tests, 32 bytes or more'

function token(header: object, payload: object, secret = SECRET): string {
  const body = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}

const ANON_KEY = token({ alg: 'HS256', typ: 'JWT' }, { role: 'anon', iss: 'supabase' })
const PUBLISHABLE_KEY = 'sb_publishable_for-the-tests_0123456789'

describe('without any variables', () => {
  it('the defaults suit one user on one machine', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      siteUrl: 'http://localhost:3000',
      apiUrl: null,
      dataDir: resolve('data'),
      databaseUrl: null,
      dataDatabaseUrl: null,
      smtpUrl: null,
      mailFrom: 'Intercede <no-reply@localhost>',
      confirmEmail: false,
      disableSignup: false,
      secureEmailChange: true,
      redirectUrls: [],
      jwtSecret: null,
      anonKey: null,
      jwtExpiry: 3600,
      rateLimitFactor: 1,
      trustProxy: false,
      metricsToken: null,
      pushServices: [],
      x: null,
      productName: 'Intercede',
      securityContact: null,
      logLevel: 'warn',
    })
  })

  it('an empty variable counts as not set', () => {
    expect(readConfig({ PORT: '', MAIL_FROM: ' ', DATABASE_URL: '', X_CLIENT_ID: '' })).toEqual(
      readConfig({}),
    )
  })
})

describe('accepted values', () => {
  it.each([
    [{ PORT: '8080' }, { port: 8080, siteUrl: 'http://localhost:8080' }],
    [{ PORT: '0' }, { port: 0 }],
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ HOST: '::' }, { host: '::' }],
    [{ SITE_URL: 'https://Prayers.Example.org/' }, { siteUrl: 'https://prayers.example.org' }],
    [{ SITE_URL: 'https://prayers.example.org' }, { mailFrom: 'Intercede <no-reply@prayers.example.org>' }],
    [{ API_URL: 'https://api.example.org/' }, { apiUrl: 'https://api.example.org' }],
    [{ DATA_DIR: '/var/lib/intercede' }, { dataDir: '/var/lib/intercede' }],
    [{ DATABASE_URL: 'postgres://u:p@db/x' }, { databaseUrl: 'postgres://u:p@db/x' }],
    [
      { DATABASE_URL: 'postgres://u:p@db/x?sslmode=require' },
      { databaseUrl: 'postgres://u:p@db/x?sslmode=verify-full' },
    ],
    [{ DATABASE_URL: 'postgresql:///x?host=/run/pg' }, { databaseUrl: 'postgresql:///x?host=/run/pg' }],
    [
      { DATABASE_URL: 'postgres://u:p@db/x', DATA_DATABASE_URL: 'postgres://v:p@db/x' },
      { dataDatabaseUrl: 'postgres://v:p@db/x' },
    ],
    [{ SMTP_URL: 'smtp://mail:25' }, { smtpUrl: 'smtp://mail:25', confirmEmail: true }],
    [{ SMTP_URL: 'smtp://mail:25', AUTH_CONFIRM_EMAIL: 'false' }, { confirmEmail: false }],
    [{ MAIL_FROM: 'a@b.org' }, { mailFrom: 'a@b.org' }],
    [{ MAIL_FROM: 'Prayers <a@b.org>' }, { mailFrom: 'Prayers <a@b.org>' }],
    [{ AUTH_DISABLE_SIGNUP: 'TRUE' }, { disableSignup: true }],
    [{ AUTH_SECURE_EMAIL_CHANGE: 'no' }, { secureEmailChange: false }],
    [
      { AUTH_REDIRECT_URLS: 'https://*.example.org/**, org.example.app://login' },
      { redirectUrls: ['https://*.example.org/**', 'org.example.app://login'] },
    ],
    ...[
      'http://localhost:*/**',
      'https://*-mine.hosting.example/auth?*',
      'https://a.*.example.org:8443',
      'https://*.prayers.co.uk',
      'https://Example.org/{a}/[!b]',
    ].map((pattern): [Environment, Partial<Config>] => [
      { AUTH_REDIRECT_URLS: pattern },
      { redirectUrls: [pattern] },
    ]),
    [
      { JWT_SECRET: SECRET, ANON_KEY },
      { jwtSecret: SECRET, anonKey: ANON_KEY },
    ],
    [{ ANON_KEY: PUBLISHABLE_KEY }, { jwtSecret: null, anonKey: PUBLISHABLE_KEY }],
    [{ JWT_EXPIRY: '120' }, { jwtExpiry: 120 }],
    [{ RATE_LIMIT_FACTOR: '0.5' }, { rateLimitFactor: 0.5 }],
    [{ TRUST_PROXY: 'true' }, { trustProxy: true }],
    [{ TRUST_PROXY: '1' }, { trustProxy: 1 }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1, loopback' }, { trustProxy: '10.0.0.0/8,::1,loopback' }],
    [{ METRICS_TOKEN: 'sixteen-letters!' }, { metricsToken: 'sixteen-letters!' }],
    [{ PRODUCT_NAME: 'Oración' }, { productName: 'Oración', mailFrom: 'Oración <no-reply@localhost>' }],
    [
      { PUSH_SERVICES: 'https://Push.example.org, https://*.example.com,http://127.0.0.1:9000' },
      { pushServices: ['https://push.example.org', 'https://*.example.com', 'http://127.0.0.1:9000'] },
    ],
    [{ SECURITY_CONTACT: 'me@example.org' }, { securityContact: 'mailto:me@example.org' }],
    [{ LOG_LEVEL: 'INFO' }, { logLevel: 'info' }],
  ])('%j', (env, expected) => {
    expect(readConfig(env)).toMatchObject(expected)
  })

  it('for X are an id and a secret, with X’s own addresses as defaults', () => {
    expect(
      readConfig({ X_CLIENT_ID: 'id', X_CLIENT_SECRET: 's', X_TOKEN_URL: 'http://127.0.0.1:9/t' }).x,
    ).toEqual({
      clientId: 'id',
      clientSecret: 's',
      authorizeUrl: 'https://x.com/i/oauth2/authorize',
      tokenUrl: 'http://127.0.0.1:9/t',
      profileUrl: 'https://api.x.com/2/users/me',
      pictureOrigin: 'https://pbs.twimg.com',
    })
  })
})

describe('rejected values', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT is "abc", but must be a whole number from 0 to 65535.'],
    [{ PORT: '65536' }, 'PORT is "65536", but must be a whole number from 0 to 65535.'],
    [{ PORT: '-1' }, 'PORT is "-1", but must be'],
    [{ PORT: '1e3' }, 'PORT is "1e3", but must be'],
    [{ HOST: 'a b' }, 'HOST is "a b", but must be a host name or an IP address'],
    [
      { SITE_URL: 'prayers.example.org' },
      'SITE_URL is "prayers.example.org", but must be an address such as https://',
    ],
    [{ SITE_URL: 'ftp://example.org' }, 'SITE_URL is "ftp://example.org", but must be'],
    [{ SITE_URL: 'https://example.org/app' }, 'without a path.'],
    [{ SITE_URL: 'https://u:p@example.org' }, 'SITE_URL is'],
    [{ API_URL: 'https://example.org/api' }, 'API_URL is "https://example.org/api", but must be'],
    [{ SMTP_URL: 'http://mail' }, 'SMTP_URL is (hidden), but must be an address such as smtps://'],
    [{ SMTP_URL: 'smtp:' }, 'SMTP_URL is (hidden)'],
    [{ SMTP_URL: 'smtp://mail/inbox' }, 'SMTP_URL is (hidden), but must be'],
    [{ SMTP_URL: 'smtp://user:100%@mail' }, 'with %25 for % in user and password.'],
    [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM is "nobody", but must be an address such as'],
    [{ MAIL_FROM: 'A <a@b.org>\nBcc: c@d.org' }, 'MAIL_FROM is'],
    [{ AUTH_CONFIRM_EMAIL: 'maybe' }, 'AUTH_CONFIRM_EMAIL is "maybe", but must be true or false.'],
    [{ AUTH_DISABLE_SIGNUP: '2' }, 'AUTH_DISABLE_SIGNUP is "2", but must be true or false.'],
    [{ AUTH_REDIRECT_URLS: 'https://a.org,**' }, 'AUTH_REDIRECT_URLS contains "**", but must be addresses'],
    ...[
      'https://**',
      'https://*',
      'http://*/**',
      'https://*.org/**',
      'https://*.*',
      'https://example.*',
      'https://example.org**',
      'https://example.org?**',
      'https://**.example.org/**',
      'https://[a-z].org',
      'https://{example}.org',
      'https:///**',
      'https://*.co.uk',
      'https://*-mine.com.au:8443/**',
    ].map((pattern): [Environment, string] => [
      { AUTH_REDIRECT_URLS: pattern },
      `AUTH_REDIRECT_URLS contains "${pattern}", but must be addresses such as https://*.example.org/**, with a domain,`,
    ]),
    [{ JWT_SECRET: 'short' }, 'JWT_SECRET is (hidden), but must be at least 32 bytes long.'],
    [{ JWT_EXPIRY: '60' }, 'JWT_EXPIRY is "60", but must be a whole number from 120 to 604800.'],
    [
      { DATA_DATABASE_URL: 'postgres://v:p@db/x' },
      'DATA_DATABASE_URL is set without DATABASE_URL: set both, or neither.',
    ],
    [{ ANON_KEY }, 'ANON_KEY is set without JWT_SECRET'],
    [{ RATE_LIMIT_FACTOR: '0' }, 'RATE_LIMIT_FACTOR is "0", but must be a number above 0'],
    [{ RATE_LIMIT_FACTOR: 'fast' }, 'RATE_LIMIT_FACTOR is "fast"'],
    [{ TRUST_PROXY: 'nginx' }, 'TRUST_PROXY is "nginx", but must be true, false, a number of proxies'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY is "10.0.0.0/33"'],
    [{ X_CLIENT_ID: 'id' }, 'X_CLIENT_ID is set without X_CLIENT_SECRET: set both, or neither.'],
    [{ X_CLIENT_SECRET: 's' }, 'X_CLIENT_SECRET is set without X_CLIENT_ID: set both, or neither.'],
    [{ X_TOKEN_URL: 'https://a.org' }, 'X_TOKEN_URL is set without X_CLIENT_ID and X_CLIENT_SECRET'],
    [
      { X_CLIENT_ID: 'id', X_CLIENT_SECRET: 's', X_TOKEN_URL: 'http://a.org' },
      'X_TOKEN_URL is "http://a.org", but must be an https address.',
    ],
    [
      { X_CLIENT_ID: 'id', X_CLIENT_SECRET: 's', X_PICTURE_URL: 'https://a.org/pictures' },
      'X_PICTURE_URL is "https://a.org/pictures", but must be an https address, without a path.',
    ],
    ...[
      'push.example.org',
      'http://push.example.org',
      'https://push.example.org/path',
      'https://*.org',
      'https://*',
      'https://10.0.0.1',
      'https://*.0.0.1',
      'https://[::1]',
      'https://localhost:9000',
      'https://push.localhost',
    ].map((service): [Environment, string] => [
      { PUSH_SERVICES: service },
      `PUSH_SERVICES contains "${service}", but must be`,
    ]),
    [{ PRODUCT_NAME: 'A <b>' }, 'PRODUCT_NAME is "A <b>", but must be at most 60 characters'],
    [
      { METRICS_TOKEN: 'fifteen-letters' },
      'METRICS_TOKEN is (hidden), but must be at least 16 characters long',
    ],
    [{ METRICS_TOKEN: 'with a space, which ends it' }, 'METRICS_TOKEN is (hidden)'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud", but must be one of trace, debug'],
  ])('%j', (env, message) => {
    const read = () => readConfig(env)
    expect(read).toThrow(StartupError)
    expect(read).toThrow(message)
  })

  it.each([
    ['signed with another secret', token({ alg: 'HS256' }, { role: 'anon' }, 'x'.repeat(40))],
    ['for another role', token({ alg: 'HS256' }, { role: 'service_role' })],
    ['with another algorithm', token({ alg: 'none' }, { role: 'anon' })],
    ['with too few parts', 'abc.def'],
    ['that is a secret key', 'sb_secret_for-the-tests_0123456789'],
    ['that is a publishable key, but too short', 'sb_publishable_short'],
    ['that is not JSON', `${Buffer.from('x').toString('base64url')}.e30.AAAA`],
  ])('an ANON_KEY %s', (_what, key) => {
    const read = () => readConfig({ JWT_SECRET: SECRET, ANON_KEY: key })
    expect(read).toThrow('ANON_KEY is (hidden), but must be a token of role "anon" signed with JWT_SECRET')
    expect(read).toThrow('or begin with sb_publishable_')
  })

  it('an ANON_KEY that has expired', () => {
    const withExpiry = (exp: number) =>
      readConfig({ JWT_SECRET: SECRET, ANON_KEY: token({ alg: 'HS256' }, { role: 'anon', exp }) })
    expect(() => withExpiry(1_000_000_000)).toThrow('ANON_KEY has expired: sign a new one with JWT_SECRET.')
    expect(withExpiry(100_000_000_000).anonKey).not.toBeNull()
  })

  it.each(['sb_publishable_short', 'abc.def', token({ alg: 'HS256' }, { role: 'service_role' })])(
    'an ANON_KEY of another form, before its secret is missed: %s',
    (key) => {
      expect(() => readConfig({ ANON_KEY: key })).toThrow('or begin with sb_publishable_')
    },
  )

  it.each([
    'JWT_SECRET',
    'ANON_KEY',
    'METRICS_TOKEN',
    'X_CLIENT_SECRET',
    'DATABASE_URL',
    'DATA_DATABASE_URL',
    'SMTP_URL',
  ])('blanks as %s', (name) => {
    const read = () => readConfig({ [name]: ' \t'.repeat(20) })
    expect(read).toThrow(StartupError)
    expect(read).toThrow(`${name} consists of blanks: set it, or leave it empty.`)
  })

  it('are never repeated in the message if they are secret', () => {
    for (const name of [
      'DATABASE_URL',
      'DATA_DATABASE_URL',
      'SMTP_URL',
      'JWT_SECRET',
      'METRICS_TOKEN',
      'ANON_KEY',
    ]) {
      expect(() => readConfig({ [name]: 'hush' })).toThrow(/^(?!.*hush)/)
    }
  })
})
