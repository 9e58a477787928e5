import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { DatabaseError } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { leavesConnectionUsable } from './connection-errors.ts'
import { createPool, endPool } from './pool.ts'

function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('message', 10, 'error')
  error.code = code
  return error
}

it.each(['23505', '42501', '57014', '22P02', 'P0001', 'PT406', '40P01'])(
  'keeps a connection after a statement failed with %s',
  (code) => {
    expect(leavesConnectionUsable(databaseError(code))).toBe(true)
  },
)

it.each(['25006', '57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '08006', '08P01'])(
  'discards a connection after %s',
  (code) => {
    expect(leavesConnectionUsable(databaseError(code))).toBe(false)
  },
)

it('discards a connection after an error that the database did not send', () => {
  expect(leavesConnectionUsable(new Error('Connection terminated unexpectedly'))).toBe(false)
})

/** A message of PostgreSQL's protocol. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

const READY = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])
/** A row that announces a column and ends before it. */
const UNREADABLE_ROW = message('D', Buffer.from([0, 1]))

/** A PostgreSQL that lets everybody connect; `onConnected` says what it does next. Returns its URL. */
async function startServer(onConnected: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(READY)
      onConnected(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `postgres://anyone@127.0.0.1:${port}/any`
}

it('fails the query whose response cannot be read, and connects again for the next', async () => {
  const connections: Socket[] = []
  const url = await startServer((socket) => {
    connections.push(socket)
    socket.on('data', () => socket.write(UNREADABLE_ROW))
  })
  const pool = createPool({ url })
  onTestFinished(() => pool.end())
  await expect(pool.query('select 1')).rejects.toThrow(RangeError)
  await expect(pool.query('select 1')).rejects.toThrow(RangeError)
  expect(connections).toHaveLength(2)
})

it('has ended once PostgreSQL has closed the connections that were idle', async () => {
  let closed = 0
  const url = await startServer((socket) => {
    socket.resume().once('end', () => (closed += 1))
  })
  const pool = createPool({ url })
  const clients = [await pool.connect(), await pool.connect()]
  clients.forEach((client) => client.release())
  await endPool(pool)
  expect(closed).toBe(2)
})

it('has ended at once if it never had a connection', async () => {
  await expect(endPool(createPool({ url: 'postgres://anyone@127.0.0.1/any' }))).resolves.toBeUndefined()
})
