import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as v from 'valibot'

/** A browser's PushSubscription as JSON. */
export interface BrowserSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** A message that arrived, decrypted. */
export interface ReceivedMessage {
  endpoint: string
  topic: string
  /** Seconds. */
  lifetime: number
  urgency: string
  /** The application server's public key, which signed the request. */
  sender: string
  payload: string
}

/** A push service, with the browsers that are subscribed to it. */
export interface TestPushService {
  origin: string
  messages: ReceivedMessage[]
  /** Decides on the status of a request, by the path of its endpoint and its number, from 0 on. */
  respond: (path: string, number: number) => number
  /** How many requests have arrived. */
  requests: number
  /** A new browser. */
  subscribe(): BrowserSubscription
  close(): Promise<void>
}

interface Browser {
  ecdh: ReturnType<typeof createECDH>
  secret: Buffer
}

/**
 * Starts one on loopback, without encryption. It accepts only what a real one would: signed for it (RFC 8292), and encrypted for
 * one of its browsers (RFC 8291); with code of its own.
 */
export async function startPushService(): Promise<TestPushService> {
  const browsers = new Map<string, Browser>()
  const server = createServer((request, response) => {
    const number = service.requests
    service.requests += 1
    const path = request.url ?? ''
    void buffer(request).then((body) => {
      const status = service.respond(path, number)
      const browser = browsers.get(path)
      if (status !== 201 || browser === undefined) {
        response.writeHead(status === 201 ? 404 : status, { location: `${service.origin}/elsewhere` }).end()
        return
      }
      try {
        const header = (name: string) => v.parse(v.string(), request.headers[name])
        service.messages.push({
          endpoint: `${service.origin}${path}`,
          topic: header('topic'),
          lifetime: Number(header('ttl')),
          urgency: header('urgency'),
          sender: verifySender(header('authorization'), service.origin),
          payload: decrypt(body, header('content-encoding'), browser),
        })
        response.writeHead(201).end()
      } catch (error) {
        response.writeHead(400).end(String(error))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The push service has no port.')
  const service: TestPushService = {
    origin: `http://127.0.0.1:${String(address.port)}`,
    messages: [],
    respond: () => 201,
    requests: 0,
    subscribe: () => {
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const secret = randomBytes(16)
      const path = `/push/${randomBytes(24).toString('base64url')}`
      browsers.set(path, { ecdh, secret })
      const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: secret.toString('base64url') }
      return { endpoint: `${service.origin}${path}`, keys }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return service
}

const Claims = v.object({
  aud: v.string(),
  exp: v.number(),
  sub: v.pipe(v.string(), v.regex(/^(?:mailto:.+@|https:)/)),
})
const DAY = 86_400

/** The public key that signed a request to `origin`. Throws if the signature is wrong, or for something else. */
function verifySender(authorization: string, origin: string): string {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const parse = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { aud, exp } = v.parse(Claims, parse(claims))
  v.parse(v.object({ alg: v.literal('ES256') }), parse(header))
  const left = exp - Date.now() / 1000
  if (!isSigned || aud !== origin || left < 0 || left > DAY) throw new Error('The sender is not verified.')
  return key
}

/** RFC 8291, for a message in a single record of RFC 8188. */
function decrypt(body: Buffer, encoding: string, { ecdh, secret }: Browser): string {
  if (encoding !== 'aes128gcm') throw new Error(`The encoding is ${encoding}.`)
  const salt = body.subarray(0, 16)
  const senderKey = body.subarray(21, 21 + body.readUInt8(20))
  const record = body.subarray(21 + senderKey.length)
  if (record.length > body.readUInt32BE(16) || body.length > 4096) throw new Error('The message is too long.')
  const derive = (input: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', input, from, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey])
  const input = derive(ecdh.computeSecret(senderKey), secret, info, 32)
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('The padding is wrong.')
  return padded.subarray(0, end).toString()
}
