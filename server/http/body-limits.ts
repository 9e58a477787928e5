import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '#shared/client-network.ts'
import { overCapacity } from '../errors/api-error.ts'
import { closeWithError, TOO_SLOW } from './connections.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** Bytes of a body, for routes without a limit of their own. */
export const BODY_LIMIT = 16 * KIBIBYTE

/** Bytes of bodies that the server holds at the same time: for one client, and for all of them. */
interface Capacity {
  client: number
  total: number
}

/** Bodies of up to `BODY_LIMIT`, which are nearly all, have a capacity of their own: large ones can't take it from them. */
const SMALL_BODIES: Capacity = { client: 8 * MEBIBYTE, total: 16 * MEBIBYTE }
/** An import has up to 25 MiB. */
const LARGE_BODIES: Capacity = { client: 28 * MEBIBYTE, total: 48 * MEBIBYTE }

/** Milliseconds for the transfer of a body: always, and in addition for each MiB. Shorter than the server's `requestTimeout`. */
const TRANSFER_TIMEOUT = 20_000
const TRANSFER_TIMEOUT_PER_MEBIBYTE = 1_500

/**
 * Limits the memory for request bodies: a body is read only while its client (the network it comes from, and the account if
 * it is known) and all clients together hold less than their capacity; others get 503. A body counts with its declared
 * size, or, if that is unknown, with its route's limit, from before it is read until its response is sent. A transfer that
 * takes too long ends with 408.
 */
export function limitBodies(app: FastifyInstance): void {
  const small = createReservations(SMALL_BODIES)
  const large = createReservations(LARGE_BODIES)
  const releases = new WeakMap<FastifyRequest, () => void>()
  app.decorateRequest('accountId', null)
  app.addHook('preParsing', async (request) => {
    const limit = request.routeOptions.bodyLimit ?? BODY_LIMIT
    const bytes = sizeOfBody(request, limit)
    // Fastify rejects what is above the limit without reading it.
    if (bytes === 0 || bytes > limit) return
    const release = (bytes > BODY_LIMIT ? large : small)(clientsOf(request), bytes)
    if (release === null) throw overCapacity({ connection: 'close' })
    const endTimeout = limitTransfer(request, bytes)
    releases.set(request, () => {
      release()
      endTimeout()
    })
  })
  // Runs for every response, also if the client has disconnected.
  app.addHook('onSend', async (request) => {
    releases.get(request)?.()
    releases.delete(request)
  })
}

function sizeOfBody({ headers }: FastifyRequest, limit: number): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : limit
}

function clientsOf(request: FastifyRequest): string[] {
  const network = networkOf(request.ip)
  return request.accountId === null ? [network] : [network, request.accountId]
}

/** Returns how to end the timeout before the body has arrived. */
function limitTransfer({ raw }: FastifyRequest, bytes: number): () => void {
  const milliseconds = TRANSFER_TIMEOUT + (bytes / MEBIBYTE) * TRANSFER_TIMEOUT_PER_MEBIBYTE
  const timer = setTimeout(() => closeWithError(raw.socket, 408, TOO_SLOW), milliseconds)
  const end = () => clearTimeout(timer)
  finished(raw, end)
  return end
}

/** Key of all clients together, which is not a network. */
const EVERYONE = ''

/** Returns a function that reserves bytes for clients, and returns how to release them; null if there is no capacity. */
function createReservations({ client, total }: Capacity) {
  const reserved = new Map<string, number>()
  const add = (key: string, bytes: number) => {
    const sum = (reserved.get(key) ?? 0) + bytes
    if (sum > 0) reserved.set(key, sum)
    else reserved.delete(key)
  }
  return (clients: readonly string[], bytes: number): (() => void) | null => {
    const has = (key: string, capacity: number) => (reserved.get(key) ?? 0) + bytes <= capacity
    if (!has(EVERYONE, total) || !clients.every((key) => has(key, client))) return null
    const keys = [EVERYONE, ...clients]
    for (const key of keys) add(key, bytes)
    return () => {
      for (const key of keys) add(key, -bytes)
    }
  }
}
