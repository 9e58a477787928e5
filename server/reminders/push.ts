import { lookup, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import webPush from 'web-push'
import type { Config } from '../config.ts'
import type { TokenKeys } from '../jwt/token-keys.ts'

/** Origins of the push services of Chrome (and most others), Firefox, Edge and Safari. */
const BROWSER_SERVICES = [
  'https://fcm.googleapis.com',
  'https://*.push.services.mozilla.com',
  'https://*.notify.windows.com',
  'https://*.push.apple.com',
]
const TIMEOUT = 10_000
/** Connections to one service. */
const MAX_CONNECTIONS = 50

/** A browser's subscription, with the browser's names. */
export interface PushSubscription {
  endpoint: string
  p256dh: string
  auth: string
}

export interface PushMessage {
  payload: string
  /** Replaces a message with the same topic that the service has not delivered yet. */
  topic: string
  /** Seconds after which the service discards the message. */
  lifetime: number
}

/** Whether an endpoint, which comes from a client, belongs to a push service that this server sends requests to. */
export function isPushService({ pushServices }: Pick<Config, 'pushServices'>, endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, origin, username, password } = new URL(endpoint)
  // `blob:https://…` has the origin of the address that it contains. Only a configured service can have `http:`.
  if (!['https:', 'http:'].includes(protocol) || username !== '' || password !== '') return false
  return [...BROWSER_SERVICES, ...pushServices].some((service) => matches(service, origin))
}

/** @param service an origin, or one with `*.` for any subdomain */
function matches(service: string, origin: string): boolean {
  return service.startsWith('https://*.')
    ? origin.startsWith('https://') && origin.endsWith(service.slice('https://*'.length))
    : origin === service
}

/** Sends push messages. */
export interface PushSender {
  /** Resolves to the status of the response; rejects if there is none within seconds, or the subscription is invalid. */
  send(subscription: PushSubscription, message: PushMessage): Promise<number>
  close(): void
}

export interface PushSettings {
  config: Pick<Config, 'siteUrl' | 'mailFrom'>
  vapid: TokenKeys['vapid']
  /** For a whole request, in milliseconds. */
  timeout?: number
}

/** Encrypts messages (RFC 8291) and sends them as this installation (RFC 8292). Follows no redirect, and reads no response. */
export function createPushSender({ config, vapid, timeout = TIMEOUT }: PushSettings): PushSender {
  const agents = {
    https: new HttpsAgent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, lookup: lookUpPublicAddress }),
    http: new HttpAgent({ keepAlive: true, maxSockets: MAX_CONNECTIONS }),
  }
  const vapidDetails = { ...vapid, subject: contactOf(config) }
  return {
    send: async ({ endpoint, p256dh, auth }, { payload, topic, lifetime }) => {
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        payload,
        { vapidDetails, topic, TTL: lifetime, urgency: 'normal', contentEncoding: 'aes128gcm' },
      )
      const options = { method: 'POST', headers, signal: AbortSignal.timeout(timeout) }
      return await new Promise<number>((resolve, reject) => {
        // Only one that the operator has configured, on this machine, can lack encryption.
        const request = endpoint.startsWith('https:')
          ? requestHttps(endpoint, { ...options, agent: agents.https })
          : requestHttp(endpoint, { ...options, agent: agents.http })
        request.once('response', (response) => {
          // The connection is used again once all of it has arrived, or closed when the time is over.
          response.on('error', () => {}).resume()
          resolve(response.statusCode ?? 0)
        })
        request.on('error', reject)
        request.end(body)
      })
    },
    close: () => {
      agents.https.destroy()
      agents.http.destroy()
    },
  }
}

/** Whom a push service may write to about this installation: its site, or else the sender of its emails. */
function contactOf({ siteUrl, mailFrom }: PushSettings['config']): string {
  if (siteUrl.startsWith('https:')) return siteUrl
  return `mailto:${/<(.+)>/.exec(mailFrom)?.[1] ?? mailFrom}`
}

const ASSIGNED_V6 = ipaddr.parseCIDR('2000::/3')

/** Whether an address belongs to no private network, no single machine and no special purpose. */
export function isPublicAddress({ address }: LookupAddress): boolean {
  const parsed = ipaddr.parse(address)
  // The library's `unicast` includes what is assigned to nobody, some of which contains an IPv4 address.
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(ASSIGNED_V6))
}

/** Resolves host names as Node.js does, but fails for those with a private address: the connection is made to what was checked. */
const lookUpPublicAddress: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    if (!addresses.every(isPublicAddress))
      return callback(new Error('The push service has a private address.'), '')
    if (options.all === true) return callback(null, addresses)
    const [first] = addresses
    return callback(null, first?.address ?? '', first?.family)
  })
}
