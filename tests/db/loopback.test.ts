import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withConnection } from '#server/backup/connect.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'

/** As on Windows, except that the process is supervised on this system. */
let dataDir: string
let server: EmbeddedPostgres

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'intercede-loopback-'))
  server = await startEmbeddedPostgres({ dataDir, loopback: true })
})
afterAll(async () => {
  await server.stop()
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

async function connect(url: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select current_user::text as role, current_setting('listen_addresses') as addresses`,
    )
    return rows[0]
  } finally {
    await client.end()
  }
}

it('without unix sockets listens on the loopback address only, and requires a password', async () => {
  expect(await connect(server.url)).toEqual({ role: 'intercede', addresses: '127.0.0.1' })
  const wrong = new URL(server.url)
  wrong.searchParams.set('password', 'wrong')
  await expect(connect(wrong.href)).rejects.toMatchObject({ code: '28P01' })
  wrong.searchParams.delete('password')
  await expect(withConnection(wrong.href, async () => {})).rejects.toThrow(
    "The database can't be reached: the URL has no password.",
  )
})

it.skipIf(process.platform === 'win32')('stores the password in a private file', async () => {
  expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600)
})

it('uses the same password at the next start', async () => {
  const { password } = passwordOf(server.url)
  await server.stop()
  server = await startEmbeddedPostgres({ dataDir, loopback: true })
  expect(passwordOf(server.url).password).toBe(password)
  expect(await connect(server.url)).toMatchObject({ role: 'intercede' })
})

function passwordOf(url: string): { password: string | null } {
  return { password: new URL(url).searchParams.get('password') }
}
