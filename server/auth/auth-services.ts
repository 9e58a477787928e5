import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { createMailer, type Mailer } from '../mail/mailers.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'
import { createXProvider, type XProvider } from './x-provider.ts'

/** What the endpoints of the auth protocol need. */
export interface AuthServices extends Services {
  passwords: Passwords
  limits: RateLimits
  mailer: Mailer
  /** Null where signing in with X is not configured. */
  x: XProvider | null
}

export function createAuthServices(services: Services): AuthServices {
  const { config } = services
  return {
    ...services,
    passwords: createPasswords(),
    limits: createRateLimits(services),
    mailer: createMailer(services),
    x: config.x === null ? null : createXProvider(config.x, `${authUrl(config)}/callback`),
  }
}

/** The public URL of the auth API. Never taken from a request, whose Host header could be forged. */
export function authUrl(config: Pick<Config, 'apiUrl' | 'siteUrl'>): string {
  return `${config.apiUrl ?? config.siteUrl}/auth/v1`
}
