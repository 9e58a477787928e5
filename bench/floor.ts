import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Pool } from 'pg'
import { userId } from './fixed-data.ts'
import { claimsOf, DATA_STATEMENTS, openPool, REFRESH, runAs } from './floor-statements.ts'
import { CONNECTIONS } from './load.ts'
import { CONNECTION_HEADER } from './operations.ts'

/** Creates the body of a response. An error ends the process. */
type Handler = (connection: number, path: string, body: string) => Promise<string>

/**
 * The floor: the least that a server can do for one kind of request. It is a node:http handler without routing,
 * validation or error handling that runs the same SQL as the server.
 */
async function main(operation: string, firstUser: number, databaseUrl: string): Promise<void> {
  const handler = createHandler(openPool(databaseUrl), operation, firstUser)
  const server = createServer((request, response) => void respond(handler, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The floor has no port.')
  console.log(`The floor is ready at http://127.0.0.1:${String(address.port)}`)
}

function createHandler(pool: Pool, operation: string, firstUser: number): Handler {
  switch (operation) {
    case 'list':
    case 'insert':
    case 'update':
      return handleData(pool, DATA_STATEMENTS[operation], firstUser)
    case 'refresh':
      return handleRefresh(pool)
    default:
      throw new Error(`The floor has no operation ${operation}.`)
  }
}

function handleData(
  pool: Pool,
  statementFor: (typeof DATA_STATEMENTS)[keyof typeof DATA_STATEMENTS],
  firstUser: number,
): Handler {
  const claims = Array.from({ length: CONNECTIONS }, (_, connection) =>
    JSON.stringify(claimsOf(userId(firstUser + connection))),
  )
  return async (connection, path, body) => {
    const statement = statementFor(firstUser + connection, path, body)
    const [row] = await runAs<{ body: string }>(pool, claims[connection] ?? '', statement)
    return row?.body ?? ''
  }
}

const PRESENTED = /"refresh_token":"([^"]+)"/
const HEADER = encode({ alg: 'HS256', typ: 'JWT' })
/** No token of the floor is ever verified. */
const SECRET = randomBytes(32)

interface RefreshRow {
  issued: string
  account: { id: string }
}

function handleRefresh(pool: Pool): Handler {
  return async (_connection, _path, body) => {
    const values = [PRESENTED.exec(body)?.[1], randomBytes(16).toString('base64url')]
    const { rows } = await pool.query<RefreshRow>({ ...REFRESH, values })
    const [row] = rows
    if (row === undefined) throw new Error('The database issued no refresh token.')
    const claims = claimsOf(row.account.id)
    return JSON.stringify({
      access_token: sign(encode(claims)),
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: claims.exp,
      refresh_token: row.issued,
      user: row.account,
    })
  }
}

function sign(payload: string): string {
  const unsigned = `${HEADER}.${payload}`
  return `${unsigned}.${createHmac('sha256', SECRET).update(unsigned).digest('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

async function respond(handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = request.method === 'GET' ? '' : await readBody(request)
  const text = await handler(Number(request.headers[CONNECTION_HEADER]), request.url ?? '', body)
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

const [operation = '', firstUser] = process.argv.slice(2)
await main(operation, Number(firstUser), process.env['DATABASE_URL'] ?? '')
