import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { externalUrl } from './external-url.ts'
import { createRateLimits, type RateLimits } from './limits/rate-limits.ts'
import type { Mailer } from './mail/mailer.ts'
import { createOutboxMailer } from './mail/outbox-mailer.ts'
import { createSmtpMailer } from './mail/smtp-mailer.ts'
import { createPasswords, type Passwords } from './passwords/passwords.ts'
import type { XClient } from './x/x-client.ts'

/** What the endpoints of the auth protocol are given. */
export interface AuthServices extends Services {
  passwords: Passwords
  limits: RateLimits
  mailer: Mailer
  /** Null where signing in with X is not configured. */
  x: XClient | null
}

export async function createAuthServices(services: Services): Promise<AuthServices> {
  const { config } = services
  const { smtpUrl, mailFrom } = config
  return {
    ...services,
    passwords: createPasswords(),
    limits: createRateLimits(services),
    x: await createX(config),
    mailer:
      smtpUrl === null ? createOutboxMailer(services) : createSmtpMailer({ url: smtpUrl, from: mailFrom }),
  }
}

/** Its library is loaded only where it is used. */
async function createX(config: Config): Promise<XClient | null> {
  if (config.x === null) return null
  const { createXClient } = await import('./x/x-client.ts')
  return createXClient(config.x, `${externalUrl(config)}/callback`)
}
