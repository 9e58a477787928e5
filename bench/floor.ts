import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createPool } from '#server/db/pool.ts'
import { answerData } from './floor/answer-data.ts'
import { answerRefresh } from './floor/answer-refresh.ts'
import type { Answerer } from './floor/answerer.ts'
import { OPERATIONS } from './operations/operations.ts'
import { refreshSession } from './operations/refresh-session.ts'
import { CONNECTION_HEADER } from './wire.ts'

/**
 * The floor: the least that a server can do for one kind of request. A bare handler of node:http that routes nothing,
 * checks nothing and knows no errors; its statements are made before the first request, and run in the same single
 * round trip as the server's.
 */
async function main(what: string | undefined, firstPerson: number, databaseUrl: string): Promise<void> {
  const pool = createPool({ url: databaseUrl })
  const operation = OPERATIONS.find((candidate) => candidate.what === what)
  if (operation === undefined) throw new Error(`The floor does not know ${String(what)}.`)
  const answer =
    operation === refreshSession ? answerRefresh(pool) : await answerData(pool, operation, firstPerson)
  const server = createServer((request, response) => void respond(answer, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The floor has no port.')
  process.stdout.write(`The floor is ready at http://127.0.0.1:${String(address.port)}\n`)
}

async function respond(answer: Answerer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = request.method === 'GET' ? '' : await readBody(request)
  const text = await answer(Number(request.headers[CONNECTION_HEADER]), request.url ?? '', body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
    request.on('error', reject)
  })
}

const [what, firstPerson] = process.argv.slice(2)
await main(what, Number(firstPerson), process.env['DATABASE_URL'] ?? '')
