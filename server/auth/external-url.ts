import type { Config } from '../config.ts'

/** Where the auth protocol is reached from outside. Never taken from a request: its Host may be anybody's. */
export function externalUrl(config: Config): string {
  return `${config.siteUrl}/auth/v1`
}
