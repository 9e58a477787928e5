import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { expectNoProcess, failToStart, startIntercede } from '#tests/support/intercede-process.ts'
import { replacing, tapWire } from '#tests/support/wire-tap.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'intercede-start-'))
})
afterEach(async () => {
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

/** A server that closes every connection. */
async function takePort(): Promise<{ port: string; server: Server }> {
  const server = createServer((socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { port: String(address.port), server }
}

describe('a start that fails', () => {
  it('for an invalid value names the variable, before anything is created', async () => {
    const { code, sentence } = await failToStart({ DATA_DIR: join(dataDir, 'new'), JWT_EXPIRY: 'soon' })
    expect(code).toBe(1)
    expect(sentence).toBe('JWT_EXPIRY is "soon", but must be a whole number from 120 to 604800.\n')
  })

  it('for a port in use names it, and leaves no database running', async () => {
    const { port, server } = await takePort()
    const { code, sentence } = await failToStart({ DATA_DIR: dataDir, PORT: port })
    server.close()
    expect(code).toBe(1)
    expect(sentence).toBe(
      `PORT is ${port}, but another program is using it: stop that program, or set PORT to another number.\n`,
    )
  })

  it('for an address of another machine names it', async () => {
    const { code, sentence } = await failToStart({ DATA_DIR: dataDir, HOST: '192.0.2.1', PORT: '3999' })
    expect(code).toBe(1)
    expect(sentence).toContain('HOST is "192.0.2.1", but this machine does not have that address')
  })

  it('for a database that does not respond names its location and not the password', async () => {
    const { port, server } = await takePort()
    server.close()
    await once(server, 'close')
    const { code, sentence } = await failToStart({
      DATABASE_URL: `postgresql://app:hush@127.0.0.1:${port}/prayers`,
    })
    expect(code).toBe(1)
    expect(sentence).toBe(
      `DATABASE_URL leads to the database "prayers" on 127.0.0.1 port ${port}, which can't be used: ` +
        `connect ECONNREFUSED 127.0.0.1:${port}.\n`,
    )
  })

  it('for a connection pooler that ignores the role of data connections names the problem', async () => {
    const database = await createTestDatabase()
    const option = '-c role=intercede_data'
    const pooler = await tapWire(database.url, replacing(option, ' '.repeat(option.length)))
    const { code, sentence } = await failToStart({ DATABASE_URL: pooler.url, DATA_DIR: dataDir })
    await pooler.close()
    await database.drop()
    expect(code).toBe(1)
    expect(sentence).toMatch(
      /^DATABASE_URL leads to a connection pooler that ignores connection options \(connections start as ".+", not as "intercede_data"\): point it at PostgreSQL itself\.\n$/,
    )
  })
})

describe('two servers on one database', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('create one secret and one key when they start at the same time', async () => {
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
    const servers = await Promise.all([startIntercede(env), startIntercede(env)])
    const { rows } = await database.pool.query<{ name: string }>(
      'select name from intercede.settings order by name',
    )
    expect(rows.map((row) => row.name)).toEqual([expect.stringMatching(/^anon_key \w{16}$/), 'jwt_secret'])
    const codes = await Promise.all(servers.map((server) => server.end('SIGTERM')))
    expect(codes).toEqual([0, 0])
  })
})
