import type { Config } from '../config.ts'

/** Where the auth protocol is reached from outside. Never taken from a request: its Host may be anybody's. */
export function externalUrl(config: Pick<Config, 'apiUrl' | 'siteUrl'>): string {
  return `${config.apiUrl ?? config.siteUrl}/auth/v1`
}
