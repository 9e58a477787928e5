import { createHmac } from 'node:crypto'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './configuration/config-error.ts'

const SECRET = 'a secret of the tests, 32 bytes or more'

function token(header: object, payload: object, secret = SECRET): string {
  const body = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}

const ANON_KEY = token({ alg: 'HS256', typ: 'JWT' }, { role: 'anon', iss: 'supabase' })
const PUBLISHABLE_KEY = 'sb_publishable_of-the-tests_0123456789'

describe('without any variable', () => {
  it('the configuration suits one person on one machine', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      siteUrl: 'http://localhost:3000',
      apiUrl: null,
      dataDir: resolve('data'),
      databaseUrl: null,
      smtpUrl: null,
      mailFrom: 'Intercede <no-reply@localhost>',
      confirmEmail: false,
      disableSignup: false,
      redirectUrls: [],
      jwtSecret: null,
      anonKey: null,
      jwtExpiry: 3600,
      rateLimitFactor: 1,
      trustProxy: false,
      metricsToken: null,
      x: null,
      productName: 'Intercede',
      securityContact: null,
      logLevel: 'warn',
    })
  })

  it('an empty variable is as none', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', X_CLIENT_ID: '' })).toEqual(readConfig({}))
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
    [{ DATABASE_URL: 'postgresql:///x?host=/run/pg' }, { databaseUrl: 'postgresql:///x?host=/run/pg' }],
    [{ SMTP_URL: 'smtp://mail:25' }, { smtpUrl: 'smtp://mail:25', confirmEmail: true }],
    [{ SMTP_URL: 'smtp://mail:25', AUTH_CONFIRM_EMAIL: 'false' }, { confirmEmail: false }],
    [{ MAIL_FROM: 'a@b.org' }, { mailFrom: 'a@b.org' }],
    [{ MAIL_FROM: 'Prayers <a@b.org>' }, { mailFrom: 'Prayers <a@b.org>' }],
    [{ AUTH_DISABLE_SIGNUP: 'TRUE' }, { disableSignup: true }],
    [
      { AUTH_REDIRECT_URLS: 'https://*.example.org/**, org.example.app://login' },
      { redirectUrls: ['https://*.example.org/**', 'org.example.app://login'] },
    ],
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
    [{ SECURITY_CONTACT: 'me@example.org' }, { securityContact: 'mailto:me@example.org' }],
    [{ LOG_LEVEL: 'INFO' }, { logLevel: 'info' }],
  ])('%j', (env, expected) => {
    expect(readConfig(env)).toMatchObject(expected)
  })

  it('for X need an id and a secret, and default to X’s own addresses', () => {
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

describe('refused values', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT is "abc", and must be a whole number from 0 to 65535.'],
    [{ PORT: '65536' }, 'PORT is "65536", and must be a whole number from 0 to 65535.'],
    [{ PORT: '-1' }, 'PORT is "-1", and must be'],
    [{ PORT: '1e3' }, 'PORT is "1e3", and must be'],
    [{ HOST: 'a b' }, 'HOST is "a b", and must be a host name or an IP address'],
    [
      { SITE_URL: 'prayers.example.org' },
      'SITE_URL is "prayers.example.org", and must be an address such as https://',
    ],
    [{ SITE_URL: 'ftp://example.org' }, 'SITE_URL is "ftp://example.org", and must be'],
    [{ SITE_URL: 'https://example.org/app' }, 'without a path.'],
    [{ SITE_URL: 'https://u:p@example.org' }, 'SITE_URL is'],
    [{ API_URL: 'https://example.org/api' }, 'API_URL is "https://example.org/api", and must be'],
    [{ SMTP_URL: 'http://mail' }, 'SMTP_URL is (hidden), and must be an address such as smtps://'],
    [{ SMTP_URL: 'smtp:' }, 'SMTP_URL is (hidden)'],
    [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM is "nobody", and must be an address such as'],
    [{ MAIL_FROM: 'A <a@b.org>\nBcc: c@d.org' }, 'MAIL_FROM is'],
    [{ AUTH_CONFIRM_EMAIL: 'maybe' }, 'AUTH_CONFIRM_EMAIL is "maybe", and must be true or false.'],
    [{ AUTH_DISABLE_SIGNUP: '2' }, 'AUTH_DISABLE_SIGNUP is "2", and must be true or false.'],
    [{ AUTH_REDIRECT_URLS: 'https://a.org,**' }, 'AUTH_REDIRECT_URLS contains "**", and must be addresses'],
    [{ JWT_SECRET: 'short' }, 'JWT_SECRET is (hidden), and must be at least 32 bytes long.'],
    [{ JWT_EXPIRY: '60' }, 'JWT_EXPIRY is "60", and must be a whole number from 120 to 604800.'],
    [{ ANON_KEY }, 'ANON_KEY is set without JWT_SECRET'],
    [{ RATE_LIMIT_FACTOR: '0' }, 'RATE_LIMIT_FACTOR is "0", and must be a number above 0'],
    [{ RATE_LIMIT_FACTOR: 'fast' }, 'RATE_LIMIT_FACTOR is "fast"'],
    [{ TRUST_PROXY: 'nginx' }, 'TRUST_PROXY is "nginx", and must be true, false, a number of proxies'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY is "10.0.0.0/33"'],
    [{ X_CLIENT_ID: 'id' }, 'X_CLIENT_ID is set without X_CLIENT_SECRET: set both, or neither.'],
    [{ X_CLIENT_SECRET: 's' }, 'X_CLIENT_SECRET is set without X_CLIENT_ID: set both, or neither.'],
    [{ X_TOKEN_URL: 'https://a.org' }, 'X_TOKEN_URL is set without X_CLIENT_ID and X_CLIENT_SECRET'],
    [
      { X_CLIENT_ID: 'id', X_CLIENT_SECRET: 's', X_TOKEN_URL: 'http://a.org' },
      'X_TOKEN_URL is "http://a.org", and must be an https address.',
    ],
    [{ PRODUCT_NAME: 'A <b>' }, 'PRODUCT_NAME is "A <b>", and must be at most 60 characters'],
    [
      { METRICS_TOKEN: 'fifteen-letters' },
      'METRICS_TOKEN is (hidden), and must be at least 16 characters long',
    ],
    [{ METRICS_TOKEN: 'with a space, which ends it' }, 'METRICS_TOKEN is (hidden)'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud", and must be one of trace, debug'],
  ])('%j', (env, sentence) => {
    const attempt = () => readConfig(env)
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(sentence)
  })

  it.each([
    ['another secret', token({ alg: 'HS256' }, { role: 'anon' }, 'x'.repeat(40))],
    ['another role', token({ alg: 'HS256' }, { role: 'service_role' })],
    ['another algorithm', token({ alg: 'none' }, { role: 'anon' })],
    ['too few parts', 'abc.def'],
    ['a key that is to stay secret', 'sb_secret_of-the-tests_0123456789'],
    ['a publishable key that is too short', 'sb_publishable_short'],
    ['no JSON', `${Buffer.from('x').toString('base64url')}.e30.AAAA`],
  ])('ANON_KEY of %s', (_what, key) => {
    const attempt = () => readConfig({ JWT_SECRET: SECRET, ANON_KEY: key })
    expect(attempt).toThrow('ANON_KEY is (hidden), and must be a token of role "anon" signed with JWT_SECRET')
    expect(attempt).toThrow('or begin with sb_publishable_')
  })

  it('never shows a secret', () => {
    for (const name of ['DATABASE_URL', 'SMTP_URL', 'JWT_SECRET', 'METRICS_TOKEN']) {
      expect(() => readConfig({ [name]: 'hush' })).toThrow(/^(?!.*hush)/)
    }
  })
})
