import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import pino from 'pino'
import { Registry } from 'prom-client'
import webPush from 'web-push'
import { buildApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import type { TokenKeys } from '#server/jwt/token-keys.ts'
import { type Clock, createBackgroundWork, type Services } from '#server/services.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** A clock that moves only when a test moves it. */
export interface TestClock extends Clock {
  advance(seconds: number): void
  set(time: string): void
}

const TEST_TIME = '2026-03-01T09:00:00.000Z'

function createTestClock(start: string = TEST_TIME): TestClock {
  let time = Date.parse(start)
  return {
    now: () => new Date(time),
    advance: (seconds) => {
      time += seconds * 1000
    },
    set: (next) => {
      time = Date.parse(next)
    },
  }
}

export interface TestServer {
  /** Origin without a trailing slash, on a port of its own. */
  url: string
  app: FastifyInstance
  services: Services
  clock: TestClock
  database: TestDatabase
  close(): Promise<void>
}

export interface TestServerOptions {
  config?: Partial<Config>
  /** Start of the server's clock. */
  now?: string
  /** Folder of the built web app; none unless given. */
  webRoot?: string
  logger?: FastifyBaseLogger
  /** In place of a new one. Closing the server drops it. */
  database?: TestDatabase
}

const TEST_SECRET = new TextEncoder().encode('a secret of the tests that is long enough for HS256')

/** Starts the real application, on a database of its own unless one is given. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase())
  const clock = createTestClock(options.now)
  const services: Services = {
    config: { ...testConfig(), ...options.config },
    pool: database.pool,
    dataPool: database.dataPool,
    keys: await createTestKeys(options.config?.anonKey ?? null),
    clock,
    logger: options.logger ?? pino({ level: 'silent' }),
    background: createBackgroundWork(),
    metrics: new Registry(),
  }
  const app = await buildApp(services, options.webRoot ?? null)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    app,
    services,
    clock,
    database,
    close: async () => {
      await app.close()
      await database.drop()
    },
  }
}

function testConfig(): Config {
  return {
    port: 0,
    host: '127.0.0.1',
    siteUrl: 'http://localhost:3000',
    apiUrl: null,
    dataDir: '/nonexistent',
    databaseUrl: null,
    dataDatabaseUrl: null,
    smtpUrl: null,
    mailFrom: 'Intercede <intercede@localhost>',
    confirmEmail: false,
    disableSignup: false,
    secureEmailChange: true,
    redirectUrls: [],
    jwtSecret: null,
    anonKey: null,
    jwtExpiry: 3600,
    rateLimitFactor: 1000,
    trustProxy: false,
    metricsToken: null,
    pushServices: [],
    x: null,
    productName: 'Intercede',
    securityContact: null,
    logLevel: 'silent',
  }
}

async function createTestKeys(given: string | null): Promise<TokenKeys> {
  return {
    secret: TEST_SECRET,
    anonKey: given ?? (await signAnonKey()),
    vapid: webPush.generateVAPIDKeys(),
  }
}

function signAnonKey(): Promise<string> {
  const issuedAt = Date.parse(TEST_TIME) / 1000
  return new SignJWT({ role: 'anon' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('supabase')
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 10 * 365 * 86_400)
    .sign(TEST_SECRET)
}
