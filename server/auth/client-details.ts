import { isUtf8 } from 'node:buffer'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** What is stored about the device that holds a session. */
export interface ClientDetails {
  userAgent: string | null
  ip: string | null
}

/** In characters. */
const USER_AGENT_MAX_LENGTH = 512

/** The client's details, without anything that the database could not store. */
export function clientDetails({
  headers,
  ip: address,
}: Pick<FastifyRequest, 'headers' | 'ip'>): ClientDetails {
  const userAgent = headers['user-agent']
  const [ip = ''] = address.split('%')
  return {
    userAgent: userAgent === undefined ? null : readUserAgent(userAgent),
    ip: isIP(ip) === 0 ? null : ip,
  }
}

/**
 * Node makes a character of each byte of a header, as in Latin-1. Clients that send other characters than ASCII send UTF-8, which GoTrue
 * stores as it is (Go does not decode headers); only bytes that cannot be UTF-8, with which GoTrue fails, are taken for Latin-1.
 */
function readUserAgent(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  const text = isUtf8(bytes) ? bytes.toString('utf8') : header
  // Cut between characters, of which some have two code units.
  return Array.from(text.replaceAll(/\p{Cc}/gu, ' '))
    .slice(0, USER_AGENT_MAX_LENGTH)
    .join('')
}
