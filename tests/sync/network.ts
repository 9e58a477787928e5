import type { FastifyInstance } from 'fastify'
import type { Random } from '#tests/faults/random.ts'

/** A request on its way, or its response on the way back. */
interface Exchange {
  /** The tab that sent it. */
  sender: object
  request: Request
  /** Null until the server has handled the request. */
  response: Response | null
  resolve: (response: Response) => void
  reject: (error: Error) => void
}

/** A network between the devices and the server that delays, loses and corrupts what the history tells it to. */
export interface Network {
  /** Sends requests for a sender. Nothing is delivered until the history advances the network. */
  sendFor: (sender: object) => typeof fetch
  isWaiting: (sender: object) => boolean
  isBusy: () => boolean
  /** Moves one request or response on; does `healthy` or whatever the random numbers say with it. */
  advance: (healthy: boolean) => Promise<void>
  /** The sender has died. Its request may still arrive. */
  cutOff: (sender: object) => void
  /** Delivers a request that its sender has long given up. */
  deliverLate: () => Promise<void>
  isServerUp: boolean
  /** Whether many requests for rows are lost, while others arrive: then changes are saved, but not received. */
  losesRows: boolean
  /** The id of a row: the server fails with all changes of it, and of those that name it. */
  faultyRow: string | null
}

export interface NetworkOptions {
  app: FastifyInstance
  /** Credentials of the user. */
  headers: Readonly<Record<string, string>>
  random: Random
  log: (line: string) => void
  /** Called with the name and arguments of each database function that was called successfully. */
  onCall: (name: string, args: unknown) => void
  /** Called when time passes. */
  onDelay: (seconds: number) => void
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const

/** Of all requests. */
export const ORIGIN = 'http://localhost/rest/v1/'

type Fault = () => Response
const html = { 'content-type': 'text/html' }
const json = { 'content-type': 'application/json' }

/** Responses that do not come from the data service, and those that tell a device to come back later. */
const FAULTS: readonly [Fault, ...Fault[]] = [
  () => new Response('<html>Sign in to the Wi-Fi</html>', { status: 200, headers: html }),
  () => new Response('<html>Sign in to the Wi-Fi</html>', { status: 403, headers: html }),
  () => new Response('', { status: 200 }),
  () => new Response('', { status: 404 }),
  () => new Response('<html>Bad gateway</html>', { status: 502, headers: html }),
  () => Response.json({ code: 'PGRST301', message: 'JWT expired' }, { status: 401 }),
  () => Response.json({ code: 'PT401', message: 'This account needs the code' }, { status: 401 }),
  () => Response.json({ code: 'PT412', message: 'The server has another epoch' }, { status: 412 }),
  () => Response.json({ code: '40001', message: 'could not serialize access' }, { status: 500 }),
  fault,
  () =>
    new Response('{"message":"Too many requests"}', {
      status: 429,
      headers: { ...json, 'retry-after': '7' },
    }),
]

/** The server does not know what to do. */
function fault(): Response {
  return Response.json({ code: 'XX000', message: 'internal error' }, { status: 500 })
}

export function createNetwork({ app, headers, random, log, onCall, onDelay }: NetworkOptions): Network {
  const exchanges: Exchange[] = []
  const late: Request[] = []

  const take = (exchange: Exchange) => void exchanges.splice(exchanges.indexOf(exchange), 1)
  const describe = ({ method, url }: Request) => `${method} ${decodeURIComponent(url.slice(ORIGIN.length))}`
  const respond = (exchange: Exchange, response: Response) => {
    take(exchange)
    log(`${describe(exchange.request)}: ${String(response.status)}`)
    exchange.resolve(response)
  }
  const lose = (exchange: Exchange) => {
    take(exchange)
    log(`${describe(exchange.request)}: lost ${exchange.response ? 'response' : 'request'}`)
    exchange.reject(new TypeError('fetch failed'))
  }
  const isFaulty = async (request: Request) => {
    const { faultyRow } = network
    if (faultyRow === null || request.method === 'GET') return false
    return request.url.includes(faultyRow) || (await request.clone().text()).includes(faultyRow)
  }
  /** Has the server handle a request. */
  const handle = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const sent = await request.clone().text()
    const {
      statusCode,
      headers: received,
      payload,
    } = await app.inject({
      method: METHODS.find((method) => method === request.method) ?? 'GET',
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      payload: sent,
    })
    const [, name] = pathname.split('/rpc/')
    if (name !== undefined && statusCode < 300) onCall(name, JSON.parse(sent))
    const body = statusCode === 204 ? null : payload
    return new Response(body, {
      status: statusCode,
      headers: { 'content-type': String(received['content-type']) },
    })
  }
  const network: Network = {
    isServerUp: true,
    losesRows: false,
    faultyRow: null,
    sendFor: (sender) => (input, init) =>
      new Promise((resolve, reject) => {
        const request = new Request(input, init)
        for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
        exchanges.push({ sender, request, response: null, resolve, reject })
      }),
    isWaiting: (sender) => exchanges.some((exchange) => exchange.sender === sender),
    isBusy: () => exchanges.length > 0,
    advance: async (healthy) => {
      const exchange = exchanges[random.below(exchanges.length)]
      if (!exchange) return
      const fate = healthy ? 99 : random.below(100)
      if (!healthy) onDelay(random.below(8))
      if (exchange.response) {
        // Requests that add many rows are few: their responses are lost more often.
        const isResponseLost = fate < (exchange.request.url.includes('columns=') ? 40 : 10)
        return isResponseLost ? lose(exchange) : respond(exchange, exchange.response)
      }
      const { method } = exchange.request
      const isLost = fate < (network.losesRows && method === 'GET' ? 40 : 5)
      if (!network.isServerUp || isLost) return lose(exchange)
      if (fate < 9) {
        late.push(exchange.request)
        return lose(exchange)
      }
      if (fate < 14) return respond(exchange, random.pick(FAULTS)())
      exchange.response = (await isFaulty(exchange.request)) ? fault() : await handle(exchange.request)
    },
    cutOff: (sender) => {
      for (const exchange of exchanges.filter((each) => each.sender === sender)) {
        take(exchange)
        if (!exchange.response && random.below(2) === 0) late.push(exchange.request)
      }
    },
    deliverLate: async () => {
      const [request] = late.splice(random.below(late.length), 1)
      if (!request) return
      const { status } = await handle(request)
      log(`${describe(request)}: ${String(status)}, late`)
    },
  }
  return network
}
