import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { textFields } from './request-body.ts'

/** Longer URLs are rejected; this also bounds the work of matching patterns. */
const MAX_LENGTH = 2048
/**
 * What every browser parses alike: two slashes, a plain host or a bracketed IPv6 address, a port, and then a path, a
 * query or the end. No user names, backslashes, escapes or non-ASCII characters in the host.
 */
const PLAIN_URL =
  /^(?<scheme>https?):\/\/(?<host>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::\d{1,5})?(?=[/?#]|$)/i
/** What a header can carry; everything else has to be percent-encoded. */
const PRINTABLE_ASCII = /^[!-~]+$/
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/
const LOOPBACK_IPV4 = /^127\.\d+\.\d+\.\d+$/
const LOOPBACK_IPV6 = '[::1]'

/**
 * Where the browser is sent after a link or a provider: the request's `redirect_to` (header, then form or query), else
 * the page it came from, else the site itself. URLs that are not allowed are silently skipped.
 * supabase/auth internal/utilities/request.go GetReferrer.
 */
export function redirectTarget(request: FastifyRequest, config: Config): string {
  const candidates = [requestedTarget(request), request.headers.referer]
  return candidates.find((url) => url !== undefined && isAllowedTarget(url, config)) ?? config.siteUrl
}

function requestedTarget(request: FastifyRequest): string | undefined {
  const header = request.headers['redirect_to']
  if (typeof header === 'string' && header !== '') return header
  for (const fields of [request.body, request.query]) {
    const target = textFields(fields).get('redirect_to') ?? ''
    if (target !== '') return target
  }
  return undefined
}

/**
 * Whether a browser may be sent to a URL with a user's tokens: to the site itself (any port if that is this machine),
 * to a loopback address if the site has one or is at localhost, or to whatever matches a configured pattern. Only http and
 * https. On a user's own machine, any program could wait for the tokens of a site that is elsewhere.
 * supabase/auth internal/utilities/request.go IsRedirectURLValid, but stricter about the form of the URL.
 */
export function isAllowedTarget(target: string, config: Pick<Config, 'siteUrl' | 'redirectUrls'>): boolean {
  const url = parsePlainUrl(target)
  if (url === null) return false
  const site = new URL(config.siteUrl)
  if (url.protocol === site.protocol && url.hostname === site.hostname) {
    if (url.port === site.port || isThisMachine(url.hostname)) return true
  }
  if (isIpAddress(url.hostname)) return isLoopbackAddress(url.hostname) && isThisMachine(site.hostname)
  const [withoutFragment = ''] = target.split('#')
  return config.redirectUrls.some((pattern) => compileUrlPattern(pattern).test(withoutFragment))
}

/** The parsed URL; null when browsers might not all parse it the same way. */
function parsePlainUrl(target: string): URL | null {
  if (target.length > MAX_LENGTH || !PRINTABLE_ASCII.test(target)) return null
  const host = PLAIN_URL.exec(target)?.groups?.['host']?.toLowerCase()
  if (host === undefined || !URL.canParse(target)) return null
  const url = new URL(target)
  // Hosts that parsing changes, such as 2130706433 or 0x7f.1, are rejected.
  return url.hostname === host ? url : null
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopbackAddress(hostname)
}

function isIpAddress(hostname: string): boolean {
  return hostname.startsWith('[') || IPV4.test(hostname)
}

function isLoopbackAddress(hostname: string): boolean {
  return hostname === LOOPBACK_IPV6 || LOOPBACK_IPV4.test(hostname)
}

/**
 * Compiles a pattern of allowed URLs: `*` and `?` match anything but the separators `.` and `/`, `**` matches those too;
 * `[a-z]`, `[!a]`, `{one,two}` and `\` mean what they usually do. These are the rules of github.com/gobwas/glob as GoTrue
 * uses it (internal/conf/configuration.go), which no glob package on npm implements.
 */
export function compileUrlPattern(pattern: string): RegExp {
  return new RegExp(`^${translatePattern(pattern)}$`, 's')
}

const PATTERN_TOKEN =
  /\\(?<escaped>.)|(?<any>\*\*+)|(?<some>\*)|(?<one>\?)|\[(?<not>!?)(?<set>[^\]]+)\]|\{(?<choice>[^{}]*)\}|(?<plain>.)/gsu

function translatePattern(pattern: string): string {
  return Array.from(pattern.matchAll(PATTERN_TOKEN), ({ groups = {} }) => {
    if (groups['any'] !== undefined) return '.*'
    if (groups['some'] !== undefined) return '[^./]*'
    if (groups['one'] !== undefined) return '[^./]'
    if (groups['set'] !== undefined) return `[${groups['not'] === '!' ? '^' : ''}${escapeSet(groups['set'])}]`
    if (groups['choice'] !== undefined)
      return `(?:${groups['choice'].split(',').map(translatePattern).join('|')})`
    return escapeLiteral(groups['escaped'] ?? groups['plain'] ?? '')
  }).join('')
}

function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

function escapeSet(text: string): string {
  return text.replace(/[\\^[\]]/g, '\\$&')
}
