/**
 * How long a client may take, in milliseconds. Whoever sends a byte now and then would else hold connections for ever,
 * and so would whoever asks for much and never reads the answer.
 */
export const SLOW_CLIENT_LIMITS = {
  /** Without a byte in either direction while a request is under way. */
  connectionTimeout: 60_000,
  /** From the first byte of a request to its last. */
  requestTimeout: 60_000,
  http: {
    /** From the first byte of a request, or the opening of the connection, to the end of its headers. */
    headersTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
  },
} as const
