import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Encoding = 'br' | 'gzip' | 'identity'

/** A text that is made once at start, ready to send in each encoding. */
export interface PreparedText {
  contentType: string
  etag: string
  bodies: Readonly<Record<Encoding, Buffer>>
}

export async function prepareText(text: string, contentType: string): Promise<PreparedText> {
  const identity = Buffer.from(text)
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)])
  const etag = `"${createHash('sha256').update(identity).digest('base64url')}"`
  return { contentType, etag, bodies: { identity, br, gzip: gz } }
}

/** Sends the text, or 304 to whoever has it. Browsers ask again each time, so a new release is seen at once. */
export function sendText(text: PreparedText, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  void reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', text.etag)
  if (request.headers['if-none-match'] === text.etag) return reply.code(304).send()
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.type(text.contentType).send(text.bodies[encoding])
}

function chooseEncoding(accepted: string | undefined): Encoding {
  const offered = new Set(accepted?.split(',').map((entry) => entry.trim()) ?? [])
  if (offered.has('br')) return 'br'
  return offered.has('gzip') ? 'gzip' : 'identity'
}
