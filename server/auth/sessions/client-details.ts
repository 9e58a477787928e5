import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** What is kept of the device that holds a session. */
export interface ClientDetails {
  userAgent: string | null
  ip: string | null
}

const USER_AGENT_LENGTH = 512

/** Header and address come from outside; whatever the database could not store is left out. */
export function clientDetails(request: FastifyRequest): ClientDetails {
  const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH)
  const [ip = ''] = request.ip.split('%')
  return { userAgent: userAgent ?? null, ip: isIP(ip) === 0 ? null : ip }
}
