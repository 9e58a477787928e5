import type { Services } from '../services.ts'

/** A bucket holds at most `burst` tokens and gains `refill` tokens per `period` (seconds), continuously. */
export interface Quota {
  burst: number
  refill: number
  period: number
  /** Tokens that are left for others, who share the bucket without such a reserve. */
  reserve?: number
}

/** Buckets by key, in the database. Times are the server's clock, never the database's. */
export interface TokenBuckets {
  /** Takes a token. Resolves to 0, or, if the bucket was empty, to the seconds until it has a token. */
  take(key: string, quota: Quota): Promise<number>
  /** Puts a token back. */
  giveBack(key: string, quota: Quota): Promise<void>
}

/**
 * The tokens in a bucket now. A clock that is slightly behind, as the clocks of two servers may be, takes no tokens away. If
 * the bucket's time is more than an hour ahead, it was written by a wrong clock: the bucket counts as full, or clients
 * would be locked out until that time.
 */
const TOKENS = `
  case
    when bucket.updated_at > $4::timestamptz + interval '1 hour' then $2::float8
    else least($2::float8, bucket.tokens
      + greatest(0, extract(epoch from $4::timestamptz - bucket.updated_at)::float8) * $3::float8)
  end`
/** Checking and counting in one statement leaves no gap for concurrent requests. */
const TAKE = `
  insert into intercede.rate_limits as bucket (key, tokens, updated_at) values ($1, $2::float8 - 1, $4)
  on conflict (key) do update set
    tokens = ${TOKENS} - 1,
    updated_at = case
      when bucket.updated_at > $4::timestamptz + interval '1 hour' then $4
      else greatest(bucket.updated_at, $4)
    end
  where ${TOKENS} >= 1 + $5::float8`
const PEEK = `select ${TOKENS} as tokens from intercede.rate_limits bucket where key = $1`
const GIVE_BACK = 'update intercede.rate_limits set tokens = least($2::float8, tokens + 1) where key = $1'

/** `RATE_LIMIT_FACTOR` multiplies the size of a bucket, its reserve, and the rate at which it refills. */
export function createTokenBuckets({ pool, clock, config }: Services): TokenBuckets {
  const parameters = ({ burst, refill, period, reserve = 0 }: Quota) => {
    const size = Math.max(1, burst * config.rateLimitFactor)
    const rate = (refill * config.rateLimitFactor) / period
    return { size, rate, kept: Math.min(reserve * config.rateLimitFactor, size - 1) }
  }
  return {
    take: async (key, quota) => {
      const { size, rate, kept } = parameters(quota)
      const values = [key, size, rate, clock.now()]
      const taken = await pool.query({ name: 'auth:take-token', text: TAKE, values: [...values, kept] })
      if (taken.rowCount === 1) return 0
      const { rows } = await pool.query<{ tokens: number }>({ name: 'auth:peek-bucket', text: PEEK, values })
      return secondsFor(1 + kept - (rows[0]?.tokens ?? 0), rate)
    },
    giveBack: async (key, quota) => {
      const values = [key, parameters(quota).size]
      await pool.query({ name: 'auth:give-back-token', text: GIVE_BACK, values })
    },
  }
}

/** Whole seconds, at least one; a rounding error of the database must not add another. */
function secondsFor(tokens: number, rate: number): number {
  return Math.max(1, Math.ceil(tokens / rate - 0.001))
}
