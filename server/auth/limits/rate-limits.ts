import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../errors/api-error.ts'
import type { Services } from '../../services.ts'
import { createTokenBuckets, type Quota } from './token-buckets.ts'

const MINUTES = 60
const HOUR = 60 * MINUTES

/**
 * Quotas per client address and endpoint (supabase/auth internal/conf/configuration.go, internal/api/apilimiter).
 * Refreshing is not limited at all: a refused refresh signs a person out, and the tokens can't be guessed.
 */
export const ENDPOINTS = {
  token: { burst: 30, refill: 150, period: 5 * MINUTES },
  authorize: { burst: 30, refill: 150, period: 5 * MINUTES },
  verify: { burst: 30, refill: 30, period: 5 * MINUTES },
  signup: { burst: 30, refill: 30, period: 5 * MINUTES },
  recover: { burst: 30, refill: 30, period: 5 * MINUTES },
  resend: { burst: 30, refill: 30, period: 5 * MINUTES },
  user: { burst: 30, refill: 30, period: 5 * MINUTES },
} satisfies Record<string, Quota>

/** All mails of the installation together, and the mails of one kind to one address. */
export const ALL_MAILS: Quota = { burst: 30, refill: 30, period: HOUR }
export const ONE_ADDRESS: Quota = { burst: 1, refill: 1, period: MINUTES }

export type LimitedEndpoint = keyof typeof ENDPOINTS
export type MailKind = 'signup' | 'recovery'

/** Quotas kept in the database, so that they hold across servers. Each refuses with 429. */
export interface RateLimits {
  /** Counts a request of this client to the endpoint. */
  countRequest(request: FastifyRequest, endpoint: LimitedEndpoint): Promise<void>
  /**
   * Counts an attempt to have a mail of this kind sent to an address, whether or not it has an account: so the answer
   * does not tell.
   */
  countMailTo(kind: MailKind, email: string): Promise<void>
  /** Takes an attempt back, because no mail could be sent. */
  forgiveMailTo(kind: MailKind, email: string): Promise<void>
  /** Counts a mail that is about to be sent. */
  countMail(): Promise<void>
  /** Refuses as `countMail` would, but counts nothing. */
  checkMail(): Promise<void>
}

export function createRateLimits(services: Services): RateLimits {
  const buckets = createTokenBuckets(services)
  return {
    countRequest: async (request, endpoint) => {
      const key = `${endpoint}:${networkOf(request.ip)}`
      if ((await buckets.take(key, ENDPOINTS[endpoint])) > 0) {
        throw new ApiError(429, 'over_request_rate_limit', 'Request rate limit reached')
      }
    },
    countMailTo: async (kind, email) => refuseSoonMail(await buckets.take(mailKey(kind, email), ONE_ADDRESS)),
    forgiveMailTo: async (kind, email) => buckets.refill(mailKey(kind, email)),
    countMail: async () => refuseMail(await buckets.take('mail', ALL_MAILS)),
    checkMail: async () => refuseMail(await buckets.peek('mail', ALL_MAILS)),
  }
}

function refuseSoonMail(seconds: number): void {
  if (seconds === 0) return
  const message = `For security purposes, you can only request this after ${String(seconds)} seconds.`
  throw new ApiError(429, 'over_email_send_rate_limit', message)
}

function refuseMail(seconds: number): void {
  if (seconds > 0) throw new ApiError(429, 'over_email_send_rate_limit', 'email rate limit exceeded')
}

/** Addresses are not kept for the sake of limits. */
function mailKey(kind: MailKind, email: string): string {
  return `${kind}:${createHash('sha256').update(email).digest('base64url')}`
}

/** One household or machine has a whole /64 of IPv6; an IPv4 address stands for itself. */
export function networkOf(ip: string): string {
  const [address = ''] = ip.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const front = head.split(':').filter((group) => group !== '')
  const back = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  return `${[...front, ...zeros, ...back]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
