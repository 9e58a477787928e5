import type { FastifyRequest } from 'fastify'
import { fieldsOf } from '#shared/fields.ts'
import type { Config } from '../../config.ts'
import { compileAddressPattern } from './address-pattern.ts'

/** Longer addresses are not followed; it also bounds the work of matching patterns. */
const MAX_LENGTH = 2048
/**
 * Exactly what every browser reads alike: two slashes, a plain host or a bracketed IPv6 address, a port, and then a
 * path, a query or the end. No user names, backslashes, escapes or other scripts in the host.
 */
const PLAIN_ADDRESS =
  /^(?<scheme>https?):\/\/(?<host>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::\d{1,5})?(?=[/?#]|$)/i
/** What a header can carry; everything else has to come percent-encoded. */
const PRINTABLE_ASCII = /^[!-~]+$/
const LITERAL_IPV4 = /^\d+\.\d+\.\d+\.\d+$/
const LOOPBACK_IPV4 = /^127\.\d+\.\d+\.\d+$/
const LOOPBACK_IPV6 = '[::1]'

/**
 * Where a person is sent after a link or a provider: the request's `redirect_to` (header, then query or form), else the
 * page it came from, else the site itself. Addresses that are not allowed are passed over in silence.
 * supabase/auth internal/utilities/request.go GetReferrer.
 */
export function redirectTarget(request: FastifyRequest, config: Config): string {
  const candidates = [requestedTarget(request), request.headers.referer]
  return candidates.find((one) => one !== undefined && isAllowedTarget(one, config)) ?? config.siteUrl
}

function requestedTarget(request: FastifyRequest): string | undefined {
  const header = request.headers['redirect_to']
  if (typeof header === 'string' && header !== '') return header
  for (const fields of [request.body, request.query]) {
    const [value] = [fieldsOf(fields)['redirect_to']].flat()
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/**
 * Whether people may be sent to an address with their tokens: on the site itself (any port where it is this machine),
 * on this machine by its loopback address, or matching a configured pattern. Only http and https.
 * supabase/auth internal/utilities/request.go IsRedirectURLValid, and stricter about what an address looks like.
 */
export function isAllowedTarget(target: string, config: Pick<Config, 'siteUrl' | 'redirectUrls'>): boolean {
  const url = readAddress(target)
  if (url === null) return false
  const site = new URL(config.siteUrl)
  if (url.protocol === site.protocol && url.hostname === site.hostname) {
    if (url.port === site.port || isThisMachine(url.hostname)) return true
  }
  if (isLiteralAddress(url.hostname)) return isLoopbackAddress(url.hostname)
  const [withoutFragment = ''] = target.split('#')
  return config.redirectUrls.some((pattern) => compileAddressPattern(pattern).test(withoutFragment))
}

/** The address as browsers understand it; null when they might not all understand the same. */
function readAddress(target: string): URL | null {
  if (target.length > MAX_LENGTH || !PRINTABLE_ASCII.test(target)) return null
  const host = PLAIN_ADDRESS.exec(target)?.groups?.['host']?.toLowerCase()
  if (host === undefined || !URL.canParse(target)) return null
  const url = new URL(target)
  // Numbers like 2130706433 or 0x7f.1 become another host on the way, and are not taken.
  return url.hostname === host ? url : null
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopbackAddress(hostname)
}

function isLiteralAddress(hostname: string): boolean {
  return hostname.startsWith('[') || LITERAL_IPV4.test(hostname)
}

function isLoopbackAddress(hostname: string): boolean {
  return hostname === LOOPBACK_IPV6 || LOOPBACK_IPV4.test(hostname)
}
