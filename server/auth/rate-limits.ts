import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '#shared/client-network.ts'
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

/**
 * An `onRequest` hook that counts requests before their body is read, so that a client above the limit can't make the server
 * read anything. Fastify sends the error that it throws.
 */
export function countRequests({ limits }: { limits: RateLimits }, endpoint: LimitedEndpoint) {
  return (request: FastifyRequest): Promise<void> => limits.countRequest(request, endpoint)
}

/** Hashed, so that rate limits store no email addresses. */
function emailKey(type: EmailType, email: string): string {
  return `${type}:${createHash('sha256').update(email).digest('base64url')}`
}
