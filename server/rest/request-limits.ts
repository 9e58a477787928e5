import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import PQueue from 'p-queue'
import { networkOf } from '#shared/client-network.ts'
import { ApiError, overCapacity } from '../errors/api-error.ts'
import { EndedEarly } from '../errors/ended-early.ts'

/**
 * Requests in progress, each with a data connection at most, of which the server has ten: one account can't keep others
 * from the database, or fill the memory with responses that it doesn't read.
 */
const REQUESTS_PER_ACCOUNT = { concurrent: 3, waiting: 200 }
/**
 * Data connections that the accounts of one network use: with the one for an export or import, half of them. Exports and
 * imports are not counted here: while they wait for those of other networks, they must not hold up their own network.
 */
const RUNNING_PER_NETWORK = { concurrent: 4, waiting: 1000 }
/** Exports and imports: PostgreSQL needs up to 300 MB for one of an account at the quota. */
const TRANSFERS_PER_ACCOUNT = { concurrent: 1, waiting: 10 }
const TRANSFERS = { concurrent: 1, waiting: 200 }
/** Milliseconds that a request waits for others in all. With the time for its body and an import, less than the app waits. */
const MAX_WAIT = 60_000

const TRANSFER_FUNCTIONS: ReadonlySet<unknown> = new Set([
  'export_account',
  'export_supplement',
  'import_prayers',
  'import_sealed',
])
/** Key of the queue that all accounts share. */
const EVERYONE = ''

/** A request that waits for others until a time of `performance.now()`. */
interface WaitingRequest {
  response: ServerResponse
  until: number
}

/**
 * Resolves when the work may begin, to a function that must be called at its end. Rejects when the client disconnects before,
 * and with 503 when the request has waited for too long.
 */
type Acquire = (key: string, request: WaitingRequest) => Promise<() => void>

/** Limits what one account, or one network of anonymous callers, can have done at the same time. */
export interface RequestLimits {
  /**
   * Does the work of a data request as soon as the limits allow. Rejects with 503 if too many requests are waiting already,
   * or this one has waited for a minute; also rejects if the client disconnects before the work begins.
   */
  run<Value>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<Value>): Promise<Value>
  /** For `onRequest`, before the body is read: rejects with 429 while another import of the same account is in progress. */
  beginImport(request: FastifyRequest): Promise<void>
  /** For `onSend`, which runs for every response, also if the client has disconnected. */
  endImport(request: FastifyRequest): Promise<void>
}

/** Requests must have their `accountId`. */
export function createRequestLimits(): RequestLimits {
  const acquireRequest = createQueues(REQUESTS_PER_ACCOUNT)
  const acquireOfNetwork = createQueues(RUNNING_PER_NETWORK)
  const acquireTransferOfAccount = createQueues(TRANSFERS_PER_ACCOUNT)
  const acquireTransfer = createQueues(TRANSFERS)
  const accountsImporting = new Set<string>()
  const imports = new WeakMap<FastifyRequest, string>()
  const keyOf = (request: FastifyRequest) => request.accountId ?? networkOf(request.ip)
  return {
    run: async (request, reply, work) => {
      const key = keyOf(request)
      const waiting = { response: reply.raw, until: performance.now() + MAX_WAIT }
      if (!isTransfer(request))
        return inPlace(acquireRequest, key, waiting, whenClosed, () =>
          inPlace(acquireOfNetwork, networkOf(request.ip), waiting, whenDone, work),
        )
      return inPlace(acquireTransferOfAccount, key, waiting, whenClosed, () =>
        inPlace(acquireRequest, key, waiting, whenClosed, () =>
          // Last, so that no account can hold its place while it waits for its own requests.
          inPlace(acquireTransfer, EVERYONE, waiting, whenDone, work),
        ),
      )
    },
    beginImport: async (request) => {
      const key = keyOf(request)
      if (accountsImporting.has(key)) throw importInProgress()
      accountsImporting.add(key)
      imports.set(request, key)
    },
    endImport: async (request) => {
      const key = imports.get(request)
      if (key !== undefined) accountsImporting.delete(key)
    },
  }
}

function isTransfer({ params }: FastifyRequest): boolean {
  const name = typeof params === 'object' && params !== null && 'name' in params ? params.name : null
  return TRANSFER_FUNCTIONS.has(name)
}

/** When a request gives up its place. */
type Release = (response: ServerResponse, release: () => void) => void

/** When the response is sent or the client has disconnected, which may have happened before. */
function whenClosed(response: Writable, callback: () => void): void {
  if (response.closed) callback()
  else response.once('close', callback)
}

/** When the work is done. */
const whenDone: Release = (_response, release) => release()

/** Does the work, and holds a place meanwhile. */
async function inPlace<Value>(
  acquire: Acquire,
  key: string,
  request: WaitingRequest,
  giveUp: Release,
  work: () => Promise<Value>,
): Promise<Value> {
  const release = await acquire(key, request)
  try {
    return await work()
  } finally {
    giveUp(request.response, release)
  }
}

/** Milliseconds that a client has to read a response, and more for each MiB: 50 KiB a second, as on a slow phone. */
const READING_TIME = 60_000
const READING_TIME_PER_MIB = 20_000

/**
 * Disconnects a client that reads a response too slowly, because the unread rest is in memory. The timeout of the connection
 * (http/connections.ts) begins again with each byte.
 */
export function limitReadingTime(response: Writable, bytes: number): void {
  const time = READING_TIME + (READING_TIME_PER_MIB * bytes) / (1024 * 1024)
  const timer = setTimeout(() => response.destroy(new EndedEarly('the response was not read in time')), time)
  whenClosed(response, () => clearTimeout(timer))
}

/** A queue per key, which exists only while it is in use. Requests begin in the order in which they came. */
function createQueues(limits: { concurrent: number; waiting: number }): Acquire {
  const queues = new Map<string, PQueue>()
  const createQueue = (key: string) => {
    const queue = new PQueue({ concurrency: limits.concurrent })
    return queue.once('idle', () => queues.delete(key))
  }
  return async (key, request) => {
    const queue = queues.get(key) ?? createQueue(key)
    if (queue.size >= limits.waiting) throw overCapacity()
    if (request.response.destroyed) throw disconnected()
    queues.set(key, queue)
    return placeIn(queue, request)
  }
}

/** Resolves when it is the turn of the request, which keeps its place until it calls the function. */
function placeIn(queue: PQueue, { response, until }: WaitingRequest): Promise<() => void> {
  const waiting = new AbortController()
  const leave = (reason: ApiError) => {
    stopWaiting()
    waiting.abort(reason)
  }
  // A waiting request keeps all that were pipelined behind it in memory, so it leaves at once.
  const onClose = () => leave(disconnected())
  response.once('close', onClose)
  const timer = setTimeout(() => leave(overCapacity()), until - performance.now())
  const stopWaiting = () => {
    clearTimeout(timer)
    response.off('close', onClose)
  }
  return new Promise((resolve, reject) => {
    const place = () =>
      new Promise<void>((release) => {
        stopWaiting()
        // The next one begins in a later turn of the event loop, so that requests of others come in between.
        resolve(() => setImmediate(release))
      })
    queue.add(place, { signal: waiting.signal }).catch(reject)
  })
}

function importInProgress(): ApiError {
  return new ApiError(429, 'import_in_progress', 'An import is already in progress')
}

/** Nobody receives it. */
function disconnected(): ApiError {
  return new ApiError(408, 'disconnected', 'The client has disconnected')
}
