import { unescape } from 'node:querystring'

/** Key and value of one parameter, decoded. */
export type Parameter = readonly [key: string, value: string]

/** The gateway's parameter, no filter: the public key for clients that can send no header. */
const API_KEY_PARAMETER = 'apikey'

/** The part of an address after `?`, still encoded. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

/** Splits and decodes a query string. Never fails: what is wrongly encoded stays as it can be read. */
export function parseQuery(query: string): Parameter[] {
  const parameters: Parameter[] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const end = pair.indexOf('=')
    const key = decode(end === -1 ? pair : pair.slice(0, end))
    if (key !== API_KEY_PARAMETER) parameters.push([key, end === -1 ? '' : decode(pair.slice(end + 1))])
  }
  return parameters
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return spaced.includes('%') ? unescape(spaced) : spaced
}

/** The address of a read as `Content-Location` states it: parameters sorted by name. */
export function contentLocation(resource: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return `/${encodeURIComponent(resource)}`
  const sorted = parameters.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const query = sorted
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
  return `/${encodeURIComponent(resource)}?${query}`
}
