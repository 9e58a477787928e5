import type { Services } from '../services.ts'
import { externalUrl } from './external-url.ts'
import { createRateLimits, type RateLimits } from './limits/rate-limits.ts'
import type { Mailer } from './mail/mailer.ts'
import { createOutboxMailer } from './mail/outbox-mailer.ts'
import { createSmtpMailer } from './mail/smtp-mailer.ts'
import { createPasswords, type Passwords } from './passwords/passwords.ts'
import { createXClient, type XClient } from './x/x-client.ts'

/** What the endpoints of the auth protocol are given. */
export interface AuthServices extends Services {
  passwords: Passwords
  limits: RateLimits
  mailer: Mailer
  /** Null where signing in with X is not configured. */
  x: XClient | null
}

export function createAuthServices(services: Services): AuthServices {
  const { config } = services
  const { smtpUrl, mailFrom } = config
  return {
    ...services,
    passwords: createPasswords(),
    limits: createRateLimits(services),
    x: config.x === null ? null : createXClient(config.x, `${externalUrl(config)}/callback`),
    mailer:
      smtpUrl === null ? createOutboxMailer(services) : createSmtpMailer({ url: smtpUrl, from: mailFrom }),
  }
}
