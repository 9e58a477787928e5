import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { networkOf, subnetOf } from '#shared/client-network.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services.ts'
import { isAddressProven, type Account } from './account.ts'
import { isFromKnownNetwork } from './password-attempts.ts'
import { createTokenBuckets, type Quota } from '../db/token-buckets.ts'

const MINUTES = 60
const HOUR = 60 * MINUTES

/**
 * Quotas per client address and endpoint (supabase/auth internal/conf/configuration.go, internal/api/apilimiter).
 * Refreshing is limited per session instead (`EXCHANGES_PER_MINUTE`): refresh tokens can't be guessed.
 */
export const ENDPOINTS = {
  token: { burst: 30, refill: 150, period: 5 * MINUTES },
  authorize: { burst: 30, refill: 150, period: 5 * MINUTES },
  verify: { burst: 30, refill: 30, period: 5 * MINUTES },
  signup: { burst: 30, refill: 30, period: 5 * MINUTES },
  recover: { burst: 30, refill: 30, period: 5 * MINUTES },
  resend: { burst: 30, refill: 30, period: 5 * MINUTES },
  user: { burst: 30, refill: 30, period: 5 * MINUTES },
  reauthenticate: { burst: 30, refill: 30, period: 5 * MINUTES },
  factors: { burst: 30, refill: 75, period: 5 * MINUTES },
  subscription: { burst: 30, refill: 150, period: 5 * MINUTES },
} satisfies Record<string, Quota>

/**
 * For all emails of the installation together. Sign-ups and notices leave a share to the owners of accounts, and all leave one
 * to requests from networks that the account has signed in from.
 */
export const ALL_EMAILS = {
  signup: { burst: 30, refill: 30, period: HOUR, reserve: 10 },
  notice: { burst: 30, refill: 30, period: HOUR, reserve: 10 },
  recovery: { burst: 30, refill: 30, period: HOUR, reserve: 5 },
  email_change_new: { burst: 30, refill: 30, period: HOUR, reserve: 5 },
  email_change_current: { burst: 30, refill: 30, period: HOUR, reserve: 5 },
  reauthentication: { burst: 30, refill: 30, period: HOUR, reserve: 5 },
  known: { burst: 30, refill: 30, period: HOUR },
} satisfies Record<EmailType | 'known', Quota>
/** For all emails that clients on one network (`subnetOf`) request. */
const EMAILS_FROM_NETWORK: Quota = { burst: 10, refill: 10, period: HOUR }
/**
 * For the emails of one type to one address: those that networks request from which the account has signed in, those that
 * all others request, and those that one network requests.
 */
const EMAILS_TO_ADDRESS: Quota = { burst: 5, refill: 5, period: 5 * MINUTES }
export const EMAILS_TO_ADDRESS_FROM_NETWORK: Quota = { burst: 1, refill: 1, period: MINUTES }

export type LimitedEndpoint = keyof typeof ENDPOINTS
/** A `notice` tells the owner of an account what was changed. */
type EmailType =
  'signup' | 'notice' | 'recovery' | 'email_change_new' | 'email_change_current' | 'reauthentication'

/** Quotas stored in the database, so that all servers share them. Each throws 429 when it is exhausted. */
export interface RateLimits {
  /** Counts a request of this client to the endpoint. */
  countRequest(request: FastifyRequest, endpoint: LimitedEndpoint): Promise<void>
  /**
   * Counts an email of this type that a client wants sent to an address. Call it whether or not the address has an account
   * (null), so that the response does not reveal which. Notices to a proven address are limited by address only: whoever has
   * broken into the account could otherwise use up the quotas first.
   */
  countEmail(
    request: FastifyRequest,
    given: { type: EmailType; email: string; account: Account | null },
  ): Promise<CountedEmail>
}

export interface CountedEmail {
  /** Counts it no longer, because it could not be sent. */
  refund(): Promise<void>
  /** Counts it for the client only, who must not notice that there was no account to send it to. */
  refundTotal(): Promise<void>
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
    countEmail: async (request, { type, email, account }) => {
      const network = subnetOf(request.ip)
      const address = emailKey(type, email)
      const isKnown = await isFromKnownNetwork(services, { account, ip: request.ip })
      const share = isKnown ? `${address}:known` : address
      const ofAddress = { key: share, quota: EMAILS_TO_ADDRESS, error: requestedTooSoon }
      const isProvenNotice = type === 'notice' && account !== null && isAddressProven(account)
      const limits = isProvenNotice
        ? [ofAddress]
        : [
            { key: `${address}:${network}`, quota: EMAILS_TO_ADDRESS_FROM_NETWORK, error: requestedTooSoon },
            ofAddress,
            { key: `mail:${network}`, quota: EMAILS_FROM_NETWORK, error: tooManyEmails },
            { key: 'mail', quota: ALL_EMAILS[isKnown ? 'known' : type], error: tooManyEmails },
          ]
      const giveBack = async (counted: typeof limits) => {
        for (const { key, quota } of counted) await buckets.giveBack(key, quota)
      }
      for (const [index, { key, quota, error }] of limits.entries()) {
        const seconds = await buckets.take(key, quota)
        if (seconds === 0) continue
        await giveBack(limits.slice(0, index))
        throw error(seconds)
      }
      return { refund: () => giveBack(limits), refundTotal: () => giveBack(limits.slice(-1)) }
    },
  }
}

function requestedTooSoon(seconds: number): ApiError {
  const message = `For security purposes, you can only request this after ${String(seconds)} seconds.`
  return new ApiError(429, 'over_email_send_rate_limit', message)
}

function tooManyEmails(): ApiError {
  return new ApiError(429, 'over_email_send_rate_limit', 'email rate limit exceeded')
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
