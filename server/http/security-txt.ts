import type { FastifyInstance } from 'fastify'
import { createSecurityTxt } from '#shared/security-txt.ts'
import type { Services } from '../services.ts'

const ONE_DAY = 86_400

/**
 * GET /.well-known/security.txt: where to report vulnerabilities (RFC 9116). 404 unless a contact is configured: no file
 * is better than one with an address that no one reads.
 */
export function registerSecurityTxt(scope: FastifyInstance, { config, clock }: Services): void {
  const { securityContact: contact, siteUrl } = config
  scope.get('/.well-known/security.txt', async (_request, reply) => {
    if (contact === null) return reply.code(404).send({ code: 'not_found', message: 'Not found' })
    return reply
      .header('cache-control', `public, max-age=${String(ONE_DAY)}`)
      .type('text/plain; charset=utf-8')
      .send(createSecurityTxt({ contact, siteUrl }, clock.now()))
  })
}
