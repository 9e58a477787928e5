import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services.ts'
import { createTokenBuckets, type Quota } from './token-buckets.ts'

const MINUTES = 60
const HOUR = 60 * MINUTES

/**
 * Quotas per client address and endpoint (supabase/auth internal/conf/configuration.go, internal/api/apilimiter).
 * Refreshing is not limited at all: a rejected refresh signs a user out, and refresh tokens can't be guessed.
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

/** For all emails of the installation together. */
export const ALL_EMAILS: Quota = { burst: 30, refill: 30, period: HOUR }
/** For the emails of one type to one address. */
export const EMAILS_TO_ADDRESS: Quota = { burst: 1, refill: 1, period: MINUTES }

export type LimitedEndpoint = keyof typeof ENDPOINTS
export type EmailType = 'signup' | 'recovery'

/** Quotas stored in the database, so that all servers share them. Each throws 429 when it is exhausted. */
export interface RateLimits {
  /** Counts a request of this client to the endpoint. */
  countRequest(request: FastifyRequest, endpoint: LimitedEndpoint): Promise<void>
  /**
   * Counts an attempt to send an email of this type to an address. Call it whether or not the address has an account,
   * so that the response does not reveal which.
   */
  countEmailTo(type: EmailType, email: string): Promise<void>
  /** Undoes `countEmailTo`, because the email could not be sent. */
  refundEmailTo(type: EmailType, email: string): Promise<void>
  /** Counts an email that is about to be sent. */
  countEmail(): Promise<void>
  /** Throws as `countEmail` would, but counts nothing. */
  checkEmail(): Promise<void>
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
    countEmailTo: async (type, email) => {
      const seconds = await buckets.take(emailKey(type, email), EMAILS_TO_ADDRESS)
      if (seconds === 0) return
      const message = `For security purposes, you can only request this after ${String(seconds)} seconds.`
      throw new ApiError(429, 'over_email_send_rate_limit', message)
    },
    refundEmailTo: async (type, email) => buckets.refill(emailKey(type, email)),
    countEmail: async () => rejectWaiting(await buckets.take('mail', ALL_EMAILS)),
    checkEmail: async () => rejectWaiting(await buckets.peek('mail', ALL_EMAILS)),
  }
}

function rejectWaiting(seconds: number): void {
  if (seconds > 0) throw new ApiError(429, 'over_email_send_rate_limit', 'email rate limit exceeded')
}

/** Hashed, so that rate limits store no email addresses. */
function emailKey(type: EmailType, email: string): string {
  return `${type}:${createHash('sha256').update(email).digest('base64url')}`
}

/** The network around a client, as it is given to a home or an office: /24 for IPv4, /48 for IPv6. */
export function subnetOf(ip: string): string {
  const client = networkOf(ip)
  return client.includes(':')
    ? `${client.split(':').slice(0, 3).join(':')}::/48`
    : `${client.split('.').slice(0, 3).join('.')}.0/24`
}

/** The client that an IP address stands for: an IPv4 address itself, or the /64 network of an IPv6 address. */
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
