import type { Services } from '../../services.ts'

/** A bucket holds at most `burst` tokens and gains `refill` of them in each `period` (seconds), steadily. */
export interface Quota {
  burst: number
  refill: number
  period: number
}

/** Buckets by name, in the database. Times are the server's clock, never the database's. */
export interface TokenBuckets {
  /** Takes a token. Resolves to 0, or, when there was none, to the seconds until there is one. */
  take(key: string, quota: Quota): Promise<number>
  /** As `take`, but leaves the bucket as it is. */
  peek(key: string, quota: Quota): Promise<number>
  /** Fills the bucket again. */
  refill(key: string): Promise<void>
}

/**
 * What is in a bucket now. A clock that is a little behind, as those of two servers are, takes nothing back. One that is an
 * hour behind what was written was wrong then: such a bucket counts as full, or nobody could do anything until that hour
 * comes.
 */
const HELD = `
  case
    when bucket.updated_at > $4::timestamptz + interval '1 hour' then $2::float8
    else least($2::float8, bucket.tokens
      + greatest(0, extract(epoch from $4::timestamptz - bucket.updated_at)::float8) * $3::float8)
  end`
/** One statement decides and counts, so that servers and requests can't slip between the two. */
const TAKE = `
  insert into intercede.rate_limits as bucket (key, tokens, updated_at) values ($1, $2::float8 - 1, $4)
  on conflict (key) do update set
    tokens = ${HELD} - 1,
    updated_at = case
      when bucket.updated_at > $4::timestamptz + interval '1 hour' then $4
      else greatest(bucket.updated_at, $4)
    end
  where ${HELD} >= 1`
const PEEK = `select ${HELD} as tokens from intercede.rate_limits bucket where key = $1`
const REFILL = 'delete from intercede.rate_limits where key = $1'

/** `RATE_LIMIT_FACTOR` multiplies both what a bucket holds and how fast it refills. */
export function createTokenBuckets({ pool, clock, config }: Services): TokenBuckets {
  const parameters = (key: string, { burst, refill, period }: Quota) => {
    const rate = (refill * config.rateLimitFactor) / period
    return { rate, values: [key, Math.max(1, burst * config.rateLimitFactor), rate, clock.now()] }
  }
  const peek = async (key: string, quota: Quota) => {
    const { rate, values } = parameters(key, quota)
    const { rows } = await pool.query<{ tokens: number }>({ name: 'auth:peek-bucket', text: PEEK, values })
    const tokens = rows[0]?.tokens ?? 1
    return tokens >= 1 ? 0 : secondsFor(1 - tokens, rate)
  }
  return {
    peek,
    take: async (key, quota) => {
      const { values } = parameters(key, quota)
      const { rowCount } = await pool.query({ name: 'auth:take-token', text: TAKE, values })
      return rowCount === 1 ? 0 : Math.max(1, await peek(key, quota))
    },
    refill: async (key) => {
      await pool.query({ name: 'auth:refill-bucket', text: REFILL, values: [key] })
    },
  }
}

/** Whole seconds, at least one; a rounding error of the database is not a second. */
function secondsFor(tokens: number, rate: number): number {
  return Math.max(1, Math.ceil(tokens / rate - 0.001))
}
